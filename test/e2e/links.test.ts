/** Every link that the bank gives works as it is given, with what the call itself brought; where not, a reading says why. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYMENT_PRODUCTS, type ReadingId, SANDBOX_CONSENTS } from '../../src/spec/index.js';
import { type CallOptions, CHALLENGE, type Reply, startTestGateway, type TestGateway } from './harness.js';

const V1 = '/stdgroup/v1';
const REDIRECT = 'https://tpp.example/back';
const LITERAL = '22222222-2222-2222-2222-222222222222';
const VALID_CONSENTS = Object.entries(SANDBOX_CONSENTS)
  .filter(([, { status }]) => status === 'valid')
  .map(([id]) => id);

interface Link {
  readonly name: string;
  readonly href: string;
  /** The call whose answer held it. */
  readonly from: { readonly target: string; readonly headers: Credentials };
}

interface Exception {
  readonly reading: ReadingId;
  readonly is: (link: Link) => boolean;
  /** What the link gives as it is: status, and code where it is an error. */
  readonly plain: string;
  /** What is to be added to it, and sent with it; absent where it is not to be followed. */
  readonly meant?: (link: Link) => { readonly query?: string; readonly headers: Credentials };
  /** What it gives then, where it is not a success. */
  readonly gives?: string;
}

type Credentials = Readonly<Record<string, string | undefined>>;

let gateway: TestGateway;
const tokens = new Map<string, string>();
const get = (href: string, headers: Credentials = {}) => gateway.call(href, { headers });
const readOf = (consent: string): Credentials =>
  gateway.accountHeaders(tokens.get(consent) ?? '', { 'Consent-Id': consent });
const pathOf = (href: string) => new URL(href).pathname;

const EXCEPTIONS: readonly Exception[] = [
  {
    reading: 'transactions-link',
    is: ({ name, href, from }) => name === 'transactions' && !href.includes('?') && !isOf90Days(from.headers),
    plain: '400 FORMAT_ERROR',
    meant: ({ from }) => ({ query: '?bookingStatus=both', headers: from.headers }),
  },
  {
    reading: 'history-expired-status',
    is: ({ name, from }) => name === 'transactions' && isOf90Days(from.headers),
    plain: '400 FORMAT_ERROR',
    meant: ({ from }) => ({ query: '?bookingStatus=both', headers: from.headers }),
    gives: '401 CONSENT_EXPIRED',
  },
  {
    reading: 'account-list',
    is: ({ name, href }) => name === 'account' && /\/ACCOUNT_ID_\d$/.test(pathOf(href)),
    plain: '401 CONSENT_INVALID',
  },
  {
    reading: 'consent-read-body',
    is: ({ name, from }) => name === 'account' && from.target.includes('/consents/'),
    plain: '400 FORMAT_ERROR TOKEN_INVALID',
    meant: ({ from }) => ({ headers: readOf(from.target.split('/consents/')[1] ?? '') }),
  },
];

const isOf90Days = (headers: Credentials) => headers['Consent-Id'] === 'CONSENT_ID_TRANSACTION_90D_KO';

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const consent of VALID_CONSENTS) tokens.set(consent, await tokenFor(consent));
});
afterAll(() => gateway.close());

const authorizeQuery = (scope: string) =>
  new URLSearchParams({
    scope,
    client_id: 'VALID_CLIENT_ID',
    state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    response_type: 'code',
  });

async function tokenFor(consent: string): Promise<string> {
  const query = authorizeQuery(`AIS:${consent}`);
  query.append('scenario', 'SCA_OK');
  const authorize = `/stdgroup/authorization/authorize/${LITERAL}?${query}`;
  const { headers } = await gateway.call(authorize, { side: 'psu' });
  return gateway.token(new URL(headers.location ?? '').searchParams.get('code') ?? '');
}

