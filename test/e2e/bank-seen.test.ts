/** Reports and tickets name the bank as it was asked, and the certificate that the bank saw: ours, not the TPP's. */
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFiles, type Pair } from '../answer/upstream/certificates.js';
import { sandgate } from '../cli/run-command.js';
import { bankCertificates, openBankBehind } from './bank-behind.js';
import { temporaryFolder } from './child.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';
const { client, secondClient } = bankCertificates;

const fingerprintOf = ({ cert }: Pick<Pair, 'cert'>) =>
  new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();

async function recorded(settings: Record<string, unknown> = {}) {
  const store = join(temporaryFolder(), 'sandgate.db');
  const bank = await openBankBehind(
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    { store, ...settings },
  );
  return { ...bank, store };
}

const lineOf = (ticket: string, name: string) =>
  ticket.split('\n').find((line) => line.startsWith(`- ${name}: `)) ?? '';

describe('what the bank saw', () => {
  it('is named in a ticket: where it was asked, and our certificate besides that of the TPP', async () => {
    const { gateway, store, url, close } = await recorded();
    await gateway.call(PATH);
    const [one] = await gateway.records();
    await close();
    const { out, err } = await sandgate(['ticket', one?.exchange.call.id ?? '', '--store', store]);
    expect(err).toBe('');
    expect(lineOf(out, 'Asked of the bank')).toContain(`GET ${url.origin}${PATH}`);
    expect(lineOf(out, 'Certificate that the bank saw')).toContain(fingerprintOf(client));
    expect(lineOf(out, 'TPP’s certificate')).not.toContain(fingerprintOf(client));
    expect(lineOf(out, 'TPP’s certificate')).toContain('SHA-256');
  });

  it('stands in the report under “Against whom”, with each certificate that was shown', async () => {
    const files = createFiles();
    const own = {
      cert: files.write('own.pem', secondClient.cert),
      key: files.write('own.key', secondClient.key),
    };
    const { gateway, store, url, close } = await recorded({
      upstreamCertificates: { 'PSDBE-NBB-0123456789': own },
    });
    await gateway.call(PATH);
    await gateway.call(PATH, { cert: 'tpp-other' });
    await gateway.call(PATH, { cert: null });
    const ids = (await gateway.records()).map(({ exchange }) => exchange.call.id);
    await close();
    const saw = async (id = '') =>
      lineOf((await sandgate(['ticket', id, '--store', store])).out, 'Certificate that the bank saw');
    expect(await saw(ids[0])).toContain(fingerprintOf(secondClient));
    expect(await saw(ids[1])).toContain(fingerprintOf(client));
    // A stranger is refused, and the bank is not asked.
    const refused = await sandgate(['ticket', ids[2] ?? '', '--store', store]);
    expect(refused).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining('Sandgate answered it itself'),
    });
    const { out } = await sandgate(['report', 'test', '--store', store, '--format', 'json']);
    const [upstream, rule] = JSON.parse(out).against;
    expect(upstream).toMatchObject({ source: 'upstream', banks: [url.href] });
    expect(upstream.shown.map(({ fingerprint }: { fingerprint: string }) => fingerprint).sort()).toEqual(
      [fingerprintOf(client), fingerprintOf(secondClient)].sort(),
    );
    expect(rule).toMatchObject({ source: 'rule', banks: [], shown: [] });
    const { out: html } = await sandgate(['report', 'test', '--store', store, '--format', 'html']);
    for (const text of [url.href, fingerprintOf(client)]) expect(html).toContain(text);
    files.remove();
  });

  it('is the certificate of that time, where its file was renewed meanwhile', async () => {
    const files = createFiles();
    const cert = files.write('shown.pem', client.cert);
    const key = files.write('shown.key', client.key);
    const { gateway, store, close } = await recorded({ upstreamCert: cert, upstreamKey: key });
    await gateway.call(PATH);
    writeFileSync(cert, secondClient.cert);
    writeFileSync(key, secondClient.key);
    expect(await gateway.app.reload()).toMatchObject([{ part: 'certificates for the bank' }]);
    await expect.poll(async () => (await gateway.app.store.sessions())[0]?.notes.length).toBe(2);
    await gateway.call(PATH);
    const ids = (await gateway.records()).map(({ exchange }) => exchange.call.id);
    await close();
    const saw = async (id = '') => (await sandgate(['ticket', id, '--store', store])).out;
    expect(await saw(ids[0])).toContain(fingerprintOf(client));
    expect(await saw(ids[1])).toContain(fingerprintOf(secondClient));
    files.remove();
  });

  it('is nothing where the emulator answered', async () => {
    const { gateway, store, close } = await recorded({ source: 'emulator' });
    await gateway.call(PATH);
    const [one] = await gateway.records();
    await close();
    const { out } = await sandgate(['ticket', one?.exchange.call.id ?? '', '--store', store]);
    expect(lineOf(out, 'Asked of the bank')).toContain('nothing: the answer is from emulator');
    expect(out).not.toContain('Certificate that the bank saw');
  });

  it('is none where no certificate is configured', async () => {
    const { gateway, store, close } = await recorded({ upstreamCert: undefined, upstreamKey: undefined });
    await gateway.call(PATH);
    const [one] = await gateway.records();
    await close();
    const { out } = await sandgate(['ticket', one?.exchange.call.id ?? '', '--store', store]);
    expect(lineOf(out, 'Certificate that the bank saw')).toContain('none');
  });
});
