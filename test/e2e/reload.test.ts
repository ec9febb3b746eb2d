/** SIGHUP and POST /api/reload: certificates, lists, rules and routes change while calls go on, wholly or not at all. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAuthorityOf } from '../../src/app/certificates/issue.js';
import { makeKeyPair } from '../../src/app/certificates/key-pairs.js';
import { mintServer } from '../../src/app/certificates/mint.js';
import { gatewayNotes } from '../../src/exchange/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { startServing, temporaryFolder } from './child.js';
import { started, testCertificates } from './harness.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';

/** A folder of its own with the certificates of the run. */
async function ownFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'sandgate-reload-'));
  const all = await testCertificates();
  for (const name of readdirSync(all).filter((one) => /\.(?:pem|key|crl)$/.test(one)))
    copyFileSync(join(all, name), join(dir, name));
  const file = (name: string) => readFileSync(join(dir, name), 'utf8');
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
  const renewServer = async (days: readonly [number, number] = [-1, 47]) => {
    const pair = await mintServer(openAuthorityOf(dir), Date.now(), makeKeyPair, {
      ...{ days, dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] },
    });
    write('server.key', pair.keyPem);
    write('server.pem', pair.pem);
  };
  return { dir, file, write, renewServer };
}

type Folder = Awaited<ReturnType<typeof ownFolder>>;

/** The status of a call on a connection of its own, or of the agent's, and the serial number of the certificate that it met. */
const ask = (api: string, { file }: Folder, agent: Agent | false = false) =>
  new Promise<{ status: number; serial: string }>((resolve, reject) => {
    const { port } = new URL(api);
    const identity = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
    const headers = { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' };
    get({ ...identity, host: '127.0.0.1', port, path: PATH, agent, headers }, (response) => {
      const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber;
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, serial }));
    }).on('error', reject);
  });

async function reload(admin: string) {
  const answer = await request(`${admin}/api/reload`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
  });
  return { status: answer.statusCode, json: (await answer.body.json()) as Record<string, unknown> };
}

