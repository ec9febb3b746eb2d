import { memberOf, type Place } from '../../exchange/index.js';
import { type Dialect, TOKEN_ERRORS, WIRE_ERRORS, type WireErrorCode } from '../../spec/index.js';
import { defineRule, type Outcome, violation } from '../rule.js';

interface Known {
  readonly code: string;
  readonly place: Place;
  readonly statuses: readonly number[];
}

const MOST_MESSAGES = 100;

export default defineRule({
  id: 'answers/error-code-matches-status',
  statement: 'A known message code comes with its status',
  sources: ['BG', 'RFC6749 5.2'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: 'all',
  needs: ['bank-error', 'answer-body'],
  looksAt: 'answer',
  why: 'Clients that branch on the status and clients that branch on the code do different things.',
  fix: 'Answer a code of the standard with the status that the standard gives it.',
  examples: {
    complies: '429 with ACCESS_EXCEEDED',
    violates: '403 with ACCESS_EXCEEDED',
  },
  check: ({ call, answer: { content, status }, options: { dialect } }) => {
    // The PSU's browser is shown a page, and pages are not recorded.
    if (call.listener === 'psu') return 'not-applicable';
    if (content.kind !== 'json') return content.kind === 'not-observed' ? content.kind : 'not-applicable';
    const { value } = content;
    const known = call.operation === 'oauth.token' ? oauthCode(value) : [];
    return judge([...known, ...messageCodes(value, dialect), ...problemCode(value, dialect)], status);
  },
});

/** One of several messages gives the status, so one that fits is enough. */
function judge(known: readonly Known[], status: number): Outcome {
  const [first] = known;
  if (first === undefined) return 'not-applicable';
  if (known.some(({ statuses }) => statuses.includes(status))) return true;
  return violation(
    first.place,
    `sent with status ${first.statuses.join(' or ')}`,
    `${first.code}, with status ${status}`,
  );
}

/** Codes of the bank's own come with the statuses that its profile gives them. */
function wireCode(code: unknown, place: Place, dialect: Dialect): Known[] {
  if (typeof code !== 'string') return [];
  const own = dialect.statusesOf(code);
  if (own !== undefined) return [{ code, place, statuses: own }];
  if (!Object.hasOwn(WIRE_ERRORS, code)) return [];
  return [{ code, place, statuses: WIRE_ERRORS[code as WireErrorCode].statuses }];
}

function messageCodes(value: unknown, dialect: Dialect): Known[] {
  const messages = memberOf(value, 'tppMessages');
  if (!Array.isArray(messages)) return [];
  return messages.slice(0, MOST_MESSAGES).flatMap((message, i) => {
    if (memberOf(message, 'category') === 'WARNING') return [];
    return wireCode(memberOf(message, 'code'), `answer body tppMessages[${i}].code`, dialect);
  });
}

function problemCode(value: unknown, dialect: Dialect): Known[] {
  return wireCode(memberOf(value, 'code'), 'answer body code', dialect);
}

function oauthCode(value: unknown): Known[] {
  const code = memberOf(value, 'error');
  if (typeof code !== 'string' || !Object.hasOwn(TOKEN_ERRORS, code)) return [];
  const status = TOKEN_ERRORS[code as keyof typeof TOKEN_ERRORS];
  // 401 is asked for only where the client tried the Authorization header.
  const statuses = code === 'invalid_client' ? [401, 400] : [status];
  return [{ code, place: 'answer body error', statuses }];
}
