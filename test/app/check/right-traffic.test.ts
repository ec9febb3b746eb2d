/** Clients and banks that are right in ways of their own: nobody is blamed, by no note either. */
import { describe, expect, it } from 'vitest';
import { judgeRecording } from '../../../src/app/index.js';
import { closeCall, createIdSource, through } from '../../../src/exchange/index.js';
import { createJudge, type Profile, RULES } from '../../../src/rules/index.js';
import { aCall, anAnswer, fingerprint, judgeOptions, NOW } from '../../builders.js';
import { CREDITOR, DEBTOR } from '../../rules/requests-of.js';
import {
  account,
  authorise,
  bearer,
  consented,
  createConsent,
  createPayment,
  exchangeCode,
  listAccounts,
  onConsent,
  onPayment,
  PAYMENT,
  type Right,
  readTransactions,
  refresh,
  requestId,
  step,
  tokens,
} from './right-traffic.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const TRANSACTIONS = '/stdgroup/v1/accounts/A1/transactions';

/** By what is special about it: links of banks. */
const LINKS: Readonly<Record<string, () => readonly Right[]>> = {
  'a consent, its token and its accounts': () => [
    ...consented(),
    listAccounts(),
    readTransactions('dateFrom=2026-06-01&bookingStatus=booked'),
  ],
  'a link with a query of its own, to which the client appends': () => [
    ...consented(),
    listAccounts([
      account('A1', { transactions: { href: `https://localhost:8443${TRANSACTIONS}?lang=fr` } }),
    ]),
    readTransactions('lang=fr&bookingStatus=booked'),
  ],
  'details of a transaction, which the bank links beyond the specification': () => [
    ...consented(),
    listAccounts(),
    step(
      {
        operation: 'accounts.transactions',
        params: { accountId: 'A1' },
        query: 'bookingStatus=booked',
        headers: bearer(),
      },
      {
        body: {
          transactions: {
            booked: [
              {
                transactionAmount: { currency: 'EUR', amount: '-1.00' },
                _links: { transactionDetails: { href: `${TRANSACTIONS}/T%201` } },
              },
            ],
            _links: { account: { href: '/stdgroup/v1/accounts/A1' } },
          },
        },
      },
    ),
    step({ target: `${TRANSACTIONS}/T%201`, headers: bearer() }, { body: { transactionsDetails: {} } }),
  ],
};

const status = (consentStatus: string, rest: Partial<Right> = {}): Right =>
  step({ operation: 'consents.status', ...onConsent }, { body: { consentStatus } }, rest);
const paymentStatus = (transactionStatus: string, rest: Partial<Right> = {}): Right =>
  step({ operation: 'payments.status', ...onPayment }, { body: { transactionStatus } }, rest);
const exceeded = { status: 429, body: { tppMessages: [{ category: 'ERROR', code: 'ACCESS_EXCEEDED' }] } };

