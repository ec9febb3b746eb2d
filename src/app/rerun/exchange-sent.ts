/** Makes an exchange of what was sent and answered, so that it is redacted like any other. */
import { type Answer, closeCall, type Exchange, openCall } from '../../exchange/index.js';
import type { Recognise } from '../../spec/index.js';
import type { Outgoing } from './sender.js';

/** `recorded`: what it repeats. */
export function exchangeSent(
  recorded: Exchange,
  { method, url, headers, body }: Outgoing,
  answer: Answer,
  recognise: Recognise,
): Exchange {
  const { id, session, at, listener } = recorded.call;
  const text = body === null ? null : Buffer.from(body).toString('utf8');
  const call = openCall(
    {
      id,
      session,
      at,
      listener,
      method,
      headers,
      connection: { address: url.hostname, tls: 'not-observed' },
      certificate: 'not-observed',
      target: url.pathname + url.search,
      body: text === null ? null : { text, size: Buffer.byteLength(text) },
    },
    recognise(method, url.pathname),
  );
  return closeCall(call, answer, { total: 0, answerer: 0 });
}
