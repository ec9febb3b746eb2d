/** The admin API is as its description says: every route is called, and each answer is held against its schema. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallOptions, type Reply, startTestGateway, type TestGateway } from './harness.js';

let gateway: TestGateway;
// biome-ignore lint/suspicious/noExplicitAny: looked into by path.
let api: any;
let ajv: Ajv2020;
/** Ids that calls of the test left behind. */
const known = { certificate: '', exchange: '', failed: '', consent: '', payment: '', session: 'test' };

const admin = (path: string, method: string, options: CallOptions = {}): Promise<Reply> =>
  gateway.call(path, {
    ...{ side: 'admin', method },
    ...options,
    headers: { ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }), ...options.headers },
  });

async function create(path: string, json: unknown): Promise<Reply> {
  const headers = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' };
  return gateway.call(path, { headers, json });
}

const aConsent = () => {
  const validUntil = new Date(gateway.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  return create('/stdgroup/v1/consents', {
    access: { allPsd2: 'allAccounts' },
    ...{ recurringIndicator: true, validUntil, frequencyPerDay: 4, combinedServiceIndicator: false },
  });
};

const aPayment = async () => {
  const { json } = await admin('/api/bank/psus?limit=2', 'GET');
  const [debtor, creditor] = json.map((psu: { accounts: { iban: string }[] }) => psu.accounts[0]?.iban);
  return create('/stdgroup/v1/payments/sepa-credit-transfers', {
    instructedAmount: { currency: 'EUR', amount: '1.00' },
    ...{ debtorAccount: { iban: debtor }, creditorAccount: { iban: creditor }, creditorName: 'Somebody' },
  });
};

beforeAll(async () => {
  gateway = await startTestGateway({ bank: 'living' });
  const created = await aConsent();
  known.consent = created.json.consentId;
  known.exchange = created.headers['sandgate-exchange'] ?? '';
  known.failed = (await create('/stdgroup/v1/consents', { access: {} })).headers['sandgate-exchange'] ?? '';
  known.payment = (await aPayment()).json.paymentId;
  known.certificate = (await admin('/api/certificates', 'GET')).json[0].fingerprint;
  api = (await admin('/api/openapi.json', 'GET')).json;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...api });
});
afterAll(() => gateway.close());

/** What each route is called with; where nothing is said, by its path alone, with the ids above. */
const CALLS: Readonly<
  Record<string, { query?: string; json?: unknown; status?: number; id?: () => string }>
> = {
  'PUT /api/settings': { json: { stance: 'enforce' } },
  'POST /api/reload': {},
  'PUT /api/clock': { json: { advance: '1s' } },
  'PUT /api/bank/next-outcome': { json: { scenario: 'SCA_NOK' } },
  'GET /api/replay': { status: 404 },
  'GET /api/exchanges/{id}/code': { query: '?as=vitest' },
  'GET /api/exchanges/{id}/compare': { query: '?with=last-good' },
  'POST /api/exchanges/{id}/resend': { json: { certificate: 'tpp' } },
  'POST /api/journeys': {},
  'POST /api/sessions': { json: { name: 'another' } },
  'POST /api/waivers': {
    json: { rule: 'consents/frequency-allowed', reason: 'The bank knows.', until: '2099-01-01' },
  },
  'POST /api/certificates': { json: { name: 'made', keyType: 'ec-p256' } },
  'POST /api/faults': { json: { id: 'kept', where: 'path:/nowhere', do: { kind: 'hang' } } },
  'POST /api/bank/accounts/{id}/book': { json: { amount: '-1.00', text: 'By hand' } },
  'POST /api/bank/payments/{id}/settle': { status: 409 },
  // It is not authorised yet.
  'POST /api/bank/consents/{id}/revoke': { status: 409 },
};

const idFor = (path: string): string => {
  if (path.endsWith('/compare')) return known.failed;
  if (path.includes('/accounts/')) return 'acc-1-1';
  if (path.includes('/consents/') || path.includes('/journeys/')) return known.consent;
  if (path.includes('/payments/')) return known.payment;
  if (path.includes('/faults/')) return 'kept';
  return known.exchange;
};

const routes = (): [method: string, path: string][] =>
  Object.entries<object>(api.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method): [string, string] => [method.toUpperCase(), path]),
  );

