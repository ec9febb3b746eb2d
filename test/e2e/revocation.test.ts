/** A gateway that asks OCSP responders: what every kind of answer does to calls under off, soft and hard. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { CertificateFacts } from '../../src/certificate/index.js';
import { anAuthority, aQwac, DAY, keys, serial } from '../certificate/made.js';
import { folderOfTest } from '../folder.js';
import { BEHAVIOURS, startResponder } from '../revocation/responder.js';
import { startTestGateway, type TestGateway, testCertificates } from './harness.js';

const NOW = Date.now();
const PEM = { type: 'pkcs8', format: 'pem' } as const;
const term = { notBefore: NOW - DAY, notAfter: NOW + 300 * DAY };
const ISSUER = anAuthority('Test Root', term);
const ASKED = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const KINDS = Object.entries(BEHAVIOURS);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const kindOf = new Map(KINDS.map(([kind, [behaviour]]) => [hex(serial(kind)), behaviour]));

/** A certificate of each kind, by its place in the table. */
async function start(revocation: 'off' | 'soft' | 'hard', settings: Record<string, unknown> = {}) {
  const responder = await startResponder((number) => kindOf.get(number) ?? {}, Date.now);
  const folder = folderOfTest();
  const certs = join(folder, 'certs');
  mkdirSync(certs);
  const shared = await testCertificates();
  for (const name of ['ca.pem', 'ca.key', 'ca.crl', 'server.pem', 'server.key'])
    copyFileSync(join(shared, name), join(certs, name));
  writeFileSync(join(folder, 'issuer.pem'), ISSUER.pem);
  const { publicKey, privateKey } = keys('ec-p256', 'leaf');
  KINDS.forEach(([kind], i) => {
    const leaf = {
      authority: ISSUER,
      publicKey,
      serialNumber: serial(kind),
      ocspUrl: responder.url,
      ...term,
    };
    writeFileSync(join(certs, `kind-${i}.pem`), aQwac(leaf).pem);
    writeFileSync(join(certs, `kind-${i}.key`), privateKey.export(PEM));
  });
  const gateway = await startTestGateway({
    ...{ certs, revocation, ocspAllow: '127.0.0.0/8', trustAnchors: [join(folder, 'issuer.pem')] },
    ...settings,
  });
  onTestFinished(() => gateway.close());
  return { gateway, responder };
}

const factsOf = ({ call }: { call: { certificate: CertificateFacts | string } }) =>
  call.certificate as CertificateFacts;
const outcome = ({ status, codes }: { status: number; codes: readonly string[] }) =>
  [status, ...codes].join(' ');
const all = (gateway: TestGateway) =>
  Promise.all(KINDS.map(async (_, i) => outcome(await gateway.call(ASKED, { cert: `kind-${i}` }))));

it('off asks nobody', async () => {
  const { gateway, responder } = await start('off');
  expect(await all(gateway)).toEqual(KINDS.map(() => '200'));
  expect(responder.questions()).toBe(0);
});

it('under soft no call waits; a revoked certificate is refused once that is known, and all else passes with a note', async () => {
  const { gateway } = await start('soft');
  expect(await all(gateway)).toEqual(KINDS.map(() => '200'));
  const expected = KINDS.map(([, [, verdict]]) =>
    verdict === 'revoked' ? '401 CERTIFICATE_REVOKED' : '200',
  );
  await vi.waitFor(async () => {
    expect(await all(gateway)).toEqual(expected);
    const last = (await gateway.records()).slice(-KINDS.length).map(({ exchange }) => factsOf(exchange));
    expect(last.map(({ revocation }) => revocation.ocsp).sort()).toEqual(
      KINDS.map(([, [, verdict]]) => verdict as string).sort(),
    );
  }, 20_000);
  for (const { exchange, findings } of (await gateway.records()).slice(-KINDS.length)) {
    const { ocsp } = factsOf(exchange).revocation;
    const found = findings.filter(({ rule }) => rule === 'certificate/not-revoked');
    const severity = ocsp === 'good' ? [] : [ocsp === 'revoked' ? 'must' : 'note'];
    expect([ocsp, found.map((one) => one.severity)]).toEqual([ocsp, severity]);
    expect(found[0]?.actual ?? 'its OCSP responder').toContain('its OCSP responder');
  }
}, 40_000);