describe('POST /api/reload', () => {
  it('shows the new server certificate from the next handshake on, and open connections go on', async () => {
    const folder = await ownFolder();
    const { urls } = await started({ certs: folder.dir });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const before = await ask(urls.api, folder, agent);
    expect(await reload(urls.admin)).toEqual({ status: 200, json: { changed: [] } });
    await folder.renewServer();
    expect(await reload(urls.admin)).toMatchObject({
      status: 200,
      json: {
        changed: [{ part: 'server certificate', says: /^one until .* in place of one until / }].map(
          (one) => ({ ...one, says: expect.stringMatching(one.says) }),
        ),
      },
    });
    expect(await ask(urls.api, folder, agent)).toEqual({ status: 200, serial: before.serial });
    const after = await ask(urls.api, folder);
    expect([after.status, after.serial === before.serial]).toEqual([200, false]);
  });

  it('loses no call in a storm of handshakes', async () => {
    const folder = await ownFolder();
    const { urls } = await started({ certs: folder.dir });
    const serials = new Set<string>();
    const shaken = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) {
        const { status, serial } = await ask(urls.api, folder);
        expect(status).toBe(200);
        serials.add(serial);
      }
    };
    const renewed = async (): Promise<void> => {
      for (let i = 0; i < 4; i++) {
        await folder.renewServer();
        expect((await reload(urls.admin)).status).toBe(200);
      }
    };
    await Promise.all([...Array.from({ length: 16 }, shaken), renewed()]);
    expect(serials.size).toBeGreaterThan(2);
  });

  const BAD: readonly [string, (folder: Folder) => unknown, RegExp][] = [
    ['a revocation list', ({ write }) => write('ca.crl', 'no list'), /ca\.crl/],
    ['an anchor', ({ write }) => write('ca.pem', 'nobody'), /ca\.pem/],
    [
      'a key of another certificate',
      ({ write, file }) => write('server.key', file('tpp.key')),
      /server\.pem cannot be shown to clients/,
    ],
    [
      'a server certificate that has ended',
      ({ renewServer }) => renewServer([-40, -10]),
      /server\.pem cannot be shown to clients: it ended on/,
    ],
    ['own rules', ({ write }) => write('own.mjs', 'export default 3 3;'), /own\.mjs/],
  ];
  it.each(BAD)('changes nothing where one file is bad: %s', async (_, spoil, words) => {
    const folder = await ownFolder();
    folder.write('own.mjs', OWN_RULES('x-acme/first'));
    const rules = join(folder.dir, 'own.mjs');
    const cwd = process.cwd();
    process.chdir(folder.dir);
    onTestFinished(() => process.chdir(cwd));
    const gateway = await started({ certs: folder.dir, ownRules: rules });
    const { urls } = gateway;
    const before = await ask(urls.api, folder);
    const notes = async () => (await gateway.app.store.sessions())[0]?.notes.length;
    const noted = await notes();
    const client = {
      ...folder,
      file: (
        (texts) => (name: string) =>
          texts[name] ?? ''
      )({
        'ca.pem': folder.file('ca.pem'),
        'tpp.pem': folder.file('tpp.pem'),
        'tpp.key': folder.file('tpp.key'),
      } as Record<string, string>),
    };
    await folder.renewServer();
    folder.write('own.mjs', OWN_RULES('x-acme/second'));
    await spoil(folder);
    const refused = await reload(urls.admin);
    expect([refused.status, refused.json.error]).toEqual([400, expect.stringMatching(words)]);
    expect((await ask(urls.api, client)).serial).toBe(before.serial);
    expect(await ruleIds(urls.admin)).toEqual(['x-acme/first']);
    expect(await notes()).toBe(noted);
    expect(gateway.logged().at(-1)).toMatchObject({
      level: 'error',
      error: expect.stringMatching(words),
      msg: expect.stringMatching(/^Nothing was changed/),
    });
  });

  it('takes up own rules and the new revocation list, and notes in the session what judges now', async () => {
    const folder = await ownFolder();
    folder.write('own.mjs', OWN_RULES('x-acme/first'));
    const cwd = process.cwd();
    process.chdir(folder.dir);
    onTestFinished(() => process.chdir(cwd));
    const gateway = await started({ certs: folder.dir, ownRules: './own.mjs' });
    folder.write('own.mjs', OWN_RULES('x-acme/second'));
    expect((await reload(gateway.urls.admin)).json).toEqual({
      changed: [{ part: 'rules', says: 'other rules of your own' }],
    });
    await ask(gateway.urls.api, folder);
    const [record] = await gateway.records();
    expect(record?.findings.map(({ rule }) => rule)).toContain('x-acme/second');
    expect(await ruleIds(gateway.urls.admin)).toEqual(['x-acme/second']);
    const [session] = await gateway.app.store.sessions();
    const changed = gatewayNotes(session?.notes ?? []).flatMap(({ kind, settings }) =>
      kind === 'changed' ? [settings] : [],
    );
    expect(changed).toMatchObject([{ ownRules: [{ name: 'own.mjs' }] }]);
  });
});

const OWN_RULES = (id: string) => `export default {
  id: '${id}', statement: 'It is never so', source: { text: 'nowhere' }, appliesTo: 'all', why: 'To see it.', fix: 'None.',
  severity: { sandbox: 'note', production: 'note' },
  examples: [
    { says: 'a', call: { operation: 'accounts.list', headers: { 'X-Fine': 'yes' } }, verdict: 'complied' },
    { says: 'b', call: { operation: 'accounts.list' }, verdict: 'violated' },
  ],
  check: ({ call }) => call.header['x-fine'] !== undefined || { place: 'method', expected: 'another' },
};
`;

async function ruleIds(admin: string): Promise<string[]> {
  const { body } = await request(`${admin}/api/rules`);
  const all = (await body.json()) as { id: string }[];
  return all.map(({ id }) => id).filter((id) => id.startsWith('x-'));
}