/** The one media type that is answered, and the address of its schema within the description. */
function answerOf(method: string, path: string, status: number): readonly [type: string, schema: string] {
  const place = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    status === 200 ? '200' : 'default',
    'content',
  ];
  const content = place.reduce((part, name) => part[name], api);
  const [type = ''] = Object.keys(content);
  const pointer = [...place, type, 'schema'].map((name) =>
    encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return [type, `api#/${pointer.join('/')}`];
}

/** Reads before writes, and what ends things last. */
const order = ([method, path]: [string, string]): number => {
  if (method === 'GET') return 0;
  if (method === 'DELETE' && path === '/api/faults') return 4;
  if (method === 'DELETE' || path === '/api/bank/reset' || path === '/api/sessions') return 3;
  return path.includes('restore') ? 2 : 1;
};

describe('the description of the admin API', () => {
  it('is OpenAPI 3.1, and refers to nothing that it does not hold', () => {
    expect(api.openapi).toBe('3.1.0');
    const text = JSON.stringify(api);
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, id]) => id),
    );
    expect([...references].filter((id) => api.components.schemas[id ?? ''] === undefined)).toEqual([]);
    const ids = routes().map(([method, path]) => api.paths[path][method.toLowerCase()].operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is what every route answers by', async () => {
    const wrong: string[] = [];
    const called: string[] = [];
    for (const [method, path] of routes().sort((a, b) => order(a) - order(b))) {
      if (path === '/api/events') continue;
      const name = `${method} ${path}`;
      const { query = '', json, status = 200 } = CALLS[name] ?? {};
      // What one action has ended, the next one needs anew.
      if (/\/(?:revoke|expire|reject)$/.test(path)) {
        if (path.includes('consents')) known.consent = (await aConsent()).json.consentId;
        else known.payment = (await aPayment()).json.paymentId;
      }
      const target = path
        .replace('{name}', path.startsWith('/api/sessions') ? 'test' : 'kept')
        .replace('{fingerprint}', known.certificate)
        .replace('{id}', encodeURIComponent(idFor(path)));
      const answer = await admin(target + query, method, json === undefined ? {} : { json });
      called.push(name);
      if (answer.status !== status) wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
      const [type, schema] = answerOf(method, path, answer.status);
      expect(answer.headers['content-type'], name).toContain(type);
      if (type !== 'application/json') continue;
      const validate = ajv.compile({ $ref: schema });
      if (!validate(answer.json)) wrong.push(`${name}: ${ajv.errorsText(validate.errors)}`);
    }
    expect(wrong).toEqual([]);
    expect(called.length).toBe(routes().length - 1);
  });

  it.each([
    ['/api/sessions', 'POST', { nam: 'x' }, '“nam” is not known here; the nearest name is “name”.'],
    ['/api/sessions', 'POST', { name: 3 }, 'name: a text is expected.'],
    ['/api/sessions', 'POST', { name: 'x'.repeat(201) }, /^name=x+: at most 200 characters are expected\.$/],
    [
      '/api/waivers',
      'POST',
      { rule: 'requests/known-path' },
      /^reason: it is missing; a text is expected; until: /,
    ],
    ['/api/bank/psus?from=-1', 'GET', undefined, 'from=-1: a whole number is expected.'],
    [
      '/api/bank/psus?limit=1001',
      'GET',
      undefined,
      'limit=1001: a whole number of 1000 at most is expected.',
    ],
  ])('%s %s with %j is refused in plain words', async (path, method, json, error) => {
    const refused = await admin(path, method, { json });
    expect(refused.status).toBe(400);
    expect(refused.json.error).toMatch(error);
  });

  it('has every parameter and body that is refused where it is wrong', async () => {
    for (const query of ['limit=many', 'limit=1001', 'q=nonsense:1', 'before=0000000ZZZZ'])
      expect((await admin(`/api/exchanges?${query}`, 'GET')).status, query).toBeGreaterThanOrEqual(400);
    expect((await admin('/api/exchanges/0000000ZZZZ', 'GET')).status).toBe(404);
    expect((await admin('/api/certificates/00', 'GET')).json.error).toMatch(
      /no certificate with the fingerprint 00/,
    );
    expect((await admin('/api/exchanges/%E0%A4%A', 'GET')).status).toBe(400);
  });
});
