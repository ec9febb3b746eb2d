/** Sends the same call a second time: what differs between the two answers is noise. */
import type { Answer, Exchange } from '../../exchange/index.js';
import { isUuid } from '../../spec/index.js';
import type { Twin } from './learn-noise.js';
import { redactedAnswer } from './redacted-answer.js';
import type { Run } from './run.js';
import type { Outgoing } from './sender.js';

/** `twin` is null where it was not answered. */
export async function sendTwin(
  exchange: Exchange,
  index: number,
  first: { readonly outgoing: Outgoing; readonly answer: Answer },
  run: Run,
): Promise<{ readonly twin: Twin | null; readonly requests: number }> {
  const { sender, system } = run;
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
  const twin = {
    number: index + 1,
    operation: exchange.call.operation,
    first: redactedAnswer(exchange, outgoing, first.answer, run),
    second: redactedAnswer(exchange, outgoing, received.answer, run),
    ids: id === undefined ? undefined : ([id, fresh] as const),
  };
  return { twin, requests };
}
