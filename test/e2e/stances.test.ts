/** What an operator sets for some calls, or for all, while the gateway runs or before: stances, and the kind of SCA links. */
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/app/index.js';
import { started, type TestGateway } from './harness.js';

const put = (gateway: TestGateway, json: unknown) =>
  gateway.call('/api/settings', { side: 'admin', method: 'PUT', json });

const READ = '/stdgroup/v1/consents/VALID_CONSENT_ID';
/** Who says no to calls that break a must: a header that is no IP address. */
async function refusers(gateway: TestGateway, cert = 'tpp'): Promise<(string | undefined)[]> {
  const headers = { 'X-Request-ID': 'not a uuid' };
  const answers = await Promise.all(
    [READ, `${READ}/status`].map((path) => gateway.call(path, { cert, headers })),
  );
  return answers.map(({ headers: got }) => got['sandgate-source']);
}

const STANCES = [{ stance: 'observe', match: { operation: 'consents.read', tpp: 'PSDBE-NBB-0123456789' } }];
const STRICT = { rules: { 'requests/request-id-is-uuid': 'must' } };

it('one TPP and one operation have a stance of their own, switched while the gateway runs', async () => {
  const gateway = await started(STRICT);
  expect(await refusers(gateway)).toEqual(['rule', 'rule']);
  expect((await put(gateway, { stances: STANCES })).json).toMatchObject({
    stance: 'enforce',
    stances: STANCES,
  });
  expect(await refusers(gateway)).toEqual(['emulator', 'rule']);
  expect(await refusers(gateway, 'tpp-other')).toEqual(['rule', 'rule']);
  const [session] = await gateway.app.store.sessions();
  expect(session?.notes.at(-1)).toMatchObject({ kind: 'changed', settings: { stances: STANCES } });
  await put(gateway, { stances: [] });
  expect(await refusers(gateway)).toEqual(['rule', 'rule']);
});

it('the first stance that fits counts, as the settings file has them', async () => {
  const stances = [
    { stance: 'enforce', match: { path: `${READ}/status` } },
    { stance: 'observe', match: { operation: 'consents.*' } },
  ];
  expect(await refusers(await started({ ...STRICT, stances }))).toEqual(['emulator', 'rule']);
});

it.each([
  [{}, 'operation, tpp or path is expected'],
  [{ operation: 'consents.reed' }, 'an operation, such as accounts.list'],
  [{ tpps: 'x' }, 'tpps'],
])('a stance for %j is refused, in the file and while running', async (match, words) => {
  const stances = [{ stance: 'observe', match }];
  expect(() => loadConfig({ flags: { stances } })).toThrow(words);
  const refused = await put(await started(), { stances });
  expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining(words)]);
});

it('the kind of SCA link is switched while the gateway runs', async () => {
  const gateway = await started({ bank: 'living' });
  const link = async () => {
    const { json } = await gateway.call('/stdgroup/v1/consents', {
      headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' },
      json: {
        access: { allPsd2: 'allAccounts' },
        ...{ recurringIndicator: true, validUntil: '9999-12-31', frequencyPerDay: 4 },
        combinedServiceIndicator: false,
      },
    });
    return json._links.scaOAuth.href;
  };
  expect(await link()).toContain('/.well-known/openid-configuration');
  expect((await put(gateway, { scaLink: 'direct' })).json.scaLink).toBe('direct');
  expect(await link()).toContain('/authorization/authorize/');
  await put(gateway, { scaLink: 'by-profile' });
  expect(await link()).toContain('/.well-known/openid-configuration');
});
