/** A gateway with a snapshot of trusted lists: what it makes of calls, and that it asks no network for it. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type IssuingAuthority, renderTrustList, type TrustSnapshot } from '../../src/certificate/index.js';
import { anAuthority, aQwac, DAY, keys } from '../certificate/made.js';
import { folderOfTest } from '../folder.js';
import { startTestGateway, testCertificates } from './harness.js';

const NOW = Date.now();
const iso = (days: number) => new Date(NOW + days * DAY).toISOString();
const PEM = { type: 'pkcs8', format: 'pem' } as const;
const term = { notBefore: NOW - DAY, notAfter: NOW + 300 * DAY };
const GRANTED = anAuthority('Granted CA', term);
const WITHDRAWN = anAuthority('Withdrawn CA', term);

const service = (
  authority: IssuingAuthority,
  status: string,
): TrustSnapshot['lists'][number]['services'][number] => ({
  provider: 'Test Trust',
  name: 'QWACs',
  certificates: [Buffer.from(authority.der).toString('base64')],
  periods: [{ since: iso(-5), status, purposes: ['web'] }],
});
const edition = { sequence: 1, issued: iso(-30), nextUpdate: iso(-1), digest: '' };
const SNAPSHOT: TrustSnapshot = {
  type: 'sandgate-trust-list',
  version: 1,
  madeAt: iso(-2),
  listOfLists: { country: 'EU', ...edition },
  lists: [
    { country: 'BE', ...edition, services: [service(GRANTED, 'granted'), service(WITHDRAWN, 'withdrawn')] },
  ],
};

it('a QWAC is trusted while a list grants its CA; the verdict names list and snapshot, and a stale list is warned of', async () => {
  const folder = folderOfTest();
  const certs = join(folder, 'certs');
  mkdirSync(certs);
  const shared = await testCertificates();
  for (const name of ['ca.pem', 'ca.key', 'ca.crl', 'server.pem', 'server.key'])
    copyFileSync(join(shared, name), join(certs, name));
  const key = keys('ed25519').privateKey.export(PEM).toString();
  writeFileSync(join(folder, 'sign.key'), key);
  writeFileSync(join(folder, 'lists.json'), renderTrustList(SNAPSHOT, key));
  for (const [name, authority] of [
    ['granted', GRANTED],
    ['withdrawn', WITHDRAWN],
  ] as const) {
    const pair = keys('ec-p256', name);
    writeFileSync(join(certs, `${name}.pem`), aQwac({ authority, publicKey: pair.publicKey, ...term }).pem);
    writeFileSync(join(certs, `${name}.key`), pair.privateKey.export(PEM));
  }
  const gateway = await startTestGateway({
    certs,
    trustList: join(folder, 'lists.json'),
    trustListKey: join(folder, 'sign.key'),
    logLevel: 'warn',
  });
  onTestFinished(() => gateway.close());
  expect(gateway.logged().map(({ msg }) => msg)).toContainEqual(
    expect.stringMatching(/^These trusted lists were due for an update: EU \(.*\), BE \(.*\)\. Renew/),
  );

  const opened = vi.spyOn(Socket.prototype, 'connect');
  const ports = () => opened.mock.calls.map(([to]: readonly unknown[]) => Object([to].flat()[0]).port);
  onTestFinished(() => opened.mockRestore());
  const good = await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', { cert: 'granted' });
  expect(good.status).toBe(200);
  const bad = await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', { cert: 'withdrawn' });
  expect([bad.status, bad.codes]).toEqual([401, ['CERTIFICATE_INVALID']]);
  // The test's own connections, and none of the gateway.
  expect(new Set(ports())).toEqual(new Set([new URL(gateway.urls.api).port]));

  const records = await gateway.records();
  const reasons = records.map(({ exchange }) => {
    const { certificate } = exchange.call;
    return typeof certificate === 'string' ? certificate : certificate.chain.reason;
  });
  expect(reasons[0]).toMatch(
    /granted for web site authentication since .* by the trusted list of BE \(service “QWACs” of Test Trust; snapshot [0-9a-f]{12} of .*, 2 days old\)\. This list was due for an update/,
  );
  expect(reasons[1]).toMatch(/^Its CA CN=Withdrawn CA.* is withdrawn for web site authentication since/);
});