/** Calls whose answers hold links, each once; what they lead to is found by following. */
function walk(): { target: string; options: CallOptions }[] {
  const inDays = (days: number) => new Date(gateway.now() + days * 86_400_000).toISOString().slice(0, 10);
  const consent = {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: inDays(80),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const payment = {
    instructedAmount: { currency: 'EUR', amount: '123.50' },
    debtorAccount: { iban: 'BE14983120441783' },
    creditorAccount: { iban: 'BE86986509812450' },
    creditorName: 'Jane Doe',
  };
  const creations = [`consents`, ...Object.keys(PAYMENT_PRODUCTS).map((product) => `payments/${product}`)];
  const queries = [
    `bookingStatus=both&withBalance=true&itemsPerPage=2`,
    `bookingStatus=booked&dateFrom=${inDays(1)}`,
    `bookingStatus=booked&dateTo=${inDays(-200)}`,
    `bookingStatus=pending&page=7`,
    `bookingStatus=information`,
  ];
  const reads = [
    '/accounts?withBalance=true',
    '/accounts/ACCOUNT_ID',
    ...queries.map((query) => `/accounts/ACCOUNT_ID/transactions?${query}`),
  ];
  return [
    ...creations.flatMap((target) =>
      ['true', 'false'].map((explicit) => ({
        target: `/${target}`,
        options: {
          headers: {
            'TPP-Redirect-URI': REDIRECT,
            'PSU-IP-Address': '192.0.2.1',
            'TPP-Explicit-Authorisation-Preferred': explicit,
          },
          json: target === 'consents' ? consent : payment,
        },
      })),
    ),
    ...Object.keys(SANDBOX_CONSENTS).map((id) => ({ target: `/consents/${id}`, options: {} })),
    ...reads.map((target) => ({ target, options: { headers: readOf('VALID_CONSENT_ID') } })),
    ...VALID_CONSENTS.map((id) => ({ target: '/accounts', options: { headers: readOf(id) } })),
  ];
}

/** Every `{name: {href}}` of the answer, and Location of a creation. */
function linksIn({ json, headers, status }: Reply, from: Link['from']): Link[] {
  const found: Link[] = [];
  const look = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('href' in value) found.push({ name, href: String(value.href), from });
    for (const [inner, one] of Object.entries(value)) look(inner, one);
  };
  look('', json);
  if (status === 201) found.push({ name: 'Location', href: headers.location ?? found[0]?.href ?? '', from });
  return found;
}

const told = ({ status, codes }: Reply) => [status, ...codes].join(' ');
const follow = ({ name, href, from }: Link) =>
  name === 'startAuthorisation'
    ? gateway.call(href, { method: 'POST', headers: from.headers })
    : get(href, from.headers);

describe('the links of a walk through the whole bank', () => {
  it('work as they are given, and so do those behind them', async () => {
    const [names, readings] = [new Set<string>(), new Set<string>()];
    const seen = new Set<string>();
    const waiting: Link[] = [];
    const note = (reply: Reply, from: Link['from']) => {
      for (const link of linksIn(reply, from)) {
        const key = JSON.stringify([link.name, link.href, from.headers]);
        if (!seen.has(key)) waiting.push(link);
        seen.add(key);
      }
    };
    for (const { target, options } of walk()) {
      const reply = await gateway.call(V1 + target, options);
      expect([target, reply.status < 300], reply.text).toEqual([target, true]);
      note(reply, { target, headers: options.headers ?? {} });
    }
    for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
      const { name, href, from } = link;
      names.add(name);
      const exception = EXCEPTIONS.find(({ is }) => is(link as Link));
      const plain = await follow(link);
      const expected = exception?.plain ?? (name === 'startAuthorisation' ? '201' : '200');
      expect(`${name} ${href}: ${told(plain)}`).toBe(`${name} ${href}: ${expected}`);
      if (exception !== undefined) readings.add(exception.reading);
      if (exception === undefined) note(plain, { target: href, headers: from.headers });
      const meant = exception?.meant?.(link);
      if (meant === undefined) continue;
      const reply = await get(href + (meant.query ?? ''), meant.headers);
      expect(`${name} ${href}: ${told(reply)}`).toBe(`${name} ${href}: ${exception?.gives ?? '200'}`);
      note(reply, { target: href, headers: meant.headers });
    }
    expect([...names].sort()).toEqual([
      'Location',
      ...['account', 'balances', 'first', 'last', 'next', 'previous', 'scaOAuth', 'scaStatus', 'self'],
      ...['startAuthorisation', 'status', 'transactions'],
    ]);
    expect([...readings].sort(), 'exceptions that are none any more').toEqual(
      EXCEPTIONS.map(({ reading }) => reading).sort(),
    );
  });

  it('lead from the discovery document and the pages of the PSU on to the TPP', async () => {
    const discovery = await get(`/stdgroup/.well-known/openid-configuration?authorizationId=${LITERAL}`);
    const { authorization_endpoint, userinfo_endpoint } = discovery.json;
    expect((await get(userinfo_endpoint, readOf('VALID_CONSENT_ID'))).status).toBe(200);
    const first = new URL(`${authorization_endpoint}?${authorizeQuery('AIS:VALID_CONSENT_ID')}`);
    const page = await gateway.call(first.href, { side: 'psu' });
    const action = /<form method="get" action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const chosen = new URL(action, first);
    chosen.search = `${first.searchParams}&choice=SCA_OK`;
    const information = await gateway.call(chosen.href, { side: 'psu' });
    const onward = /<a class="button" href="([^"]+)"/.exec(information.text)?.[1]?.replaceAll('&amp;', '&');
    const end = await gateway.call(new URL(onward ?? '', first).href, { side: 'psu' });
    expect(end.headers.location).toContain(`${REDIRECT}?code=AIS_VALID_CODE&state=`);
  });
});
