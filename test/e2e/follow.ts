/** Reads server-sent events from a gateway, as a page does. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface TestEvent {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: data is looked into by path; a wrong path fails the assertion.
  readonly data: any;
}

export interface Follower {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All so far, but for those that only say how it stands. */
  readonly events: readonly TestEvent[];
  readonly comments: () => number;
  /** The next one that fits, also of those that came already. */
  readonly until: (fits: (event: TestEvent) => boolean) => Promise<TestEvent>;
  readonly ended: Promise<void>;
  /** Takes nothing more off the connection. */
  readonly pause: () => void;
  readonly close: () => void;
}

export function follow(url: string, headers: Record<string, string> = {}): Promise<Follower> {
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = request(url, {
      headers: { Accept: 'text/event-stream', ...headers },
      agent: false,
    });
    asked.on('error', reject);
    asked.on('response', (response) => resolve(followerOf(asked, response)));
    asked.end();
  });
}

function followerOf(asked: ClientRequest, response: IncomingMessage): Follower {
  const events: TestEvent[] = [];
  const waiting = new Set<() => void>();
  let comments = 0;
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event === null) comments += 1;
      else events.push(event);
    }
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((done) => {
    response.on('close', done);
    asked.on('error', () => done());
    response.on('error', () => done());
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments: () => comments,
    until: (fits) =>
      new Promise((found, failed) => {
        const look = () => {
          const event = events.find(fits);
          if (event === undefined) return;
          waiting.delete(look);
          found(event);
        };
        waiting.add(look);
        void ended.then(() => failed(new Error('The stream has ended.')));
        look();
      }),
    ended,
    pause: () => void response.pause(),
    close: () => void asked.destroy(),
  };
}

function eventOf(block: string): TestEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const event = fields.get('event');
  return event === undefined
    ? null
    : { id: fields.get('id'), event, data: JSON.parse(fields.get('data') ?? 'null') };
}