/** Flows, repetitions and calls side by side. */
const FLOWS: Readonly<Record<string, () => readonly Right[]>> = {
  'two reads of a status side by side, the older answer behind the newer one': () => [
    createPayment(),
    paymentStatus('ACTC', { takes: 5_000 }),
    paymentStatus('ACSP', { after: 1_500, takes: 200 }),
    paymentStatus('ACSP', { after: 10_000 }),
  ],
  'an access token in its last second, of a bank that took five seconds to hand it out': () => [
    createConsent(),
    authorise(),
    { ...exchangeCode(), takes: 5_000 },
    listAccounts(undefined, { after: HOUR + 4_000 }),
  ],
  'a payment cancelled because its SCA failed': () => [
    createPayment(),
    authorise({ scope: `PIS:${PAYMENT}` }, 'error=access_denied'),
    step({ operation: 'payments.cancel', ...onPayment }, { status: 204 }),
  ],
  'a cancellation sent again, because the answer to the first did not come': () => {
    const again = { 'X-Request-ID': requestId() };
    return [
      createPayment(),
      step({ operation: 'payments.cancel', ...onPayment, headers: again }, { status: 204 }),
      step({ operation: 'payments.cancel', ...onPayment, headers: again }, { status: 204 }),
    ];
  },
  'a limit that the bank counts over the last 24 hours': () => [
    ...consented(),
    // 20:00 of Brussels.
    refresh('refresh-1', tokens('2'), { after: 8 * HOUR }),
    ...[0, 1, 2, 3].map(() =>
      step({ operation: 'accounts.list', headers: bearer('access-2') }, { body: { accounts: [] } }),
    ),
    refresh('refresh-2', tokens('3'), { after: 12 * HOUR }),
    step({ operation: 'accounts.list', headers: bearer('access-3') }, exceeded),
  ],
  'two tabs of one flow, the code of the first after the second was opened': () => [
    createConsent(),
    authorise(),
    authorise(
      {
        state: 'b1946ac92492d2347c6235b4d2611184',
        code_challenge: 'LiGLBvVp3bU9yMZTHUMBhQ0bJ8QmHhPCkHrWaa0x1Bs',
      },
      'code=code-2',
    ),
    exchangeCode(),
  ],
  'a page that the PSU loads again': () => [createConsent(), authorise(), authorise(), exchangeCode()],
  'a refresh of a bank that keeps the refresh token, without naming it': () => [
    ...consented(),
    refresh('refresh-1', { ...tokens('2'), refresh_token: undefined }, { after: 50 * MINUTE }),
    refresh('refresh-1', { ...tokens('3'), refresh_token: undefined }, { after: 50 * MINUTE }),
  ],
  'reads with HEAD, small letters in names and schemes, and conditions': () => [
    ...consented(),
    listAccounts(),
    {
      ...step(
        {
          operation: 'accounts.list',
          method: 'HEAD',
          headers: { authorization: 'bearer access-1', 'consent-id': bearer()['Consent-Id'] },
        },
        { status: 200, headers: { 'Content-Type': 'application/json' } },
      ),
    },
    step(
      { operation: 'accounts.list', headers: { ...bearer(), 'If-None-Match': 'W/"1"' } },
      { status: 304, headers: { ETag: 'W/"1"' } },
    ),
  ],
  'a consent on accounts with every optional member': () => [
    createConsent({
      access: {
        accounts: [{ iban: DEBTOR, currency: 'EUR' }],
        balances: [{ iban: DEBTOR }],
        transactions: [],
        additionalInformation: { ownerName: [], trustedBeneficiaries: null },
        restrictedTo: ['CACC'],
        allPsd2: null,
      },
      recurringIndicator: false,
      frequencyPerDay: 1,
      validUntil: '9999-12-31',
    }),
  ],
  'a consent that goes through every status': () => [
    ...consented(),
    status('received'),
    status('partiallyAuthorised'),
    status('valid'),
    status('expired'),
    step({ operation: 'consents.delete', ...onConsent }, { status: 204 }),
    status('expired'),
  ],
  'a payment that goes through every status': () => [
    createPayment(),
    ...['RCVD', 'PDNG', 'PATC', 'ACTC', 'ACCP', 'ACWC', 'ACFC', 'ACSP', 'ACWP', 'ACSC', 'ACCC'].map((one) =>
      paymentStatus(one, { after: 2_000 }),
    ),
  ],
  'a bank whose ids of authorisations are no UUIDs': () => [
    createPayment(),
    step(
      { operation: 'payments.authorisations.list', ...onPayment },
      { body: { authorisationIds: ['auth-1'] } },
    ),
    step(
      {
        operation: 'payments.authorisations.read',
        params: { paymentId: PAYMENT, authorisationId: 'auth-1' },
      },
      { body: { scaStatus: 'received' } },
    ),
  ],
  'errors as problems, and codes of a bank of its own': () => [
    ...consented(),
    step(
      { operation: 'accounts.list', headers: bearer() },
      {
        status: 503,
        headers: { 'Content-Type': 'application/problem+json' },
        body: { type: 'https://bank.example/maintenance', code: 'MAINTENANCE', title: 'We are away' },
      },
    ),
    step({ operation: 'accounts.list', headers: bearer() }, { status: 503 }),
    step(
      { operation: 'accounts.list', headers: bearer() },
      { status: 400, body: { tppMessages: [{ category: 'ERROR', code: 'BANK_42' }] } },
    ),
  ],
  'the answer to a creation that was sent again': () => {
    const headers = { ...createConsent().call.headers, 'X-Request-ID': requestId() } as Record<
      string,
      string
    >;
    const first = createConsent();
    const sent: Right = {
      call: { ...first.call, headers },
      answer: {
        ...first.answer,
        headers: { ...first.answer?.headers, 'X-Request-ID': headers['X-Request-ID'] ?? '' },
      },
    };
    return [{ ...sent, answer: null }, sent, authorise(), exchangeCode(), listAccounts()];
  },
  'a payment with every optional member': () =>
    [
      {
        ...createPayment(),
        call: {
          ...createPayment().call,
          body: {
            instructedAmount: { currency: 'EUR', amount: '1' },
            debtorAccount: { iban: DEBTOR, currency: null },
            creditorAccount: { iban: CREDITOR },
            creditorName: 'Example',
            creditorAddress: { country: 'DE', townName: 'Berlin' },
            creditorAgent: 'COBADEFFXXX',
            chargeBearer: 'SLEV',
            purposeCode: 'CHAR',
            remittanceInformationStructured: { reference: 'RF18539007547034' },
          },
        },
        answer: { ...createPayment().answer, headers: undefined as never },
      },
    ].map(({ call, answer }) =>
      step(call, {
        ...answer,
        headers: { Location: `/stdgroup/v1/payments/sepa-credit-transfers/${PAYMENT}` },
      }),
    ),
};

