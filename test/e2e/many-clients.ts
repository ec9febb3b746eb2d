/** A bank whose token answers name no scope, and clients that walk mixed journeys at it: each sees only what is its own. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import { type CallOptions, CHALLENGE, type Reply, type TestGateway, VERIFIER } from './harness.js';

const V1 = '/stdgroup/v1';
const REDIRECT = 'https://tpp.example/back';
const PRODUCT = `${V1}/payments/sepa-credit-transfers`;

/** What is read of a consent or payment, and of nobody else's. */
const markOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 12);

export interface NarrowBank extends BankBehind {
  /** The PSU says yes on the bank's own pages: the code that the browser brings back. */
  readonly authorise: (scope: string) => string;
  /** The PSU says no. */
  readonly reject: (scope: string) => void;
}

/** Its codes and tokens tell nothing. What is read of an account or payment holds the mark of its consent or payment. */
export async function openNarrowBank(): Promise<NarrowBank> {
  const codes = new Map<string, string>();
  const tokens = new Map<string, string>();
  const states = new Map<string, 'received' | 'valid' | 'rejected' | 'deleted'>();

  const issue = (scope: string) => {
    const [access, refresh] = [randomUUID(), randomUUID()];
    tokens.set(access, scope).set(refresh, scope);
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 600 };
  };
  const create = (service: 'consents' | 'payments/sepa-credit-transfers') => {
    const id = randomUUID();
    states.set(id, 'received');
    const self = { href: `${V1}/${service}/${id}` };
    const links = { scaOAuth: { href: '/stdgroup/authorization/authorize/1' }, self };
    return service === 'consents'
      ? { consentId: id, consentStatus: 'received', _links: links }
      : { paymentId: id, transactionStatus: 'RCVD', _links: links };
  };
  const readAs = (id: string, path: string) => {
    if (path.endsWith('/accounts'))
      return { accounts: [{ resourceId: `acc-${markOf(id)}`, currency: 'EUR' }] };
    const reference = `${markOf(id)} ${path.split('/').at(-1)}`;
    return { account: { iban: 'BE14983120441783' }, name: reference };
  };

  const bank = await openBankBehind(
    ({ method, target, headers, body }, response) => {
      const path = target.split('?', 1)[0] ?? '';
      const header = (name: string) =>
        headers[headers.findIndex((one) => one.toLowerCase() === name) + 1] ?? '';
      const say = (status: number, value?: unknown) =>
        response
          .writeHead(status, {
            ...(value === undefined ? {} : { 'Content-Type': 'application/json' }),
            'X-Request-ID': header('x-request-id'),
          })
          .end(value === undefined ? undefined : JSON.stringify(value));
      if (path.endsWith('/token')) {
        const form = new URLSearchParams(body.toString());
        const given = form.get('code') ?? form.get('refresh_token') ?? '';
        const scope = codes.get(given) ?? tokens.get(given);
        return scope === undefined ? say(400, { error: 'invalid_grant' }) : say(200, issue(scope));
      }
      if (method === 'POST')
        return say(201, create(path.endsWith('/consents') ? 'consents' : 'payments/sepa-credit-transfers'));
      if (path.startsWith(`${V1}/accounts`)) {
        const id = header('consent-id');
        const token = header('authorization').replace('Bearer ', '');
        return tokens.get(token) === `AIS:${id}` ? say(200, readAs(id, path)) : say(403, {});
      }
      const id =
        path
          .replace(/\/status$/, '')
          .split('/')
          .at(-1) ?? '';
      if (method === 'DELETE') {
        states.set(id, 'deleted');
        return say(204);
      }
      const state = states.get(id);
      if (path.includes('/payments/'))
        return say(200, {
          transactionStatus: state === 'valid' ? 'ACCP' : 'RCVD',
          ...(path.endsWith('/status') ? {} : { name: markOf(id) }),
        });
      return say(200, { consentStatus: state === 'deleted' ? 'terminatedByTpp' : state });
    },
    { stance: 'observe', logLevel: 'fatal' },
  );
  return {
    ...bank,
    authorise: (scope) => {
      const code = randomUUID();
      codes.set(code, scope);
      states.set(scope.slice(4), 'valid');
      return code;
    },
    reject: (scope) => {
      states.set(scope.slice(4), 'rejected');
    },
  };
}

