/** Access tokens that the gateway puts into calls that are sent again: of which they are, where they go, and where they never are. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { all } from '../rows.js';
import { openBankBehind } from './bank-behind.js';
import { started, type TestGateway } from './harness.js';
import { linked, livingTpp } from './living-tpp.js';

const ACCOUNTS = '/stdgroup/v1/accounts';
const FILL = { Authorization: 'Bearer {token}' };

const resend = (gateway: TestGateway, id: string | undefined, json: object = { headers: FILL }) =>
  gateway.call(`/api/exchanges/${id}/resend`, {
    ...{ side: 'admin', method: 'POST', json },
    headers: { 'Content-Type': 'application/json' },
  });
const shown = async (gateway: TestGateway, id: string) =>
  (await gateway.call(`/api/exchanges/${id}`, { side: 'admin' })).json;
const wrong = async (gateway: TestGateway, consent: string) => {
  const headers = { 'Consent-Id': consent, 'PSU-IP-Address': '192.0.2.1' };
  return (await gateway.call(ACCOUNTS, { headers })).headers['sandgate-exchange'];
};

describe('the emulator', () => {
  it('issues one by its refresh token, also when the first has expired, and the TPP goes on with its own', async () => {
    const gateway = await started({ bank: 'living' });
    const tpp = livingTpp(gateway, 'tpp');
    const { id: consent, tokens } = await linked(tpp, 'psu-1');
    const id = await wrong(gateway, consent);
    gateway.move(2 * 3_600_000);
    const sent = await resend(gateway, id);
    expect((await shown(gateway, sent.json.exchange)).status).toBe(200);
    expect((await tpp.refresh(tokens.refresh)).status).toBe(200);
  });

  it('issues one by a fixed code, and by its PSU where a consent waits', async () => {
    const fixed = await started();
    const first = await resend(fixed, await wrong(fixed, 'VALID_CONSENT_ID'));
    expect((await shown(fixed, first.json.exchange)).status).toBe(200);
    const gateway = await started({ bank: 'living' });
    const { id: consent } = await livingTpp(gateway, 'tpp').createConsent();
    const second = await resend(gateway, await wrong(gateway, consent));
    expect(second.status, second.text).toBe(200);
    expect((await shown(gateway, second.json.exchange)).status).toBe(200);
  });

  it('gives none for the consent of another TPP, and none where the call names no consent or certificate', async () => {
    const gateway = await started({ bank: 'living' });
    const { id: consent } = await linked(livingTpp(gateway, 'tpp'), 'psu-1');
    const id = await wrong(gateway, consent);
    for (const wanted of [
      { headers: FILL, certificate: 'tpp-other' },
      { headers: FILL, certificate: null },
      { headers: { ...FILL, 'Consent-Id': null } },
    ]) {
      const { status, json } = await resend(gateway, id, wanted);
      expect([status, json.error]).toEqual([409, expect.stringContaining('No access token can be put in')]);
    }
  });
});

const TOKEN = `bank-${'7'.repeat(40)}`;
const CONSENT = 'consent-of-the-bank';

async function bank(settings: object) {
  const behind = await openBankBehind(
    ({ target }, response) => {
      const isToken = target.endsWith('/token');
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const token = { access_token: TOKEN, token_type: 'Bearer', expires_in: 300, scope: `AIS:${CONSENT}` };
      response.end(JSON.stringify(isToken ? token : { accounts: [] }));
    },
    { stance: 'observe', ...settings },
  );
  onTestFinished(behind.close);
  const { gateway } = behind;
  await gateway.call('/stdgroup/v1/token', {
    form: { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID', refresh_token: 'whatever' },
  });
  return { ...behind, id: await wrong(gateway, CONSENT) };
}

describe('a bank’s token', () => {
  it('is kept by nobody unless the operator says so', async () => {
    const { gateway, id, seen } = await bank({});
    const before = seen.length;
    const { status, json } = await resend(gateway, id);
    expect([status, json.error]).toEqual([409, expect.stringContaining('--keep-tokens')]);
    expect(seen.length).toBe(before);
  });

  it('goes to its bank in the one header, with the certificate of its TPP, and is neither shown nor stored', async () => {
    const { gateway, id, seen } = await bank({ keepTokens: true });
    const { headers, open } = (await gateway.call(`/api/exchanges/${id}/mend`, { side: 'admin' })).json;
    expect([headers.at(-1), open]).toEqual([['Authorization', FILL.Authorization], []]);
    const sent = await resend(gateway, id, {
      headers: {
        ...FILL,
        'TPP-Redirect-URI': 'https://elsewhere.example/{token}',
        'X-Other': FILL.Authorization,
      },
    });
    expect(sent.status, sent.text).toBe(200);
    const { headers: fields = [] } = seen.at(-1) ?? {};
    const holding = fields.filter((_, i) => fields[i + 1]?.includes(TOKEN));
    expect(holding.map((name) => name.toLowerCase())).toEqual(['authorization']);
    const records = JSON.stringify(await all(gateway.app.store.read('test')));
    const api = JSON.stringify(await shown(gateway, sent.json.exchange));
    for (const text of [records, api, sent.text]) expect(text).not.toContain(TOKEN);
    const other = await resend(gateway, id, { headers: FILL, certificate: 'tpp-other' });
    expect(other.status).toBe(409);
    const elsewhere = await resend(gateway, id, { headers: { ...FILL, 'Consent-Id': 'another' } });
    expect(elsewhere.status).toBe(409);
  });
});
