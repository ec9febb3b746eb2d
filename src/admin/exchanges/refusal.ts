/** What an answer says itself of why it refuses: the reason that only who answered knows. */
import { type Exchange, memberOf } from '../../exchange/index.js';
import type { RecordedExchange } from '../../store/index.js';

/** In characters: a bank may send a novel. */
const LONGEST = 400;
/** Of tppMessages, OAuth and problem+json. */
const NAMES = ['text', 'error_description', 'detail', 'title'] as const;

/** null where the answer is no refusal or says nothing, and where what the TPP has to send explains it: a must. */
export function refusalOf({ exchange, findings }: RecordedExchange): string | null {
  const { answer } = exchange;
  if (answer === null || answer.status < 400 || answer.source === 'rule') return null;
  if (findings.some(({ severity, waived }) => severity === 'must' && waived === undefined)) return null;
  const text = textOf(answer);
  if (text === undefined) return null;
  const said = `${answer.source === 'gateway' ? 'The gateway' : 'The bank'} answered ${answer.status}: ${text.slice(0, LONGEST)}`;
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}

function textOf({ content }: NonNullable<Exchange['answer']>): string | undefined {
  if (content.kind !== 'json') return undefined;
  const messages = memberOf(content.value, 'tppMessages');
  const first: unknown = Array.isArray(messages) ? messages[0] : content.value;
  return NAMES.map((name) => memberOf(first, name)).find((one) => typeof one === 'string' && one !== '') as
    | string
    | undefined;
}
