import { memberOf } from '../../exchange/index.js';
import {
  accessesAllowed,
  accessesPossible,
  consentOf,
  isPartial,
  ownerOf,
  rollingSpan,
} from '../../ledger/index.js';
import { isSandboxResource } from '../../spec/index.js';
import { defineRule, type ExchangeContext, type Outcome, violation } from '../rule.js';

const CODE = 'ACCESS_EXCEEDED';

export default defineRule({
  id: 'answers/limit-not-early',
  statement: 'ACCESS_EXCEEDED is not answered before the daily limit is used',
  clauses: ['limits.1', 'accounts.psu-ip-address'],
  sources: ['RTS 36(5)'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ counted }) => counted,
  isAsked: ({ dialect }) => dialect.accesses.count !== 'none',
  needs: ['bank-error'],
  why: 'The TPP has a right to four accesses a day, and to any number while the PSU is present.',
  fix: 'Count accesses for each TPP, consent, operation and account, and none that carries PSU-IP-Address.',
  examples: {
    complies: '429 ACCESS_EXCEEDED to the fifth GET /accounts of a day without PSU-IP-Address',
    violates: '429 ACCESS_EXCEEDED to the third, or to one with PSU-IP-Address',
  },
  check,
});

function check(context: ExchangeContext): Outcome {
  const { call, answer, ledger, window } = context;
  if (answer.content.kind === 'not-observed')
    return answer.status === 429 ? 'not-observed' : 'not-applicable';
  if (answer.content.kind !== 'json' || !saysExceeded(answer.content.value)) return 'not-applicable';
  const expected = 'a body with the data: the daily limit is not used up';
  if (call.request.hasPsuAddress) {
    return violation('answer body', expected, `a body with ${CODE} to a call with PSU-IP-Address`);
  }
  const consentId = call.header['consent-id'] ?? '';
  const owner = ownerOf(call);
  if (owner === null || !isKnown(context, owner, consentId)) return 'not-observed';
  // A bank may count by the day or by the last 24 hours (RTS 36(5)): it is right by either.
  const used = Math.max(
    accessesPossible(ledger, call, window),
    accessesPossible(ledger, call, { spanAt: rollingSpan, by: window.by }),
  );
  const allowed = accessesAllowed(ledger, owner, consentId, window);
  if (used >= allowed) return true;
  if (isPartial(ledger) || mayHideAccounts(context, owner, consentId)) return 'not-observed';
  return violation('answer body', expected, `a body with ${CODE} after ${used} of ${allowed} accesses`);
}

/** If the creation of a consent was not seen, earlier accesses may be unseen too. */
function isKnown({ ledger, options }: ExchangeContext, owner: string, consentId: string): boolean {
  if (consentOf(ledger, owner, consentId) !== undefined) return true;
  return options.profile === 'sandbox' && isSandboxResource(consentId) && ledger.beganLater !== true;
}

/** Whether accesses that count together may be of accounts that no list has shown. */
function mayHideAccounts({ ledger, window }: ExchangeContext, owner: string, consentId: string): boolean {
  const consent = consentOf(ledger, owner, consentId);
  return window.by === 'consent' && (consent?.accounts == null || consent.moreAccounts === true);
}

function saysExceeded(value: unknown): boolean {
  if (memberOf(value, 'code') === CODE) return true;
  const messages = memberOf(value, 'tppMessages');
  return Array.isArray(messages) && messages.some((message) => memberOf(message, 'code') === CODE);
}
