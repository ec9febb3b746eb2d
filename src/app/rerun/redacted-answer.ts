/** Redacts the answer to what was sent as that of any other exchange. */
import { type Answer, closeCall, type Exchange, openCall, redactExchange } from '../../exchange/index.js';
import type { Run } from './run.js';
import type { Outgoing } from './sender.js';

export function redactedAnswer(
  recorded: Exchange,
  { method, url, headers, body }: Outgoing,
  answer: Answer,
  { recognise, fingerprint }: Pick<Run, 'recognise' | 'fingerprint'>,
): Answer {
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
  const shown = redactExchange(closeCall(call, answer, { total: 0, answerer: 0 }), fingerprint).answer;
  if (shown === null) throw new Error('An answer was lost.');
  return shown;
}