it('under hard only what is called good passes: the first call waits for that, and what nobody calls good gets 503', async () => {
  const { gateway, responder } = await start('hard');
  const expected = KINDS.map(([, [, verdict]]) =>
    verdict === 'good'
      ? '200'
      : verdict === 'revoked'
        ? '401 CERTIFICATE_REVOKED'
        : '503 SERVICE_UNAVAILABLE',
  );
  expect(await all(gateway)).toEqual(expected);
  expect(await all(gateway)).toEqual(expected);
  expect(responder.questions()).toBe(KINDS.length);
  const { text } = await gateway.call('/metrics', { side: 'admin' });
  expect(text).toContain('sandgate_ocsp_answers_total{verdict="revoked"} 1\n');
  expect(text).toContain('sandgate_ocsp_answers_total{verdict="try-later"} 1\n');
  const records = await gateway.records();
  const refused = records.filter(({ exchange }) => exchange.answer?.status === 503);
  expect(refused).toHaveLength(2 * expected.filter((one) => one.startsWith('503')).length);
  for (const { exchange, findings } of refused) {
    expect(exchange.answer?.source).toBe('gateway');
    expect(exchange.answer?.headers).toContainEqual(['Retry-After', '5']);
    expect(
      findings.filter(({ severity, rule }) => severity !== 'note' && rule.startsWith('certificate/')),
    ).toEqual([]);
  }
}, 40_000);

it('under hard a hundred first calls with one certificate make one question, and all pass', async () => {
  const { gateway, responder } = await start('hard');
  const calls = Array.from({ length: 100 }, () => gateway.call(ASKED, { cert: 'kind-0' }));
  expect(new Set((await Promise.all(calls)).map(outcome))).toEqual(new Set(['200']));
  expect(responder.questions()).toBe(1);
}, 40_000);

it('a bank profile says how its bank asks, and a certificate whose address is an inner one is not followed', async () => {
  const title = { title: 'Hard Bank', standard: 'Berlin Group 1.3.8', sources: [{ where: '-', tells: '-' }] };
  const { gateway, responder } = await start('hard', {
    ...{ revocation: undefined, ocspAllow: undefined },
    bankProfile: { name: 'hard-bank', ...title, revocation: 'hard' },
  });
  const reply = await gateway.call(ASKED, { cert: 'kind-0' });
  expect(outcome(reply)).toBe('503 SERVICE_UNAVAILABLE');
  expect(reply.text).toContain('has an address to which nothing may be sent');
  expect(responder.questions()).toBe(0);
});

it('under hard and strict TLS the first call learns that the certificate is revoked, and later handshakes end with an alert', async () => {
  const { gateway } = await start('hard', { strictTls: true });
  /** On a connection of its own. */
  const ask = (i: number) =>
    new Promise<number | string>((resolve) => {
      const [cert, key] = [gateway.file(`kind-${i}.pem`), gateway.file(`kind-${i}.key`)];
      const options = { cert, key, ca: gateway.file('ca.pem'), agent: false };
      get(new URL(ASKED, gateway.urls.api), options, (response) =>
        response.resume().on('end', () => resolve(response.statusCode ?? 0)),
      ).on('error', (error) => resolve(error.message));
    });
  const said = async () => await Promise.all(KINDS.map((_, i) => ask(i)));
  const first = KINDS.map(([, [, verdict]]) =>
    verdict === 'good' ? 200 : verdict === 'revoked' ? 401 : 503,
  );
  expect(await said()).toEqual(first);
  const later = (await said()).map((one) =>
    typeof one === 'string' && /certificate revoked/.test(one) ? 'alert 44' : one,
  );
  expect(later).toEqual(first.map((one) => (one === 401 ? 'alert 44' : one)));
}, 40_000);
