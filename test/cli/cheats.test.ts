/** Tries each cheat in the table of docs/report.md, and shows that it is caught as the table says. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aKeyPair, type SignOrder, signSession } from '../evidence/signed-session.js';
import { mintAuthority } from '../evidence/time-stamp/authority.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);

/** Writes NAME.pem and NAME.pub. */
function aKey(name: string): string {
  const { pem, publicPem } = aKeyPair();
  writeFileSync(path(`${name}.pem`), pem);
  writeFileSync(path(`${name}.pub`), publicPem);
  return pem;
}

async function recorded(name: string, sent: typeof VALID, order: SignOrder | null): Promise<void> {
  const store = createSqliteStore({ path: path(name) });
  record(store, sent);
  if (order !== null) writeFileSync(path(`${name}.checkpoints`), await signSession(store, order));
  store.close();
}

const QUARTER = 90 * 86_400_000;
const authority = await mintAuthority({ from: NOW - QUARTER, to: NOW + 2 * QUARTER });
writeFileSync(path('tsa.pem'), authority.ca);
const stampedAt = (at: number) => ({ stamps: { by: authority, at } });
const stamped = ['--timestamp-ca', path('tsa.pem')];

const gateway = ['--evidence-key', path('gateway.pub')];
const signer = ['--key', path('signer.pub')];
const outside = ['--checkpoints', path('true.db.checkpoints')];
const verify = async (...args: readonly string[]) => {
  const { status, out, err } = await sandgate(['verify', ...args]);
  return { status, said: out + err };
};
const reportOf = async (store: string, out: string, ...args: readonly string[]) => {
  const made = await sandgate(['report', 'june', '--store', path(store), '--out', path(out), ...args]);
  expect(made.err.replace(/^Not all of the session is signed.*\n$/, '')).toBe('');
  return path(out);
};

beforeAll(async () => {
  const key = aKey('gateway');
  aKey('signer');
  aKey('stranger');
  await recorded('true.db', VALID, { pem: key, ...stampedAt(NOW + 1_000) });
  const formats = ['--format', 'json,html', ...gateway, ...stamped, '--sign', path('signer.pem')];
  await sandgate(['report', 'june', '--store', path('true.db'), ...formats, '--out', folder]);
});

/** A copy of the store, with its rows changed behind its back. */
function changed(sql: string): string {
  const file = path(`changed-${Math.abs(sql.length)}-${sql.replaceAll(/\W+/g, '').slice(0, 60)}.db`);
  copyFileSync(path('true.db'), file);
  copyFileSync(path('true.db.key'), `${file}.key`);
  const db = new Sqlite(file);
  db.exec(sql);
  db.close();
  return file;
}

const tampered = (sql: string) => verify(path('report.json'), '--store', changed(sql), ...gateway);

