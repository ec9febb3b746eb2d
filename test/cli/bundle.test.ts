/** `sandgate bundle`, and `sandgate verify` of what it wrote: whatever is changed in it is found and named. */
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openZip, zipped } from '../../src/files/index.js';
import { attachedFiles, renderDossier } from '../../src/report/dossier/index.js';
import { digestOf, type Report } from '../../src/report/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aKeyPair, signSession } from '../evidence/signed-session.js';
import { mintAuthority } from '../evidence/time-stamp/authority.js';
import { folderOfFile, folderOfTest } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const QUARTER = 90 * 86_400_000;
const authority = await mintAuthority({ from: NOW - QUARTER, to: NOW + 2 * QUARTER });

const bundle = async (store: string, out: string, ...args: readonly string[]) => {
  const {
    status,
    out: said,
    err,
  } = await sandgate(['bundle', 'june', '--store', path(store), '--out', path(out), ...args]);
  return { status, said: said + err };
};
const verify = async (file: string, ...args: readonly string[]) => {
  const { status, out, err } = await sandgate(['verify', path(file), ...args]);
  return { status, said: out + err };
};

const signer = ['--key', path('signer.pub')];
const gateway = ['--evidence-key', path('gateway.pub')];
const stamped = ['--timestamp-ca', path('tsa.pem')];
const outside = ['--checkpoints', path('signed.checkpoints')];

async function recorded(name: string, sent: typeof VALID, pem: string | null): Promise<void> {
  const store = createSqliteStore({ path: path(name) });
  const reason = 'fixed with release 4';
  const waivers = [{ rule: 'answers/request-id-echoed', reason, until: '2027-01-31' }];
  record(store, sent, { waivers });
  const order = { pem: pem ?? '', stamps: { by: authority, at: NOW + 1_000 } };
  if (pem !== null) writeFileSync(path(name.replace('.db', '.checkpoints')), await signSession(store, order));
  store.close();
}

beforeAll(async () => {
  for (const name of ['gateway', 'signer', 'stranger']) {
    const { pem, publicPem } = aKeyPair();
    writeFileSync(path(`${name}.pem`), pem);
    writeFileSync(path(`${name}.pub`), publicPem);
  }
  writeFileSync(path('tsa.pem'), authority.ca);
  await recorded('signed.db', VALID, readFileSync(path('gateway.pem'), 'utf8'));
  await recorded('bare.db', VALID, null);
  const made = await bundle('signed.db', 'june.zip', ...gateway, ...stamped, '--sign', path('signer.pem'));
  expect(made.said).toMatch(/^Witnessed, and time-stamped: .+\nWrote 14 exchanges of june to .+june.zip.\n$/);
  expect((await bundle('bare.db', 'bare.zip')).status).toBe(0);
});

type Files = Map<string, Buffer>;

async function filesIn(name: string): Promise<Files> {
  const handle = openSync(path(name), 'r');
  const zip = openZip(handle, name);
  const files: Files = new Map();
  for (const file of zip.files) files.set(file.name, await zip.bytes(file.name, 10_000_000));
  closeSync(handle);
  return files;
}

async function write(name: string, files: Files): Promise<void> {
  const parts: Uint8Array[] = [];
  for await (const part of zipped([...files].map(([file, bytes]) => ({ name: file, pieces: [bytes] }))))
    parts.push(part);
  writeFileSync(path(name), Buffer.concat(parts));
}

/** A bundle of a forger, who writes the manifest anew. */
function listAnew(files: Files): void {
  const manifest = JSON.parse(String(files.get('manifest.json')));
  manifest.files = [...files]
    .filter(([name]) => !name.startsWith('manifest.json'))
    .map(([name, bytes]) => ({ name, what: 'x', size: bytes.length, sha256: digestOf(bytes) }));
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
}

/** What verify says of a bundle that somebody changed; `isListed`: who wrote the manifest anew. */
async function changed(
  from: string,
  change: (files: Files) => unknown,
  isListed: boolean,
  ...args: readonly string[]
) {
  const files = await filesIn(from);
  change(files);
  if (isListed) listAnew(files);
  await write('changed.zip', files);
  return verify('changed.zip', ...args);
}

