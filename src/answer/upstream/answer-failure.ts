/** The gateway's answer where the bank gave none: in the error format of the API, saying who answers. */
import { type Call, type HeaderList, openAnswer } from '../../exchange/index.js';
import { answerRefusal } from '../answer-refusal.js';
import type { Answered } from '../answerer.js';
import type { Failure } from './failures.js';

const RETRY_AFTER: HeaderList = [['Retry-After', '1']];

export function answerFailure(call: Call, { status, fault }: Failure): Answered {
  const text = `Sandgate, not the bank, gives this answer. ${fault.message}`;
  const headers = status === 503 ? RETRY_AFTER : [];
  if (call.operation === 'oauth.token') {
    const answer = answerRefusal(
      { kind: 'token', error: 'server_error', description: text },
      call,
      'gateway',
    );
    const all = [...answer.headers, ...headers];
    return { answer: openAnswer({ ...answer, status, headers: all }, answer.content), fault };
  }
  const code = status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
  const answer = answerRefusal(
    { kind: 'messages', status, messages: [{ code, text }], headers },
    call,
    'gateway',
  );
  return { answer, fault };
}