/** Clients that are right with banks that are not. */
const CLIENTS: Readonly<Record<string, () => readonly Right[]>> = {
  'a bank that gives no scope with its token, in a flow that went past': () => [
    createConsent(),
    exchangeCode({}, { scope: undefined }),
    listAccounts(),
  ],
  'an authorization request of before, and another flow that went past': () => [
    createConsent(),
    authorise({}, 'error=access_denied'),
    exchangeCode({
      code: 'code-9',
      code_verifier: 'M25iVXpKU3puUjFaYWg3T1NDTDQtcW1ROUY5YXlwalNoc0hhakxifmZHag',
    }),
    listAccounts(),
  ],
  'pages of a report, as the bank links them: its status in capitals, its cursor by another name': () => [
    ...consented(),
    listAccounts(),
    readTransactions('dateFrom=2026-06-01&bookingStatus=booked', {
      next: `${TRANSACTIONS}?bookingStatus=BOOKED&cursor=a%2Bb%3D`,
    }),
    readTransactions('bookingStatus=BOOKED&cursor=a%2Bb%3D', { next: `${TRANSACTIONS}?cursor=c2` }),
    readTransactions('cursor=c2'),
  ],
};

/** Banks that are right with clients that are not. */
const BANKS: Readonly<Record<string, () => readonly Right[]>> = {
  'a limit used by reads whose answers did not arrive': () => [
    ...consented(),
    listAccounts(),
    listAccounts(),
    { ...listAccounts(), answer: null },
    { ...listAccounts(), answer: { status: 504, source: 'gateway' } },
    step({ operation: 'accounts.list', headers: bearer() }, exceeded),
  ],
  ...Object.fromEntries(
    [0, 2, 4].map((refused) => [
      `a limit used by five reads at the same time, of which the bank refuses number ${refused + 1}`,
      () => [
        ...consented(),
        ...[0, 1, 2, 3, 4].map((i) => {
          const rest = { after: i === 0 ? 1_000 : 2, takes: i === refused ? 300 : 900 };
          const answer = i === refused ? exceeded : { body: { accounts: [] } };
          return step({ operation: 'accounts.list', headers: bearer() }, answer, rest);
        }),
      ],
    ]),
  ),
};

/** Files of a proxy that was started too late: what lies before its begin is not known. */
const MIDDLE: Readonly<Record<string, () => readonly Right[]>> = {
  'reads under a consent of before': () => [
    listAccounts(),
    readTransactions('dateFrom=2025-06-01&bookingStatus=booked'),
  ],
  'a consent whose SCA and token are in no entry': () => [
    createConsent(),
    status('received'),
    listAccounts(),
  ],
  'a refresh': () => [refresh('refresh-0', tokens('1')), listAccounts()],
  'an exchange of a code': () => [exchangeCode(), listAccounts()],
  'an authorization request': () => [authorise(), exchangeCode()],
  'the status of a payment': () => [
    paymentStatus('ACSP'),
    step(
      { operation: 'payments.authorisations.create', ...onPayment, body: {} },
      { status: 400, body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] } },
    ),
  ],
};

interface Whom {
  readonly certificate?: 'not-observed';
  /** Whose faults are asked for; everybody's where absent. */
  readonly judges?: 'tpp' | 'aspsp';
}

function findingsOf(steps: readonly Right[], profile: Profile, { certificate, judges }: Whom = {}): string[] {
  let at = NOW;
  const newId = createIdSource({ clock: () => at });
  const records = steps.map(({ call, answer, after = 1_000, takes = 20 }) => {
    at += after;
    const opened = aCall({ id: newId(), at, ...call, ...(certificate && { certificate }) });
    const answered = answer && anAnswer({ source: 'upstream', ...answer });
    return { exchange: closeCall(opened, answered, { total: takes, answerer: takes }) };
  });
  // As they are recorded: in the order of their ends.
  const endOf = ({ exchange: { call, elapsed } }: (typeof records)[number]) => call.at + elapsed.total;
  records.sort((a, b) => endOf(a) - endOf(b));
  const judge = createJudge({ rules: RULES, fingerprint, options: judgeOptions(profile) });
  return [...through(records, judgeRecording({ judge, fingerprint }))].flatMap(({ exchange, findings }) =>
    findings
      .filter((finding) => judges === undefined || finding.judges === judges)
      .map(
        ({ rule, place, expected, actual }) =>
          `${exchange.call.request.method} ${exchange.call.request.target}: ${rule}, ${place}: ${actual}, not ${expected}`,
      ),
  );
}

describe.each(['sandbox', 'production'] as const)('under profile %s nobody is blamed for', (profile) => {
  it.each(Object.entries({ ...LINKS, ...FLOWS }))('%s', (_, stepsOf) => {
    expect(findingsOf(stepsOf(), profile).join('\n')).toBe('');
  });
  it.each(Object.entries(CLIENTS))('%s', (_, stepsOf) => {
    expect(findingsOf(stepsOf(), profile, { judges: 'tpp' }).join('\n')).toBe('');
  });
  it.each(Object.entries(BANKS))('%s', (_, stepsOf) => {
    expect(findingsOf(stepsOf(), profile, { judges: 'aspsp' }).join('\n')).toBe('');
  });
  it.each(Object.entries(MIDDLE))('a file that begins in the middle: %s', (_, stepsOf) => {
    expect(findingsOf(stepsOf(), profile, { certificate: 'not-observed' }).join('\n')).toBe('');
  });
});
