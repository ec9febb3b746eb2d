/** Operations against SCA outcomes, and rights against those that were used. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/index.js';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS, type ScaScenario } from '../../src/spec/index.js';
import { TPP } from '../builders.js';
import { CONSENT, PAYMENT, REDIRECT_URI } from '../rules/ledger-of.js';
import { authorizeWith, CONSENT_BODY } from '../rules/requests-of.js';
import { aStore } from '../store/stores.js';
import { record, reportOf, type Sent, VALID } from './a-recording.js';

async function drawn(sent: readonly Sent[]): Promise<Report> {
  const store = aStore({ path: ':memory:' });
  record(store, sent);
  return reportOf(store);
}

/** `link-implicit: 2 = 1 success, 1 open`, of the rows that were done. */
const lines = ({ exercised }: Report): string[] => exercised.rows.filter(({ done }) => done > 0).map(lineOf);

const lineOf = ({ key, done, outcomes }: Report['exercised']['rows'][number]): string =>
  `${key}: ${done} = ${Object.entries(outcomes)
    .filter(([, count]) => (count ?? 0) > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')}`;

const [create, discovery] = VALID as readonly [Sent, Sent];

const creation = (more: Partial<Sent['call']> = {}, answer: Partial<Sent['answer']> = {}): Sent => ({
  call: { ...create.call, ...more, headers: { ...create.call.headers, ...more.headers } },
  answer: { ...create.answer, ...answer },
});
const explicit = creation(
  { headers: { 'TPP-Explicit-Authorisation-Preferred': 'true' } },
  { body: { consentId: CONSENT, consentStatus: 'received', _links: { startAuthorisation: { href: '/x' } } } },
);
const start: Sent = {
  call: { operation: 'consents.authorisations.create', params: { consentId: CONSENT } },
  answer: { status: 201, body: { authorisationId: 'a1', scaStatus: 'received' } },
};

const back = (parameters: string, scenario?: string): Sent => {
  const call = authorizeWith({});
  const query = scenario === undefined ? call.query : `${call.query}&scenario=${scenario}`;
  return {
    call: query === undefined ? call : { ...call, query },
    answer: { status: 302, headers: { Location: `${REDIRECT_URI}?${parameters}` } },
  };
};
const token = VALID.find(({ call }) => call.operation === 'oauth.token') as Sent;
const statusOf = (body: unknown): Sent => ({
  call: { operation: 'consents.status', params: { consentId: CONSENT } },
  answer: { body },
});
const failing = (sent: Sent, status: number): Sent => ({
  ...sent,
  answer: { status, body: { tppMessages: [] } },
});

const EXPECTED: Readonly<Record<ScaScenario, string>> = {
  SCA_OK: 'success',
  SCA_EXEMPTED: 'success',
  LOGIN_CANCEL: 'refusedByPsu',
  LOGIN_TIMEOUT: 'timeout',
  LOGIN_OTHER_ERROR: 'bankError',
  LOGIN_REQUEST_REJECTED: 'refused',
  BAD_PASSWORD_LOGIN: 'wrongCredentials',
  UNKNOWN_LOGIN: 'wrongCredentials',
  SCA_CANCEL: 'refusedByPsu',
  SCA_TIMEOUT: 'timeout',
  SCA_OTHER_ERROR: 'bankError',
  SCA_NOK: 'wrongCredentials',
  SCA_REQUEST_REJECTED: 'refused',
  SCA_INTERNAL_ERROR: 'bankError',
};

