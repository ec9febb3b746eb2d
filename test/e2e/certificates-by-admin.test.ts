/** Test certificates that the admin listener makes: who gets one, what is in it, and what stays behind. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { issueOnce } from '../../src/app/certificates/issue.js';
import { renderKey } from '../../src/app/certificates/key-pairs.js';
import { toOrder } from '../../src/app/certificates/order.js';
import { NOW } from '../builders.js';
import { anAuthority, keys } from '../certificate/made.js';
import { type CallOptions, started, type TestGateway } from './harness.js';

const WANTED = { name: 'made', keyType: 'ec-p256', roles: 'AI' } as const;

const make = (gateway: TestGateway, json: object = {}, options: CallOptions = {}) =>
  gateway.call('/api/certificates', {
    side: 'admin',
    method: 'POST',
    json: { ...WANTED, ...json },
    ...options,
  });

it('gives a certificate of the test CA with its key, and keeps neither', async () => {
  const gateway = await started();
  const before = readdirSync(gateway.certs).sort();
  const { status, text, headers } = await make(gateway, { format: 'pem' });
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(headers['content-disposition']).toBe('attachment; filename="made.pem"');
  const certificate = new X509Certificate(text);
  expect(certificate.checkPrivateKey(createPrivateKey(text.slice(text.indexOf('-----BEGIN PRIVATE'))))).toBe(
    true,
  );
  expect(certificate.verify(new X509Certificate(gateway.file('ca.pem')).publicKey)).toBe(true);
  expect(readdirSync(gateway.certs).sort()).toEqual(before);
  const listed = await gateway.call('/api/certificates', { side: 'admin' });
  expect(listed.text).not.toContain(certificate.fingerprint256.replaceAll(':', '').toLowerCase());
});

it('is made one after the other, however many ask at once', async () => {
  const gateway = await started();
  const ended: string[] = [];
  const asked = ['rsa-3072', 'ec-p256'].map(async (keyType) => {
    expect((await make(gateway, { keyType })).status).toBe(200);
    ended.push(keyType);
  });
  const refused = make(gateway, { name: 'ca' });
  await Promise.all(asked);
  expect([ended, (await refused).status]).toEqual([['rsa-3072', 'ec-p256'], 400]);
});

it('is refused to pages of other sites, to forms, without the token, and where actions are', async () => {
  const token = '0123456789abcdef';
  const gateway = await started({ adminToken: token });
  const sent = { Authorization: `Bearer ${token}` };
  expect((await make(gateway)).status).toBe(401);
  expect((await make(gateway, {}, { headers: { ...sent, Origin: 'https://evil.example' } })).status).toBe(
    403,
  );
  expect(
    (await gateway.call('/api/certificates', { side: 'admin', headers: sent, form: WANTED })).status,
  ).toBe(415);
  expect((await make(gateway, {}, { headers: sent })).status).toBe(200);
  const closed = await started({ actions: false });
  expect((await make(closed)).status).toBe(403);
});

it('is made only where the emulator alone answers, by a CA that Sandgate made', async () => {
  const bank = await started({ source: 'upstream,emulator', upstream: 'https://localhost:9' });
  expect((await make(bank)).status).toBe(409);
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-other-ca-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ca = anAuthority('Other CA');
  writeFileSync(join(folder, 'ca.pem'), ca.pem);
  writeFileSync(join(folder, 'ca.key'), renderKey(keys('ec-p256', 'Other CA').privateKey));
  const order = toOrder(
    {
      ...WANTED,
      ...{ organisation: 'A', number: '1', country: 'BE', nca: 'NBB', qcType: 'web', encoding: 'standard' },
    },
    NOW,
  );
  await expect(issueOnce(folder, order, { format: 'pem', passphrase: '' })).rejects.toThrow(
    /its own test CA/,
  );
});

it.each([
  [{ name: '../ca' }, /cannot be the name/],
  [{ name: 'ca' }, /cannot be the name/],
  [{ roles: 'XX' }, /There is no role/],
  [{ days: '0' }, /is not a number of days/],
  [{ organisation: 'x'.repeat(65) }, /at most 64 characters/],
  [{ keyType: 'rsa-512' }, /keyType/],
])('says what is wrong with %j', async (json, error) => {
  const refused = await make(await started(), json);
  expect([refused.status, refused.json.error]).toEqual([400, expect.stringMatching(error)]);
});
