/** Three rules of a house: one on the body of a call, one on its header fields, one on the answer of a bank. */
import { defineRule } from 'sandgate/rules';

const daysUntil = (date: string, from: number): number => Math.ceil((Date.parse(date) - from) / 86_400_000);

const consent = (validUntil: string) => ({
  operation: 'consents.create',
  at: '2026-06-15T10:00:00Z',
  json: { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil, frequencyPerDay: 4 },
});

const shortConsent = defineRule({
  id: 'x-acme/consent-is-short',
  statement: 'A recurring consent ends within 180 days',
  source: { text: 'ACME privacy guideline 4.2', url: 'https://acme.example/privacy#4.2' },
  severity: { sandbox: 'must', production: 'must' },
  appliesTo: ['consents.create'],
  needs: ['json'],
  check: ({ call }) => {
    const { recurringIndicator, validUntil } = call.json;
    if (recurringIndicator !== true || typeof validUntil !== 'string') return 'not-applicable';
    const days = daysUntil(validUntil, call.at);
    if (days <= 180) return true;
    return {
      place: 'body validUntil',
      expected: 'at most 180 days from now',
      actual: `${validUntil}, ${days} days`,
    };
  },
  why: 'Data that nobody needs any more must not stay within reach.',
  fix: 'Ask for 180 days at most, and ask the PSU again after that.',
  examples: [
    { says: 'ends after 90 days', call: consent('2026-09-13'), verdict: 'complied' },
    { says: 'ends after a year', call: consent('2027-06-15'), verdict: 'violated' },
    {
      says: 'used once',
      call: { operation: 'consents.create', json: { recurringIndicator: false } },
      verdict: 'not-applicable',
    },
  ],
});

const traced = defineRule({
  id: 'x-acme/calls-are-traced',
  statement: 'Each call on accounts carries a trace id',
  source: { text: 'ACME operations handbook, tracing' },
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ['accounts.*'],
  check: ({ call }) =>
    /^[0-9a-f]{32}$/.test(call.header['acme-trace-id'] ?? '') || {
      place: 'header ACME-Trace-ID',
      expected: '32 hexadecimal digits',
      actual: call.header['acme-trace-id'] ?? 'absent',
    },
  why: 'Without it nobody finds the call in our logs.',
  fix: 'Set ACME-Trace-ID in the client that all services share.',
  examples: [
    {
      says: 'a trace id',
      call: { operation: 'accounts.list', headers: { 'ACME-Trace-ID': '4bf92f3577b34da6a3ce929d0e0e4736' } },
      verdict: 'complied',
    },
    { says: 'no trace id', call: { operation: 'accounts.list' }, verdict: 'violated' },
  ],
});

const namesOwner = defineRule({
  id: 'x-acme/bank-names-owner',
  statement: 'The bank names the owner of each account',
  source: { text: 'Contract with the bank, annex B' },
  judges: 'aspsp',
  appliesTo: ['accounts.list'],
  needs: ['bank-success', 'answer-json'],
  check: ({ answer }) => {
    const accounts: readonly { readonly ownerName?: unknown }[] = answer?.json.accounts ?? [];
    return accounts.flatMap(({ ownerName }, i) =>
      typeof ownerName === 'string'
        ? []
        : [{ place: `answer body accounts[${i}].ownerName`, expected: 'a name' }],
    );
  },
  why: 'We show the owner to the PSU, who must recognise the account.',
  fix: 'Return ownerName with each account, as agreed.',
  examples: [
    {
      says: 'an owner',
      call: { operation: 'accounts.list' },
      answer: { status: 200, json: { accounts: [{ resourceId: 'a', ownerName: 'A. Smith' }] } },
      verdict: 'complied',
    },
    {
      says: 'no owner',
      call: { operation: 'accounts.list' },
      answer: { status: 200, json: { accounts: [{ resourceId: 'a' }] } },
      verdict: 'violated',
    },
    {
      says: 'no accounts, as the bank answers 401',
      call: { operation: 'accounts.list' },
      answer: { status: 401 },
      verdict: 'not-applicable',
    },
  ],
});

export default [shortConsent, traced, namesOwner];
