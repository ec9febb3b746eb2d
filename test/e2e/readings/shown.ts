/** How each reading shows on the wire: a call with its answer, a check of its own, or the test that covers it. */
import { expect } from 'vitest';
import { type CallOptions, CHALLENGE, type Reply, type TestGateway, VERIFIER } from '../harness.js';

/** `METHOD path` below `/stdgroup/v1`, what is sent, and status, codes or OAuth error of the answer. */
export type Asked = readonly [asked: string, sent: Sent, told: string];
export type Sent = Pick<CallOptions, 'headers' | 'json' | 'form' | 'body' | 'cert'> & {
  /** Sent with the token of this consent. */
  readonly consent?: string;
};
type Check = (bank: Bank) => Promise<void>;
/** The title of a test, as it stands in the file. */
interface Elsewhere {
  readonly file: string;
  readonly test: string;
}
export type Shown = readonly Asked[] | Check | Elsewhere;

export interface Bank {
  readonly gateway: TestGateway;
  readonly ask: (asked: string, sent?: Sent) => Promise<Reply>;
  /** The redirect of an authorization request with a scenario. */
  readonly end: (query: Record<string, string>) => Promise<URL>;
}

export const told = ({ status, codes, json }: Reply): string =>
  [status, ...codes, ...(json?.error === undefined ? [] : [json.error])].join(' ');

export const LITERAL = '22222222-2222-2222-2222-222222222222';
export const VALID = { consent: 'VALID_CONSENT_ID' } as const;
export const CREATION = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' };
export const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '9999-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
export const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  debtorAccount: { iban: 'BE14983120441783' },
  creditorAccount: { iban: 'BE86986509812450' },
  creditorName: 'Jane Doe',
};
export const CREATE = { headers: CREATION, json: CONSENT };
export const PAY = { headers: CREATION, json: PAYMENT };
export const EXCHANGE = {
  grant_type: 'authorization_code',
  client_id: 'VALID_CLIENT_ID',
  code_verifier: VERIFIER,
};
export const funds = (iban: string, currency = 'EUR') => ({
  json: { account: { iban }, instructedAmount: { currency, amount: '1' } },
});
export const transactions = (query: string) => `GET /accounts/ACCOUNT_ID/transactions${query}`;
export const keysOf = (value: object) => Object.keys(value).sort();
export const whole = (title: string): Elsewhere => ({ file: 'test/e2e/whole-bank.test.ts', test: title });
export const ledger = (title: string): Elsewhere => ({
  file: 'test/ledger/daily-limit.test.ts',
  test: title,
});
export const callback = (title: string): Elsewhere => ({
  file: 'test/answer/notification/create-notifier.test.ts',
  test: title,
});
export const bodyOf =
  (asked: string, sent: Sent, body: unknown): Check =>
  async ({ ask }) =>
    expect((await ask(asked, sent)).json).toMatchObject(body as object);

/** The query of an authorization request that is right, but for what a reading is about. */
export const authorizeQuery = (query: Record<string, string>) =>
  new URLSearchParams({
    scope: 'AIS:VALID_CONSENT_ID',
    client_id: 'VALID_CLIENT_ID',
    state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
    redirect_uri: 'https://tpp.example/cb',
    code_challenge: CHALLENGE,
    response_type: 'code',
    code_challenge_method: 'S256',
    scenario: 'SCA_OK',
    ...query,
  });