export const JOURNEYS = [
  'balances',
  'transactions',
  'refreshed',
  'payment',
  'cancelled',
  'looked at',
  'deleted',
  'rejected',
] as const;
export type JourneyName = (typeof JOURNEYS)[number];

export interface WalkParts {
  readonly gateway: TestGateway;
  /** How the PSU's way ends: at the bank where it is recorded, null where the redirect tells it. */
  readonly psu: Pick<NarrowBank, 'authorise' | 'reject'> | null;
  /** Each answer, by a name that is the same in each run. */
  readonly seen: (step: string, reply: Reply) => void;
  /** Of the client among others, which come in between; null: it is alone. */
  readonly turn: number | null;
}

/** One client's journey. All begin with the same creation, byte by byte, and only later calls tell journeys apart. */
export async function walk(journey: JourneyName, { gateway, psu, seen, turn }: WalkParts): Promise<void> {
  const call = async (step: string, target: string, options: CallOptions = {}) => {
    if (turn !== null) await pause((turn * 7 + step.length) % 5);
    const headers = { 'X-Request-ID': randomUUID(), 'PSU-IP-Address': '192.0.2.1', ...options.headers };
    const reply = await gateway.call(target, { ...options, headers });
    seen(step, reply);
    return reply;
  };
  const isPayment = journey === 'payment' || journey === 'cancelled';
  const created = await call('create', isPayment ? PRODUCT : `${V1}/consents`, {
    headers: { 'TPP-Redirect-URI': REDIRECT },
    json: isPayment ? PAYMENT : CONSENT,
  });
  const id: string = isPayment ? created.json.paymentId : created.json.consentId;
  const base = isPayment ? `${PRODUCT}/${id}` : `${V1}/consents/${id}`;
  await call('status before', `${base}/status`);
  if (journey === 'looked at') return;
  if (journey === 'deleted') {
    await call('delete', base, { method: 'DELETE' });
    await call('status at the end', `${base}/status`);
    return;
  }

  const scope = `${isPayment ? 'PIS' : 'AIS'}:${id}`;
  const query = new URLSearchParams({
    ...{ scope, client_id: 'PSDBE-NBB-0123456789', state: randomUUID(), redirect_uri: REDIRECT },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', response_type: 'code' },
    scenario: journey === 'rejected' ? 'SCA_REJECTED' : 'SCA_OK',
  });
  const away = await call('authorise', `/stdgroup/authorization/authorize/1?${query}`, { side: 'psu' });
  const back = new URL(away.headers.location ?? 'https://tpp.example/');
  if (journey === 'rejected') {
    psu?.reject(scope);
    await call('status at the end', `${base}/status`);
    return;
  }
  const code = psu?.authorise(scope) ?? back.searchParams.get('code') ?? '';
  const client = { client_id: 'PSDBE-NBB-0123456789' };
  const exchange = { grant_type: 'authorization_code', code, code_verifier: VERIFIER, ...client };
  let token = (await call('token', `${V1}/token`, { form: exchange })).json;
  const bearer = () => ({ Authorization: `Bearer ${token.access_token}` });
  await call('status after', `${base}/status`, { headers: bearer() });
  if (isPayment) {
    if (journey === 'cancelled') await call('cancel', base, { method: 'DELETE' });
    else await call('read', base, { headers: bearer() });
    return;
  }
  if (journey === 'refreshed') {
    const form = { grant_type: 'refresh_token', refresh_token: token.refresh_token, ...client };
    token = (await call('refresh', `${V1}/token`, { form })).json;
  }
  const headers = { ...bearer(), 'Consent-Id': id };
  const accounts = await call('accounts', `${V1}/accounts`, { headers });
  const account = `${V1}/accounts/${accounts.json.accounts?.[0]?.resourceId}`;
  const what = { transactions: '/transactions?bookingStatus=booked', refreshed: '' }[journey as string];
  await call('read', `${account}${what ?? '/balances'}`, { headers });
  if (journey === 'transactions') await call('delete', base, { method: 'DELETE' });
  await call('status at the end', `${base}/status`);
}

const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '2099-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  debtorAccount: { iban: 'BE14983120441783' },
  creditorAccount: { iban: 'BE86986509812450' },
  creditorName: 'Jane Doe',
};