const edit = (files: Files, name: string, by: (text: string) => string): void => {
  const text = String(files.get(name));
  expect(by(text)).not.toBe(text);
  files.set(name, Buffer.from(by(text)));
};

const callsIn = (files: Files): number => JSON.parse(String(files.get('cassette.json'))).exchanges.length;

const NAMES = [
  ...['report.json', 'report.html', 'report.pdf', 'cassette.json', 'session.ndjson', 'checkpoints.jws'],
  ...['time-stamps.json', 'rules.json'],
] as const;

describe('a bundle', () => {
  it('is sound anywhere, without a store, for whoever trusts its keys', async () => {
    const { status, said } = await verify('june.zip', ...signer, ...gateway, ...stamped, ...outside);
    expect(said).toMatch(
      /^archive +sound .+\nsignature +sound .+\nchain +sound .+\ncheckpoints +sound .+\ntime stamps +sound .+\n/,
    );
    expect(said).toMatch(/contents +sound .+\nfiles +sound .+\nAll checks passed\.\n$/);
    expect(said).toMatch(/signed with .+signer\.pub.+ The key has the SHA-256 [0-9a-f]{64}/);
    expect(status).toBe(0);
  });

  it('holds the cipher of an enciphered session, and its chain is sound', async () => {
    const store = createSqliteStore({ path: path('cipher.db'), encrypt: true });
    record(store, VALID);
    store.close();
    const made = await bundle('cipher.db', 'cipher.zip');
    expect([made.status, made.said]).toEqual([0, expect.stringContaining('the bundle holds no keys')]);
    const { status, said } = await verify('cipher.zip');
    expect([status, said]).toEqual([0, expect.stringMatching(/^chain +sound .+\ncontents +sound /m)]);
    expect(callsIn(await filesIn('cipher.zip'))).toBe(0);
  });

  it('holds the keys of the contents too if it is asked to, warns of it, and can be read and verified in full', async () => {
    const store = createSqliteStore({ path: path('open.db'), encrypt: true });
    record(store, VALID);
    store.close();
    const made = await bundle('open.db', 'open.zip', '--with-keys');
    expect([made.status, made.said]).toEqual([
      0,
      expect.stringContaining('can read all of it, personal data too'),
    ]);
    const files = await filesIn('open.zip');
    expect(callsIn(files)).toBe(VALID.length);
    await sandgate(['report', 'june', '--store', path('open.db'), '--out', path('of-open.json')]);
    expect(files.get('report.json')?.equals(readFileSync(path('of-open.json')))).toBe(true);
    expect(await verify('open.zip')).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^contents +sound .+\nfiles +sound /m),
    });
    await bundle('open.db', 'open-again.zip', '--with-keys');
    expect(readFileSync(path('open-again.zip')).equals(readFileSync(path('open.zip')))).toBe(true);
    for (const [name, bytes] of files)
      expect([name, bytes.includes(readFileSync(path('open.db.key')))]).toEqual([name, false]);
    rmSync(path('open.db.key'));
    const without = await bundle('open.db', 'closed.zip', '--with-keys');
    expect(without.said).toContain('the bundle holds no keys');
  });

  it('like any report without the store’s key, says in its report what it could not read', async () => {
    const store = createSqliteStore({ path: path('keyless.db'), encrypt: true });
    record(store, VALID);
    store.close();
    const report = async () =>
      (await sandgate(['report', 'june', '--store', path('keyless.db'), '--format', 'markdown'])).out;
    const unread = 'is enciphered, and the store’s key was not at hand';
    expect(await report()).not.toContain(unread);
    rmSync(path('keyless.db.key'));
    expect(await report()).toContain(unread);
  });

  it('says what it does not check without keys, and whose they would be', async () => {
    const { status, said } = await verify('june.zip');
    expect(said).toMatch(
      /signature +not checked +There is a signature, manifest\.json\.jws; to check it, add --key/,
    );
    expect(said).toMatch(/checkpoints +not checked .+only known with --evidence-key/);
    expect(status).toBe(0);
    const bare = await verify('bare.zip');
    expect(bare.said).toContain('The bundle is not signed');
  });

  it('claims no more than the store: nobody witnessed it if nobody signed', async () => {
    const made = await bundle('bare.db', 'again.zip', ...gateway);
    expect(made.said).toContain('Consistent in itself');
    expect(made.said).toContain('Nobody witnessed it');
    const { status, said } = await verify('again.zip', ...gateway);
    expect([status, said]).toEqual([
      1,
      expect.stringMatching(/checkpoints +FAILED +No checkpoint of the session/),
    ]);
  });

  it('holds the report of the store to the byte, and has the same bytes each time', async () => {
    await sandgate(['report', 'june', '--store', path('bare.db'), '--out', path('report.json')]);
    const files = await filesIn('bare.zip');
    expect(files.get('report.json')?.equals(readFileSync(path('report.json')))).toBe(true);
    await bundle('bare.db', 'twice.zip');
    expect(readFileSync(path('twice.zip')).equals(readFileSync(path('bare.zip')))).toBe(true);
  });

  it('lists its files with size and digest, and holds no secret and no key', async () => {
    const files = await filesIn('june.zip');
    expect([...files.keys()]).toEqual([...NAMES, 'manifest.json', 'manifest.json.jws']);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    for (const { name, size, sha256 } of manifest.files)
      expect({ size, sha256 }).toEqual({
        size: files.get(name)?.length,
        sha256: digestOf(files.get(name) as Buffer),
      });
    const apart = join(folder, 'apart');
    mkdirSync(apart);
    const key = readFileSync(path('signed.db.key'), 'utf8');
    for (const [name, bytes] of files) {
      writeFileSync(join(apart, name), bytes);
      expect(bytes.includes(key)).toBe(false);
      expect(bytes.includes('PRIVATE KEY')).toBe(false);
    }
    // Checkpoints and time stamps look like tokens, and are none.
    const scanned = join(apart, 'session-of-bare.ndjson');
    writeFileSync(scanned, (await filesIn('bare.zip')).get('session.ndjson') ?? '');
    expect(await sandgate(['scan', scanned, join(apart, 'cassette.json')])).toMatchObject({ status: 0 });
    expect((await sandgate(['check', join(apart, 'cassette.json')])).status).toBe(0);
  });

  it('is judged by the settings that are asked for, and verified by these', async () => {
    const made = await bundle(
      'bare.db',
      'production.zip',
      '--profile',
      'production',
      '--title',
      'For the bank',
      '--made-at',
      '2026-06-15T10:01:00.000Z',
      '--for',
      'Bank of Sandgate',
    );
    expect(made.status).toBe(0);
    const { status, said } = await verify('production.zip');
    expect(said).toContain('this is right: title, ');
    expect(status).toBe(0);
  });

  it('leaves nothing behind, also when it is verified, and removes what one left that was killed', async () => {
    const own = folderOfTest();
    vi.stubEnv('TMPDIR', own);
    await bundle('bare.db', 'left.zip');
    await verify('left.zip');
    await changed('bare.zip', (files) => files.set('session.ndjson', Buffer.from('x')), true);
    expect(readdirSync(own)).toEqual([]);
    const { pid = 0 } = spawnSync(process.execPath, ['-e', '']);
    const killed = join(own, `sandgate-bundle-${hostname()}-${pid}-abcdef`);
    const running = join(own, `sandgate-bundle-${hostname()}-${process.ppid}-abcdef`);
    const ofOtherMachine = join(own, `sandgate-bundle-${hostname()}-${pid}-1-abcdef`);
    for (const one of [killed, running, ofOtherMachine]) mkdirSync(one);
    const kept = [running, ofOtherMachine];
    if (process.getuid?.() === 0) {
      const ofOtherUser = join(own, `sandgate-bundle-${hostname()}-${pid}-abcdeg`);
      mkdirSync(ofOtherUser);
      chownSync(ofOtherUser, 65_534, 65_534);
      kept.push(ofOtherUser);
    }
    await bundle('bare.db', 'left.zip');
    expect(readdirSync(own).sort()).toEqual(kept.map((one) => basename(one)).sort());
    vi.unstubAllEnvs();
  });

  it('goes to standard output as it is, or nowhere at all', async () => {
    const { out, status } = await sandgate(['bundle', 'june', '--store', path('bare.db'), '--out', '-']);
    expect([status, out.slice(0, 4)]).toEqual([0, 'PK\u0003\u0004']);
    writeFileSync(path('in-the-way'), '');
    const none = await bundle('bare.db', 'in-the-way/june.zip');
    expect([none.status, none.said]).toEqual([3, expect.stringContaining('cannot be written')]);
    const unknown = await sandgate(['bundle', 'july', '--store', path('bare.db'), '--out', path('july.zip')]);
    expect([unknown.status, existsSync(path('july.zip'))]).toEqual([2, false]);
  });

  it('is not written by half if a signal comes', async () => {
    const stop = new AbortController();
    // The time is asked for when the report begins.
    const clock = () => {
      stop.abort();
      return NOW;
    };
    const args = ['bundle', 'june', '--store', path('bare.db'), '--out', path('stopped.zip')];
    const { status, err } = await sandgate(args, { signal: stop.signal, clock });
    expect([status, err]).toEqual([3, expect.stringContaining('Interrupted: the bundle was not written')]);
    expect(readdirSync(folder).filter((name) => /stopped|tmp/.test(name))).toEqual([]);
  });

  it('of a broken chain is not signed, says so, and ends with 1', async () => {
    copyFileSync(path('signed.db'), path('broken.db'));
    copyFileSync(path('signed.db.key'), path('broken.db.key'));
    const db = new Sqlite(path('broken.db'));
    db.exec('DELETE FROM exchanges WHERE seq = 6');
    db.close();
    const made = await bundle('broken.db', 'broken.zip', '--sign', path('signer.pem'));
    expect([made.status, made.said]).toEqual([1, expect.stringContaining('Nothing was signed.')]);
    const { status, said } = await verify('broken.zip', ...signer);
    expect(status).toBe(1);
    expect(said).toMatch(/signature +FAILED +There is no signature at manifest\.json\.jws/);
    expect(said).toMatch(/chain +FAILED[\s\S]*1 entry is gone before exchange \w{11}/);
  });

  it.each([
    ['--recording', 'x.json'],
    ['--store', 'x.db'],
    ['--baseline', 'x.json'],
    ['--file', 'report.html'],
  ])('takes no %s: it holds all that belongs to it', async (flag, value) => {
    const { status, said } = await verify('june.zip', flag, value);
    expect([status, said]).toEqual([2, expect.stringContaining(`${flag} is for reports`)]);
  });

  it('and its signature alone can be checked', async () => {
    const { status, said } = await verify('june.zip', ...signer, '--signature-only');
    expect(said).toMatch(/^archive +sound .+\nsignature +sound .+\nAll checks passed\.\n$/);
    expect(status).toBe(0);
  });
});

