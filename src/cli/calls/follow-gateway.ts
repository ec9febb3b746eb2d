/** Follows the calls of a running gateway by the events of its admin listener. */
import type { Brief } from '../../admin/exchanges/index.js';
import { SandgateError } from '../../spec/index.js';
import type { AdminClient } from '../admin-client.js';
import { pause, type Watch } from './watch.js';

const AGAIN_MS = 500;
/** A gateway gives a sign of life every 15 seconds. */
const SILENT_MS = 45_000;
/** The limit of calls that both the list and the first events may show. */
const MOST_KNOWN = 2_000;
const MOST_LISTED = 1_000;
const MISSED = 'Calls are missing here: more was recorded meanwhile than is told again.';

/** `filter`: as it was typed. Comes back after a restart of the gateway. Throws where there is none at first, or where it refuses. */
export async function followGateway(client: AdminClient, filter: string, watch: Watch): Promise<void> {
  const { signal, session, say } = watch;
  const query = new URLSearchParams({ ...(session === undefined ? {} : { session }), q: filter });
  const known = new Set<string>();
  let last: string | null = null;
  let state = 'first' as 'first' | 'there' | 'away';

  const show = (call: Brief): Promise<boolean> | true => {
    if (known.has(call.id)) return true;
    last = call.id;
    if (known.size < MOST_KNOWN) known.add(call.id);
    return watch.show(call, `${client.url}/exchanges/${call.id}`);
  };
  const take = async ({ event, data }: ServerEvent): Promise<boolean> => {
    if (event === 'exchange') return show(JSON.parse(data) as Brief);
    if (event === 'alert' && (JSON.parse(data) as { kind?: unknown }).kind === 'missed') say(MISSED);
    return true;
  };
  const follow = async (): Promise<boolean> => {
    const ended = new AbortController();
    const silence = setTimeout(() => ended.abort(), SILENT_MS);
    try {
      const response = await client.events(`/api/events?${query}`, last, signal, ended.signal);
      if (state === 'away') say(`The gateway at ${client.url} is there again.`);
      // Asked for when events come already: no call is between the two.
      if (state === 'first') for (const call of await newest(client, query, watch.lines)) await show(call);
      state = 'there';
      for await (const event of readEvents(response)) {
        silence.refresh();
        if (event !== null && !(await take(event))) return false;
      }
      return true;
    } finally {
      clearTimeout(silence);
      ended.abort();
    }
  };

  for (;;) {
    try {
      if (!(await follow())) return;
    } catch (error) {
      if (signal.aborted) return;
      if (state === 'first' || (error instanceof SandgateError && error.code === 'admin.token')) throw error;
    }
    if (signal.aborted) return;
    if (state === 'there') say(`The gateway at ${client.url} has gone; waiting for it.`);
    state = 'away';
    await pause(AGAIN_MS, signal);
  }
}

async function newest(client: AdminClient, query: URLSearchParams, limit: number): Promise<readonly Brief[]> {
  if (limit === 0) return [];
  const path = `/api/exchanges?${query}&limit=${Math.min(limit, MOST_LISTED)}`;
  const { exchanges } = (await client.ask({ method: 'GET', path })) as { exchanges: readonly Brief[] };
  return exchanges.toReversed();
}

/** Reads server-sent events out of a response. */
interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** In characters; events of a gateway are some hundred. */
const LONGEST = 1_048_576;

/** null: a sign of life. Ends with the stream; throws what that throws, and where an event has no end. */
async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent | null> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > LONGEST) throw new RangeError('an event is too long');
    for (const block of blocks) yield eventOf(block);
  }
}

function eventOf(block: string): ServerEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const event = fields.get('event');
  return event === undefined ? null : { event, data: fields.get('data') ?? 'null' };
}
