/** Signed requests over real TLS, to a bank that asks for them; and judged again from what was recorded. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pairHeaders } from '../../src/exchange/index.js';
import { sealCall } from '../../src/testing/seal-call.js';
import { openBankBehind } from './bank-behind.js';
import { type CallOptions, startTestGateway, type TestGateway } from './harness.js';
import { judgedInAllWays, judgedLive } from './judged-again.js';

const PROFILE = {
  name: 'signed',
  title: 'A bank that asks for signatures',
  standard: 'Berlin Group 1.3.8',
  sources: [{ where: 'a test', tells: 'all of it' }],
  headers: { digest: 'required', signature: 'required' },
};
const PATH = '/stdgroup/v1/consents';
const BODY = `{
  "access": { "allPsd2": "allAccounts" }, "recurringIndicator": true, "validUntil": "9999-12-31",
  "frequencyPerDay": 4, "combinedServiceIndicator": false
}`;
const SEAL = 'bad-eseal';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ bankProfile: PROFILE });
});
afterAll(() => gateway.close());

let last = 0;
const freshId = () => `99391c7e-ad88-49ec-a2ad-${String(++last).padStart(12, '0')}`;

interface SignedOptions extends CallOptions {
  /** The body that is signed. */
  signs?: string | Uint8Array;
  seal?: string;
  target?: string;
  via?: TestGateway;
  change?: (sealed: Record<string, string>) => Record<string, string | undefined>;
}

function signed({
  target = PATH,
  signs,
  seal = SEAL,
  change = (sealed) => sealed,
  via = gateway,
  ...options
}: SignedOptions) {
  const method = options.body === undefined ? 'GET' : 'POST';
  const headers: Record<string, string> = {
    'x-request-id': freshId(),
    'psu-ip-address': '192.0.2.1',
    'tpp-redirect-uri': 'https://tpp.example/cb',
    ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const by = { cert: via.file(`${seal}.pem`), key: via.file(`${seal}.key`) };
  const sealed = sealCall({ method, target, headers, body: signs ?? options.body }, by);
  return via.call(target, {
    ...options,
    headers: { 'X-Request-ID': undefined, ...headers, ...change(sealed), ...options.headers },
  });
}

describe('a bank that asks for signatures', () => {
  it('answers a call that is signed by the QSealC of who calls', async () => {
    expect((await signed({ body: BODY })).status).toBe(201);
    expect((await signed({ target: `${PATH}/VALID_CONSENT_ID` })).status).toBe(200);
    const [record] = (await gateway.records()).slice(-1);
    expect(record?.findings.filter(({ severity }) => severity === 'must')).toEqual([]);
    expect(record?.verdicts).toMatchObject({
      'signature/certificate-trusted': 'complied',
      'signature/certificate-same-organisation': 'complied',
      'signature/digest-matches-body': 'complied',
      'signature/verifies': 'complied',
    });
  });

  it('takes the digest of the bytes on the wire', async () => {
    const bytes = gzipSync(BODY);
    const headers = { 'content-encoding': 'gzip' };
    expect((await signed({ body: bytes, headers })).status).toBe(201);
    const before = await signed({ body: bytes, signs: BODY, headers });
    expect([before.status, before.codes]).toEqual([401, ['SIGNATURE_INVALID']]);
    expect(before.text).toContain('before the body was compressed');
  });

  it.each([
    ['no signature', () => ({}), [401, 'SIGNATURE_MISSING']],
    ['no digest', ({ digest: _, ...rest }: Record<string, string>) => rest, [400, 'FORMAT_ERROR']],
    [
      'no certificate',
      ({ 'tpp-signature-certificate': _, ...rest }: Record<string, string>) => rest,
      [401, 'CERTIFICATE_MISSING'],
    ],
  ] as const)('refuses a call with %s', async (_name, change, refusal) => {
    const { status, codes } = await signed({ body: BODY, change });
    expect([status, codes[0]]).toEqual(refusal);
  });

  it('says what the likely cause is', async () => {
    const reply = await signed({ body: BODY, signs: JSON.stringify(JSON.parse(BODY)) });
    expect([reply.status, reply.codes]).toEqual([401, ['SIGNATURE_INVALID']]);
    expect(reply.text).toContain('without blanks between its elements');
  });

  it('refuses the seal of another organisation, and the QWAC as a seal', async () => {
    const other = await signed({ body: BODY, cert: 'tpp-other' });
    expect(other.text).toContain('as in the QWAC');
    const qwac = await signed({ body: BODY, seal: 'tpp' });
    expect([qwac.status, qwac.codes[0]]).toEqual([401, 'CERTIFICATE_INVALID']);
  });

  it('records no hash of a body that holds a secret', async () => {
    await signed({ body: BODY.replace('{', '{ "psuData": { "password": "1234" },') });
    const [record] = (await gateway.records()).slice(-1);
    expect(record?.verdicts['signature/verifies']).toBe('complied');
    expect(record?.exchange.call.header.digest).toMatch(/^fp_/);
    expect(record?.exchange.call.header.signature).toMatch(/^fp_/);
  });

  it('is judged alike from store, HAR and cassette', async () => {
    await gateway.app.recorder.drain();
    const { store } = gateway.app;
    const [{ name = '' } = {}] = await store.sessions();
    const live = await judgedLive(store, name);
    expect(live.flatMap(({ found }) => found)).toContain('signature/digest-matches-body');
    for (const [way, again] of Object.entries(await judgedInAllWays(store, name)))
      expect(again, way).toEqual(live);
  });
});

describe('a bank that takes signatures', () => {
  it('answers calls without, and judges those that are sent', async () => {
    const other = await startTestGateway({
      bankProfile: { ...PROFILE, headers: { digest: 'optional', signature: 'optional' } },
    });
    const headers = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'Content-Type': 'application/json' };
    expect((await other.call(PATH, { body: BODY, headers })).status).toBe(201);
    const wrong = { ...headers, 'X-Request-ID': freshId(), Digest: 'SHA-256=00' };
    expect((await other.call(PATH, { body: BODY, headers: wrong })).codes).toEqual(['FORMAT_ERROR']);
    await other.close();
  });
});

describe('a bank behind the gateway', () => {
  it('gets what was signed, byte by byte', async () => {
    const headers = { 'content-type': 'application/json' };
    const behind = await openBankBehind((_, response) => response.writeHead(201, headers).end('{}'), {
      bankProfile: PROFILE,
      stance: 'enforce',
    });
    const bytes = gzipSync(BODY);
    await signed({ via: behind.gateway, body: bytes, headers: { 'content-encoding': 'gzip' } });
    const [record] = await behind.gateway.records();
    expect(record?.verdicts['signature/verifies']).toBe('complied');
    const [{ body, headers: raw } = { body: null, headers: [] }] = behind.seen;
    expect(body).toEqual(bytes);
    const arrived = Object.fromEntries(pairHeaders(raw).map(([name, value]) => [name.toLowerCase(), value]));
    for (const name of [
      'digest',
      'signature',
      'tpp-signature-certificate',
      'x-request-id',
      'tpp-redirect-uri',
    ])
      expect(arrived[name], name).toBe(record?.exchange.call.header[name]);
    await signed({ via: behind.gateway, body: BODY, change: () => ({}) });
    expect(behind.seen).toHaveLength(1);
    await behind.close();
  });
});