describe('verify of a bundle finds and names', () => {
  it.each(NAMES)('%s, if it was changed', async (name) => {
    const { status, said } = await changed(
      'june.zip',
      (files) => edit(files, name, (text) => `${text} `),
      false,
    );
    expect(said).toMatch(/^archive +FAILED/);
    expect(said).toContain(`- ${name} is not the file that the manifest lists: it was changed.`);
    expect(status).toBe(1);
  });

  it.each(NAMES.filter((name) => name !== 'report.json' && name !== 'session.ndjson'))(
    '%s, if it was changed and is listed anew',
    async (name) => {
      const change = (files: Files) => edit(files, name, (text) => text.replace(/[a-z](?=[^a-z]*$)/, 'Q'));
      const { status, said } = await changed('june.zip', change, true);
      expect(said).toMatch(/^archive +sound/);
      expect(said).toContain(`- ${name} is another one if it is made again from the session and the report.`);
      expect(status).toBe(1);
    },
  );

  it('nothing in a dossier that another machine compressed', async () => {
    const json = (await filesIn('june.zip')).get('report.json') ?? Buffer.alloc(0);
    const report: Report = JSON.parse(`${json}`);
    const made = (await attachedFiles(report, json)).map((one) => ({
      ...one,
      packed: deflateSync(inflateSync(one.packed), { level: 1 }),
    }));
    const again = await renderDossier(report, made);
    expect(again.equals((await filesIn('june.zip')).get('report.pdf') ?? json)).toBe(false);
    const { said } = await changed('june.zip', (files) => files.set('report.pdf', again), true);
    expect(said).toMatch(/^files +sound .*report\.pdf/m);
  });

  it('a manifest that was written anew, by its signature', async () => {
    const { status, said } = await changed('june.zip', () => undefined, true, ...signer);
    expect(said).toMatch(/signature +FAILED .+The bundle was changed, or is another one\./);
    expect(status).toBe(1);
    const stranger = await verify('june.zip', '--key', path('stranger.pub'));
    expect(stranger.said).toMatch(/signature +FAILED .+made with another key/);
  });

  it('a file that is gone, came besides, or has another name', async () => {
    const gone = await changed('june.zip', (files) => files.delete('cassette.json'), false);
    expect(gone.said).toContain('- cassette.json is missing: the manifest lists it.');
    const more = await changed('june.zip', (files) => files.set('more.txt', Buffer.from('x')), false);
    expect(more.said).toContain('- more.txt is there, and the manifest does not list it.');
    const rename = (files: Files) => {
      files.set('other.json', files.get('cassette.json') as Buffer);
      files.delete('cassette.json');
    };
    const renamed = await changed('june.zip', rename, false);
    expect(renamed.said).toContain('- cassette.json is missing');
    expect(renamed.said).toContain('- other.json is there');
    const listed = await changed('june.zip', rename, true);
    expect(listed.said).toContain('- cassette.json is missing, or cannot be read.');
    expect(listed.said).toContain('- other.json is no file of a bundle of this session.');
    for (const { status } of [gone, more, renamed, listed]) expect(status).toBe(1);
  });

  it('an exchange that was changed, by the chain', async () => {
    const change = (files: Files) =>
      edit(files, 'session.ndjson', (text) => text.replace(/(?<=\["exchanges".+?\[\d+,)12\.5/, '12.6'));
    const { status, said } = await changed('june.zip', change, true, ...gateway);
    expect(said).toMatch(/chain +FAILED[\s\S]*Exchange \w{11} is not as it was recorded/);
    expect(status).toBe(1);
  });

  it('an exchange that is gone, twice there, or no row of the session', async () => {
    const lines = (by: (lines: string[]) => string[]) => (files: Files) =>
      edit(files, 'session.ndjson', (text) => by(text.split('\n')).join('\n'));
    const isExchange = (line: string) => line.startsWith('["exchanges"');
    const gone = await changed(
      'june.zip',
      lines((all) => all.filter((line, i) => !isExchange(line) || i % 9 !== 0)),
      true,
    );
    expect(gone.said).toMatch(/chain +FAILED[\s\S]*gone before exchange/);
    const twice = await changed(
      'june.zip',
      lines((all) => all.flatMap((line) => (isExchange(line) ? [line, line] : [line]))),
      true,
    );
    expect(twice.said).toMatch(/chain +FAILED +Two lines of session\.ndjson are of the same entry/);
    const foreign = await changed(
      'june.zip',
      lines((all) => all.map((line) => line.replace('"june"', '"july"'))),
      true,
    );
    expect(foreign.said).toMatch(/chain +FAILED +Line \d+ of session\.ndjson is no row of the session june/);
    const broken = await changed(
      'june.zip',
      lines((all) => ['["facts", 1]', ...all]),
      true,
    );
    expect(broken.said).toMatch(/chain +FAILED +Line 1 of session\.ndjson is no row/);
    const hidden = lines((all) => ['["parts",999,999,"smuggled"]', ...all]);
    expect((await changed('june.zip', hidden, true)).said).toContain(
      '- session.ndjson is another one if it is made again',
    );
    for (const { status } of [gone, twice, foreign, broken]) expect(status).toBe(1);
  });

  it('a session recorded anew, whose chain is whole, by the key of the gateway', async () => {
    await recorded(
      'anew.db',
      VALID.filter((_, i) => i !== 5),
      readFileSync(path('stranger.pem'), 'utf8'),
    );
    expect((await bundle('anew.db', 'anew.zip', '--evidence-key', path('stranger.pub'))).said).toContain(
      'Witnessed',
    );
    const { status, said } = await verify('anew.zip', ...gateway);
    expect(said).toMatch(/chain +sound/);
    expect(said).toMatch(/checkpoints +FAILED +No checkpoint of the session was signed with the key/);
    expect(status).toBe(1);
  });

  it('a waiver, a verdict or a level that was changed in the report', async () => {
    const report = (by: (report: Report) => unknown) => (files: Files) =>
      edit(files, 'report.json', (text) => {
        const read = JSON.parse(text) as Report;
        by(read);
        return `${JSON.stringify(read, null, 2)}\n`;
      });
    const changes: readonly ((report: Report) => unknown)[] = [
      ({ head }) => head.waivers.map((waiver) => Object.assign(waiver, { reason: 'never mind' })),
      ({ verdict }) => Object.assign(verdict.tpp, { outcome: 'not-applicable' }),
      ({ evidence }) => Object.assign(evidence, { level: 'consistent' }),
    ];
    for (const change of changes) {
      const { status, said } = await changed('june.zip', report(change), true, ...gateway, ...stamped);
      expect(said).toMatch(/contents +FAILED +The report does not follow from the recording/);
      expect(status).toBe(1);
    }
  });

  it('a report or a manifest that is none', async () => {
    const other = await changed('june.zip', (files) => files.set('report.json', Buffer.from('{}')), true);
    expect([other.status, other.said]).toEqual([
      1,
      expect.stringMatching(/contents +FAILED +report\.json of .+ is not a JSON report/),
    ]);
    const none = await changed(
      'june.zip',
      (files) => files.set('manifest.json', Buffer.from('{"format": 1}')),
      false,
    );
    expect([none.status, none.said]).toEqual([
      1,
      expect.stringMatching(/^archive +FAILED .+manifest\.json cannot be read/),
    ]);
    const gone = await changed('june.zip', (files) => files.delete('manifest.json'), false);
    expect(gone.said).toMatch(/^archive +FAILED .+it holds no manifest\.json/);
    const elsewhere = await changed(
      'june.zip',
      (files) => edit(files, 'manifest.json', (text) => text.replace('"june"', '"july"')),
      false,
    );
    expect(elsewhere.said).toMatch(/contents +FAILED +report\.json is no report of the session july/);
  });

  it('an archive that holds a file twice, one above its folder, or is cut off', async () => {
    const said = async (names: readonly string[]) => {
      const parts: Uint8Array[] = [];
      for await (const part of zipped(names.map((name) => ({ name, pieces: ['x'] })))) parts.push(part);
      writeFileSync(path('odd.zip'), Buffer.concat(parts));
      return verify('odd.zip');
    };
    expect((await said(['report.json', 'report.json'])).said).toMatch(
      /^archive +FAILED .+holds report\.json twice/,
    );
    expect((await said(['../report.json'])).said).toMatch(
      /^archive +FAILED .+“\.\.\/report\.json” is no name/,
    );
    const whole = readFileSync(path('june.zip'));
    writeFileSync(path('odd.zip'), whole.subarray(0, whole.length - 100));
    const { status, said: cut } = await verify('odd.zip', '--json');
    expect([status, JSON.parse(cut).checks]).toEqual([
      1,
      [expect.objectContaining({ what: 'archive', sound: false })],
    ]);
  });
});
