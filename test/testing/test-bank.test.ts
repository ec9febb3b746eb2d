/** The living bank in the hands of a test. */
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readRecording } from '../../src/exchange/recording/index.js';
import { type Gateway, replaySession, startGateway } from '../../src/testing/index.js';
import { aPath } from '../store/stores.js';
import { callsOf } from './calls.js';

async function open() {
  const gateway = await startGateway({ bank: 'living' });
  onTestFinished(gateway.close);
  return { gateway, ...callsOf(gateway) };
}

async function createConsent(
  gateway: Gateway,
  call: ReturnType<typeof callsOf>['call'],
  as: { psu?: string } = {},
): Promise<string> {
  const validUntil = new Date(gateway.clock.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const { json } = await call('consents', {
    headers: { 'TPP-Redirect-URI': 'https://tpp.example/back', 'PSU-IP-Address': '192.0.2.1' },
    json: {
      access: { allPsd2: 'allAccounts' },
      ...{ recurringIndicator: true, validUntil, frequencyPerDay: 4, combinedServiceIndicator: false },
    },
  });
  const options = { clientId: 'VALID_CLIENT_ID', redirectUri: 'https://tpp.example/back', state: 'a-state' };
  const scope = `AIS:${json.consentId}`;
  const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  await gateway.authorise(json._links.scaOAuth.href, { ...options, ...as, scope, codeChallenge });
  return json.consentId;
}

it('shows consents, and lets their PSU take them back', async () => {
  const { gateway, call } = await open();
  const id = await createConsent(gateway, call);
  expect(gateway.bank.consents()).toMatchObject([{ consentId: id, consentStatus: 'valid', psu: 'psu-1' }]);
  expect(await gateway.bank.revokeConsent(id)).toMatchObject({ consentStatus: 'revokedByPsu' });
  expect((await call(`consents/${id}/status`)).json).toEqual({ consentStatus: 'revokedByPsu' });
  await expect(gateway.bank.expireConsent(id)).rejects.toThrow('The consent is revokedByPsu');
  expect(() => gateway.bank.payment('none')).toThrow('knows no payment');
});

it('lists consents by their creation, in pages that hold each once, those of a PSU or status alone', async () => {
  const { gateway, call } = await open();
  const ids: string[] = [];
  for (const psu of ['psu-1', 'psu-2', 'psu-3', 'psu-1']) {
    gateway.clock.advance('1h');
    ids.unshift(await createConsent(gateway, call, { psu }));
  }
  await gateway.bank.revokeConsent(ids[2] ?? '');
  const idsOf = (consents: readonly { consentId: string }[]) => consents.map(({ consentId }) => consentId);
  expect(idsOf(gateway.bank.consents())).toEqual(ids);
  const first = idsOf(gateway.bank.consents(0, 2));
  await createConsent(gateway, call, { psu: 'psu-4' });
  const second = idsOf(gateway.bank.consents(0, 2, { before: first[1] ?? '' }));
  expect([...first, ...second]).toEqual(ids);
  expect(idsOf(gateway.bank.consents(0, 9, { psu: 'psu-1' }))).toEqual([ids[0], ids[3]]);
  expect(idsOf(gateway.bank.consents(1, 9, { psu: 'psu-1' }))).toEqual([ids[3]]);
  expect(idsOf(gateway.bank.consents(0, 9, { status: 'revokedByPsu' }))).toEqual([ids[2]]);
  expect(gateway.bank.consents(0, 9, { tpp: 'PSDDE-BAFIN-1' })).toEqual([]);
});

it('sets the outcome of the next SCA ahead', async () => {
  const { gateway, call } = await open();
  await gateway.bank.nextOutcome('SCA_CANCEL', { psu: 'psu-1' });
  const id = await createConsent(gateway, call);
  expect(gateway.bank.consent(id)).toMatchObject({
    consentStatus: 'rejected',
    authorisations: [{ outcome: 'SCA_CANCEL' }],
  });
});

it('begins each test where the first one began, by a snapshot', async () => {
  const { gateway, call } = await open();
  const kept = await createConsent(gateway, call);
  await gateway.bank.snapshot('prepared');
  await createConsent(gateway, call);
  gateway.clock.advance('40d');
  expect(gateway.bank.consent(kept).consentStatus).toBe('expired');
  await gateway.bank.restore('prepared');
  expect(gateway.bank.consents()).toMatchObject([{ consentId: kept, consentStatus: 'valid' }]);
  await gateway.bank.reset();
  expect(gateway.bank.consents()).toEqual([]);
});

it('writes what befell it into the cassette, where it stood among the calls, and so when recorded again', async () => {
  vi.stubEnv('CI', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = aPath('journey.json');
  for (let run = 0; run < 2; run++) {
    const gateway = await replaySession(file, { mode: 'all', bank: 'living', stance: 'enforce' });
    const { call } = callsOf(gateway);
    const id = await createConsent(gateway, call);
    await gateway.bank.snapshot('prepared');
    await call(`consents/${id}/status`);
    // What is refused is not recorded, and what came before it stands before the next.
    await gateway.bank.restore('prepared');
    await call('nowhere');
    await gateway.bank.reset();
    await createConsent(gateway, call);
    await gateway.close();
    const { records } = readRecording(readFileSync(file, 'utf8'));
    const steps = records.map(({ steps = [] }) => steps.map(({ settings }) => settings));
    expect(steps.filter(({ length }) => length > 0)).toEqual([
      [{ action: 'snapshot', name: 'prepared', step: 1 }],
      [
        { action: 'restore', name: 'prepared', step: 2 },
        { action: 'reset', step: 3 },
      ],
    ]);
  }
});