/** A copy of a file of the report, changed. */
function rewritten(name: string, change: (text: string) => string): string {
  const text = readFileSync(path(name), 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(path(`rewritten-${name}`), change(text));
  return path(`rewritten-${name}`);
}

const anew = VALID.filter((_, i) => i !== 5);

const theirKey = () => readFileSync(path('gateway.pem'), 'utf8');

/** All of it made anew with the key of the gateway, and dated in the past. */
async function past(name: string, order: Omit<SignOrder, 'pem'>) {
  await recorded(`${name}.db`, anew, { pem: theirKey(), ...order });
  const file = await reportOf(`${name}.db`, `${name}.json`, ...gateway, ...stamped);
  expect(readFileSync(file, 'utf8')).toContain('"level": "consistent"');
  return verify(file, '--store', path(`${name}.db`), ...gateway, ...stamped);
}

interface Row {
  readonly cheat: string;
  readonly who: string;
  readonly what: string;
  readonly attempt: () => Promise<{ readonly status: number; readonly said: string }>;
  readonly caught: RegExp;
}

const STORE = 'anyone who can write to the store';
const ROWS: readonly Row[] = [
  {
    ...{ cheat: 'an exchange, its findings or verdicts are changed', who: STORE, what: 'chain' },
    attempt: () => tampered("UPDATE exchanges SET own = '[2' || substr(own, 3) WHERE seq = 6"),
    caught: /chain +FAILED[\s\S]*Exchange \w{11} is not as it was recorded/,
  },
  {
    ...{ cheat: 'exchanges in the middle or at the end are removed', who: STORE, what: 'chain' },
    attempt: () => tampered('DELETE FROM exchanges WHERE seq BETWEEN 6 AND 8'),
    caught: /3 entries are gone before exchange/,
  },
  {
    ...{ cheat: 'the beginning of a session is removed', who: STORE, what: 'chain: its first entry' },
    attempt: () => tampered('DELETE FROM exchanges WHERE seq < 9; DELETE FROM notes WHERE seq < 9'),
    caught: /The record of the beginning of the session is gone/,
  },
  {
    ...{ cheat: 'profile, stance or waivers are changed in the notes', who: STORE, what: 'chain' },
    attempt: () => tampered("UPDATE notes SET settings = replace(settings, 'sandbox', 'production')"),
    caught: /the note “started” \(entry 2\) is not as it was recorded/i,
  },
  {
    ...{
      cheat: 'a changed session is recorded again as a new one',
      who: 'the holder of the store',
      what: 'a report or head that was published before',
    },
    attempt: async () => {
      await recorded('anew.db', anew, null);
      return verify(path('report.json'), '--store', path('anew.db'));
    },
    caught: /chain +FAILED[\s\S]*has another hash/,
  },
  {
    ...{
      cheat: 'a session recorded again is presented as witnessed',
      who: 'the holder of the store',
      what: 'checkpoint: the gateway’s key is missing',
    },
    attempt: async () => {
      const file = await reportOf('anew.db', 'anew.json', ...gateway);
      expect(readFileSync(file, 'utf8')).toContain('"level": "consistent"');
      return verify(file, '--store', path('anew.db'), ...gateway);
    },
    caught: /checkpoints +FAILED +No checkpoint of the session was signed with the key/,
  },
  {
    ...{
      cheat: 'it is signed with another key',
      who: 'the holder of the store',
      what: 'checkpoint: the reader knows the key',
    },
    attempt: async () => {
      await recorded('own.db', anew, { pem: readFileSync(path('stranger.pem'), 'utf8') });
      const file = await reportOf('own.db', 'own.json', '--evidence-key', path('stranger.pub'));
      return verify(file, '--store', path('own.db'), ...gateway);
    },
    caught: /checkpoints +FAILED +No checkpoint of the session was signed with the key/,
  },
  {
    ...{
      cheat: 'it is signed again with the gateway’s key',
      who: 'the holder of store and key',
      what: 'a checkpoint kept outside',
    },
    attempt: async () => {
      await recorded('insider.db', anew, { pem: theirKey() });
      const file = await reportOf('insider.db', 'insider.json', ...gateway);
      return verify(file, '--store', path('insider.db'), ...gateway, ...outside);
    },
    caught: /checkpoints +FAILED[\s\S]*The checkpoint of .* says that entry/,
  },
  {
    ...{
      cheat: 'the past is recorded today',
      who: 'the holder of gateway and key',
      what: 'time stamp: from today, or missing',
    },
    attempt: () => past('today', stampedAt(NOW + QUARTER)),
    caught: /time stamps +FAILED[\s\S]*The checkpoint of .*: stamped .* more than 10 minutes after it/,
  },
  {
    ...{
      cheat: 'an imported recording is presented as one of the gateway',
      who: STORE,
      what: 'chain: its first entry says so, and nothing signs it',
    },
    attempt: async () => {
      await sandgate(['sessions', 'export', 'june', '--store', path('true.db'), '--out', path('june.json')]);
      const into = ['--session', 'june', '--store', path('imported.db')];
      await sandgate(['sessions', 'import', path('june.json'), ...into]);
      const db = new Sqlite(path('imported.db'));
      db.exec("DELETE FROM notes WHERE kind = 'imported'");
      db.close();
      const file = path('imported.json');
      const made = await sandgate(['report', 'june', '--store', path('imported.db'), '--out', file]);
      expect(made.status).toBe(1);
      expect(readFileSync(file, 'utf8')).toMatch(/"level": "broken"[\s\S]*"sentence": "Imported: /);
      return verify(file, '--store', path('imported.db'), ...gateway);
    },
    caught: /chain +FAILED/,
  },
  {
    ...{
      cheat: 'a verdict, a finding or a number of the report is changed',
      who: 'anyone who passes the report on',
      what: 'the recording; signature',
    },
    attempt: () =>
      verify(
        rewritten('report.json', (text) => text.replace('"complied"', '"not-observed"')),
        ...['--store', path('true.db'), ...gateway],
      ),
    caught: /contents +FAILED/,
  },
  {
    ...{
      cheat: 'a title, a date or a waiver of the report is changed',
      who: 'anyone who passes the report on',
      what: 'signature; without it `verify` names the field',
    },
    attempt: () =>
      verify(
        rewritten('report.json', (text) => text.replace('Compliance report: june', 'All is well')),
        ...['--store', path('true.db'), ...signer, '--signature', path('report.json.jws')],
      ),
    caught: /signature +FAILED .*not for these bytes/,
  },
  {
    ...{
      cheat: 'the HTML is changed',
      who: 'anyone who passes the report on',
      what: 'signature; the report in JSON',
    },
    attempt: () =>
      verify(
        ...[path('report.json'), '--store', path('true.db'), '--file'],
        rewritten('report.html', (text) =>
          text.replace('complied with all rules', 'complied with some rules'),
        ),
      ),
    caught: /html +FAILED/,
  },
  {
    ...{
      cheat: 'a changed report is signed with another key',
      who: 'anybody',
      what: 'signature: the reader knows the key',
    },
    attempt: async () => {
      await reportOf('true.db', 'stranger.json', '--sign', path('stranger.pem'));
      return verify(path('stranger.json'), '--store', path('true.db'), ...signer);
    },
    caught: /signature +FAILED .*with another key/,
  },
];

describe('the honest report', () => {
  it('is witnessed, and nothing is wanting', async () => {
    expect(readFileSync(path('report.json'), 'utf8')).toContain('"level": "witnessed"');
    expect(readFileSync(path('report.json'), 'utf8')).toContain('Witnessed, and time-stamped: the key');
    expect(readFileSync(path('report.html'), 'utf8')).toContain('evidence: witnessed');
    const checks = [...gateway, ...stamped, ...signer, ...outside];
    const { status, said } = await verify(path('report.json'), '--store', path('true.db'), ...checks);
    expect([status, said]).toEqual([
      0,
      expect.stringMatching(
        /checkpoints +sound [\s\S]*time stamps +sound [\s\S]*stamped .* by CN=Minted TSA[\s\S]*All checks passed/,
      ),
    ]);
  });

  it('whose checkpoints cannot be checked says so', async () => {
    const { status, said } = await verify(path('report.json'), '--store', path('true.db'));
    expect(status).toBe(0);
    expect(said).toMatch(/Not checked: signature, checkpoints, who signed the checkpoints\./);
  });
});

describe('a chain that is broken', () => {
  it('is not called as recorded and signed, though a checkpoint after the break is as the chain is', async () => {
    const { said } = await verify(
      ...[path('report.json'), ...gateway, ...stamped],
      ...['--store', changed("UPDATE exchanges SET own = '[3' || substr(own, 3) WHERE seq = 6")],
    );
    expect(said).toMatch(/checkpoints +not checked +The chain is broken/);
    expect(said).not.toContain('time stamps');
  });
});

describe('time stamps', () => {
  it('are not called good where nobody says whom to believe', async () => {
    const { status, said } = await verify(path('report.json'), '--store', path('true.db'), ...gateway);
    expect(said).toMatch(/time stamps +not checked +Time stamped: 1 of 1 checkpoint; .*--timestamp-ca/);
    expect([status, said]).toEqual([0, expect.stringContaining('Not checked: signature, time stamps,')]);
    const file = await reportOf('true.db', 'unchecked.json', ...gateway);
    expect(readFileSync(file, 'utf8')).toMatch(
      /Witnessed: the key .* Time stamps of 1 of them were not checked/,
    );
    expect((await verify(file, '--store', path('true.db'), ...gateway, ...stamped)).status).toBe(0);
  });

  it('are asked for with a file of certificates, or not at all', async () => {
    writeFileSync(path('none.pem'), 'none');
    for (const [file, text] of [
      ['none.pem', 'holds no certificate'],
      ['nosuch.pem', 'nosuch.pem'],
    ] as const) {
      const { status, said } = await verify(
        ...[path('report.json'), '--store', path('true.db'), ...gateway],
        ...['--timestamp-ca', path(file)],
      );
      expect([status, said]).toEqual([2, expect.stringContaining(text)]);
    }
  });

  it('are wanting of a session that no key signed', async () => {
    await recorded('unsigned.db', VALID, null);
    const file = await reportOf('unsigned.db', 'unsigned.json');
    for (const args of [stamped, [...stamped, ...gateway]]) {
      const { status, said } = await verify(file, '--store', path('unsigned.db'), ...args);
      expect([status, said]).toEqual([1, expect.stringMatching(/checkpoints +FAILED/)]);
    }
  });
});

describe('the past that is recorded today', () => {
  it('is found without any time stamp too', async () => {
    const { status, said } = await past('unstamped', {});
    expect(said).toMatch(/time stamps +FAILED[\s\S]*it has no time stamp, nor has one after it/);
    expect(status).toBe(1);
  });

  it('is found where the checkpoints are dated today: what they cover is not', async () => {
    const { status, said } = await past('dated', { at: NOW + QUARTER, ...stampedAt(NOW + QUARTER) });
    expect(said).toMatch(/time stamps +FAILED[\s\S]*or after what it covers/);
    expect(status).toBe(1);
  });

  it('is found where stamps are of an authority of one’s own', async () => {
    const own = await mintAuthority({ from: NOW - QUARTER, to: NOW + QUARTER });
    const { status, said } = await past('own-authority', { stamps: { by: own, at: NOW } });
    expect(said).toMatch(/time stamps +FAILED[\s\S]*whose certificate leads to none of the given/);
    expect(status).toBe(1);
  });
});

describe('a cheat', () => {
  it.each(ROWS)('is found: $cheat', async ({ attempt, caught }) => {
    const { status, said } = await attempt();
    expect(said).toMatch(caught);
    expect(status).toBe(1);
  });

  it.each(ROWS)('is in the document: $cheat', ({ cheat, who, what }) => {
    const text = readFileSync(new URL('../../docs/report.md', import.meta.url), 'utf8');
    expect(text).toContain(`| ${cheat} | ${who} | ${what} |`);
  });
});
