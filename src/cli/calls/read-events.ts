/** Reads server-sent events out of a response. */
export interface ServerEvent {
  readonly event: string;
  /** JSON. */
  readonly data: string;
}

/** In characters; events of a gateway are some hundred. */
const LONGEST = 1_048_576;

/** null: a sign of life. Ends with the stream; throws what that throws, and where an event has no end. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent | null> {
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
