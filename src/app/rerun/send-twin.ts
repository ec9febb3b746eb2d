/** Sends the same call a second time: what differs between the two answers is noise. */
import { type Answer, type Exchange, redactExchange } from '../../exchange/index.js';
import { isUuid } from '../../spec/index.js';
import { exchangeSent } from './exchange-sent.js';
import type { Twin } from './learn-noise.js';
import type { Run } from './run.js';
import type { Outgoing } from './sender.js';

/** `twin` is null where it was not answered. */
export async function sendTwin(
  exchange: Exchange,
  index: number,
  first: { readonly outgoing: Outgoing; readonly answer: Answer },
  { sender, system, recognise, fingerprint }: Run,
): Promise<{ readonly twin: Twin | null; readonly requests: number }> {
  const { outgoing } = first;
  const id = outgoing.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  const fresh = system.chance.uuid();
  const headers = outgoing.headers.map(([name, value]): [string, string] => [
    name,
    value === id && isUuid(value) ? fresh : value,
  ]);
  const received = await sender.send({ ...outgoing, headers });
  const requests = received.repeated ? 2 : 1;
  if ('problem' in received) return { twin: null, requests };
  const redacted = (answer: Answer): Answer => {
    const shown = redactExchange(exchangeSent(exchange, outgoing, answer, recognise), fingerprint).answer;
    if (shown === null) throw new Error('An answer was lost.');
    return shown;
  };
  const twin = {
    number: index + 1,
    operation: exchange.call.operation,
    first: redacted(first.answer),
    second: redacted(received.answer),
    ids: id === undefined ? undefined : ([id, fresh] as const),
  };
  return { twin, requests };
}