describe('SIGHUP', () => {
  it('reads the settings file again: rules and waivers change, what is read at the start only is refused by name', async () => {
    const certs = await testCertificates();
    const folder = temporaryFolder();
    const settings = (given: object) =>
      writeFileSync(join(folder, 'sandgate.config.json'), JSON.stringify(given));
    settings({});
    const gateway = await startServing(certs, ['--log-level', 'info'], folder);
    onTestFinished(async () => {
      gateway.process.kill('SIGTERM');
      await gateway.ended;
    });
    const file = (name: string) => readFileSync(join(certs, name), 'utf8');
    const certificates = { ...(await ownFolder()), file };
    settings({ segment: 'other', rules: { 'certificate/key-strength': 'note' } });
    gateway.process.kill('SIGHUP');
    expect(await gateway.tells('Nothing was changed')).toMatch(/read at the start only[^}]*: segment/);
    settings({ rules: { 'certificate/key-strength': 'off' } });
    gateway.process.kill('SIGHUP');
    expect(await gateway.tells('were read again')).toContain('rules: other severities');
    expect((await ask(gateway.ready.api, certificates)).status).toBe(200);
    settings({ rules: { 'no/such-rule': 'off' } });
    gateway.process.kill('SIGHUP');
    expect(await gateway.tells('no/such-rule')).toContain('Nothing was changed');
    const store = createSqliteStore({ path: gateway.store, readonly: true });
    onTestFinished(store.close);
    const notes = gatewayNotes(store.sessions()[0]?.notes ?? []);
    expect(notes.filter(({ kind }) => kind === 'changed')).toMatchObject([
      { settings: { rules: { 'certificate/key-strength': 'off' } } },
    ]);
  });

  it('takes up routes and waivers of the settings file, and keeps waivers that an operator has added', async () => {
    const certs = await testCertificates();
    const folder = temporaryFolder();
    const settings = (given: object) =>
      writeFileSync(join(folder, 'sandgate.config.json'), JSON.stringify(given));
    const waiver = (rule: string) => ({ rule, reason: 'It is known.', until: '2099-01-01' });
    const first = waiver('certificate/key-strength');
    settings({ waivers: [first] });
    const gateway = await startServing(certs, ['--log-level', 'info'], folder);
    onTestFinished(async () => {
      gateway.process.kill('SIGTERM');
      await gateway.ended;
    });
    const url = `${gateway.ready.admin}/api/waivers`;
    const added = waiver('certificate/nca-known');
    const headers = { 'Content-Type': 'application/json' };
    await (await request(url, { method: 'POST', headers, body: JSON.stringify(added) })).body.text();
    const next = waiver('certificate/is-qwac');
    settings({ waivers: [next], sources: { 'accounts.list': 'upstream' } });
    expect((await reload(gateway.ready.admin)).status).toBe(400);
    settings({ waivers: [next], sources: { 'accounts.list': 'emulator' } });
    expect((await reload(gateway.ready.admin)).json).toEqual({
      changed: [
        { part: 'routes', says: 'other sources for single operations' },
        { part: 'rules', says: 'other waivers' },
      ],
    });
    expect(await (await request(url)).body.json()).toMatchObject({ waivers: [next, added] });
  });

  it.runIf(process.platform === 'linux').each(['by signal', 'by an operator'] as const)(
    'reaches all processes of --workers (%s)',
    async (how) => {
      const folder = await ownFolder();
      const gateway = await startServing(folder.dir, ['--workers', '2', '--log-level', 'info']);
      onTestFinished(async () => {
        gateway.process.kill('SIGTERM');
        await gateway.ended;
      });
      const before = await ask(gateway.ready.api, folder);
      await folder.renewServer();
      if (how === 'by signal') gateway.process.kill('SIGHUP');
      else expect((await reload(gateway.ready.admin)).status).toBe(200);
      // Each handshake comes to another process.
      await expect
        .poll(
          async () => {
            const asked = await Promise.all(Array.from({ length: 8 }, () => ask(gateway.ready.api, folder)));
            return asked.filter(({ serial }) => serial === before.serial).length;
          },
          { timeout: 20_000 },
        )
        .toBe(0);
    },
  );
});
