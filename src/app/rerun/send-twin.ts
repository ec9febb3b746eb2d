/** Sends the same call a second time: what differs between the two answers is noise. */
import type { Answer, Exchange } from '../../exchange/index.js';
import { isUuid } from '../../spec/index.js';
import { redactedAnswer } from './redacted-answer.js';
import type { Run } from './run.js';
import type { Outgoing } from './sender.js';

/** `answer`: what the first one got. No twin comes of it where the second one is not answered. */
export async function sendTwin(
  run: Run,
  exchange: Exchange,
  index: number,
  outgoing: Outgoing,
  answer: Answer,
): Promise<void> {
  const id = outgoing.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  const fresh = run.system.chance.uuid();
  const headers = outgoing.headers.map(([name, value]): [string, string] => [
    name,
    value === id && isUuid(value) ? fresh : value,
  ]);
  const received = await run.sender.send({ ...outgoing, headers });
  run.requests += received.repeated ? 2 : 1;
  if ('problem' in received) return;
  run.twins.push({
    number: index + 1,
    operation: exchange.call.operation,
    first: redactedAnswer(exchange, outgoing, answer, run),
    second: redactedAnswer(exchange, outgoing, received.answer, run),
    ids: id === undefined ? undefined : [id, fresh],
  });
}