describe('what was exercised', () => {
  it('counts a whole journey once in each of its operations, and leaves the others at 0', async () => {
    const report = await drawn(VALID);
    expect(lines(report)).toEqual([
      'link-implicit: 1 = 1 success',
      'payments/sepa-credit-transfers: 1 = 1 success',
      'cancel-payment: 1 = 1 success',
      'refresh-token: 2 = 2 success',
      'confirm-funds: 1 = 1 success',
    ]);
    const untested = report.exercised.rows.find(({ key }) => key === 'link-explicit');
    expect(untested).toMatchObject({ done: 0, outcomes: { success: 0, refusedByPsu: 0 } });
    const alone = report.exercised.rows.find(({ key }) => key === 'revoke-consent');
    expect(alone?.outcomes).toMatchObject({ refusedByPsu: null, timeout: null, wrongCredentials: null });
  });

  it.each(SCA_SCENARIO_IDS)('knows the outcome of the page %s', async (scenario) => {
    const { error } = SCA_SCENARIOS[scenario];
    const end = back(error === null ? 'code=abc&state=x' : `error=${error}&state=x`, scenario);
    expect(lines(await drawn([create, end]))).toEqual([`link-implicit: 1 = 1 ${EXPECTED[scenario]}`]);
  });

  it.each<readonly [name: string, sent: readonly Sent[], expected: readonly string[]]>([
    ['nothing behind the creation is open', [create, discovery], ['link-implicit: 1 = 1 open']],
    [
      'an error that fits several ends is open',
      [create, back('error=access_denied')],
      ['link-implicit: 1 = 1 open'],
    ],
    [
      'a scenario that the redirect does not confirm says nothing',
      [create, back('error=access_denied', 'SCA_INTERNAL_ERROR')],
      ['link-implicit: 1 = 1 open'],
    ],
    [
      'what an injected fault did is neither the bank’s nor the TPP’s, whatever it showed',
      [503, 429].map((status) => ({
        ...failing(creation(), status),
        with: { injected: { fault: 'f', kind: 'answer/status', did: null } },
      })),
      ['link-implicit: 2 = 2 injected'],
    ],
    [
      'an end of an SCA that an injected fault showed is not known',
      [create, { ...back('error=server_error'), with: { injected: { fault: 'f', kind: 'x', did: 200 } } }],
      ['link-implicit: 1 = 1 open'],
    ],
    [
      'an answer that a fault only delayed is the bank’s',
      [{ ...failing(creation(), 503), with: { injected: { fault: 'f', kind: 'transport/delay', ms: 9 } } }],
      ['link-implicit: 1 = 1 bankError'],
    ],
    ['the bank failed in the SCA', [create, back('error=server_error')], ['link-implicit: 1 = 1 bankError']],
    ['a token shows the SCA that nobody saw', [create, token], ['link-implicit: 1 = 1 success']],
    [
      'code, token and status tell of one success',
      [create, back('code=abc'), token, statusOf({ consentStatus: 'valid' })],
      ['link-implicit: 1 = 1 success'],
    ],
    [
      'a PSU who comes back twice ends twice',
      [create, back('error=access_denied', 'SCA_TIMEOUT'), back('code=abc', 'SCA_OK')],
      ['link-implicit: 2 = 1 success, 1 timeout'],
    ],
    [
      'a status of failure has no reason',
      [create, statusOf({ scaStatus: 'failed' })],
      ['link-implicit: 1 = 1 open'],
    ],
    [
      'a creation that the bank fails at or refuses has ended',
      [failing(create, 503), failing(create, 400), failing(create, 500)],
      ['link-implicit: 3 = 2 bankError, 1 refused'],
    ],
    ['the first start belongs to the explicit creation', [explicit, start], ['link-explicit: 1 = 1 open']],
    [
      'an authorisation behind a success renews',
      [explicit, start, statusOf({ consentStatus: 'valid' }), start, statusOf({ scaStatus: 'finalised' })],
      ['link-explicit: 1 = 1 success', 'renew: 1 = 1 success'],
    ],
    [
      'an authorisation behind a failure tries again',
      [explicit, start, statusOf({ scaStatus: 'failed' }), start, statusOf({ scaStatus: 'finalised' })],
      ['link-explicit: 2 = 1 success, 1 open'],
    ],
  ])('%s', async (_name, sent, expected) => {
    expect(lines(await drawn(sent))).toEqual(expected);
  });

  it('counts a cancellation as done once the payment is told to be cancelled', async () => {
    const onPayment = {
      params: { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers', paymentId: PAYMENT },
    };
    const cancel: Sent = {
      call: { operation: 'payments.cancel', method: 'DELETE', ...onPayment },
      answer: { status: 202, body: { transactionStatus: 'ACTC' } },
    };
    const read: Sent = {
      call: { operation: 'payments.status', ...onPayment },
      answer: { body: { transactionStatus: 'CANC' } },
    };
    expect(lines(await drawn([cancel]))).toEqual(['cancel-payment: 1 = 1 open']);
    expect(lines(await drawn([cancel, read]))).toEqual(['cancel-payment: 1 = 1 success']);
  });
});

const valid = statusOf({ consentStatus: 'valid' });
const asking = (access: unknown): Sent => creation({ body: { ...CONSENT_BODY, access } });
const reading = (
  operation: 'accounts.list' | 'accounts.balances' | 'accounts.transactions',
  more = {},
): Sent => ({
  call: {
    operation,
    headers: { 'Consent-Id': CONSENT, Authorization: 'Bearer x' },
    params: { accountId: 'a' },
    ...more,
  },
  answer: { body: { accounts: [{ iban: 'x', ownerName: 'Somebody' }] } },
});
const ACCOUNT = { iban: 'BE68539007547034' };

describe('minimal access', () => {
  it.each<readonly [name: string, sent: readonly Sent[], expected: unknown]>([
    ['a consent that nobody authorised does not count', [asking({ allPsd2: 'allAccounts' })], []],
    [
      'what no call used was asked for in vain',
      [asking({ allPsd2: 'allAccounts' }), valid, reading('accounts.list'), reading('accounts.balances')],
      [['all-accounts', 1, ['accounts', 'balances', 'transactions'], ['transactions 1']]],
    ],
    [
      'a list with balances uses both',
      [
        asking({ availableAccountsWithBalance: 'allAccounts' }),
        valid,
        reading('accounts.list', { query: 'withBalance=true' }),
      ],
      [['list-with-balances', 1, ['accounts', 'balances'], []]],
    ],
    [
      'the owner’s name is used once an answer gives it',
      [asking({ availableAccounts: 'allAccountsWithOwnerName' }), valid, reading('accounts.list')],
      [['list-of-accounts', 1, ['accounts', 'owner’s name'], []]],
    ],
    [
      'lists name what is asked for',
      [asking({ accounts: [ACCOUNT], transactions: [ACCOUNT] }), valid, reading('accounts.transactions')],
      [['chosen-accounts', 1, ['accounts', 'transactions'], ['accounts 1']]],
    ],
    [
      'empty lists leave the choice to the PSU',
      [asking({ balances: [] }), valid],
      [['chosen-at-the-bank', 1, ['balances'], ['balances 1']]],
    ],
    [
      'a consent from before is used, and what it asked for is not known',
      [reading('accounts.list')],
      [['not-recorded', 1, [], []]],
    ],
  ])('%s', async (_name, sent, expected) => {
    const { access } = await drawn(sent);
    expect(access.every(({ tpp }) => tpp === TPP)).toBe(true);
    expect(
      access.map(({ kind, consents, askedFor, neverUsed }) => [
        kind,
        consents,
        askedFor,
        neverUsed.map(({ right, consents: of }) => `${right} ${of}`),
      ]),
    ).toEqual(expected);
  });
});
