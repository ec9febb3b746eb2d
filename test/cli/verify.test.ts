/** `sandgate verify`: whatever is changed, in the report, its signature or the recording, is found and named. */

import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { idOfNumber, numberOfId } from '../../src/exchange/index.js';
import { buildCassette } from '../../src/exchange/recording/index.js';
import type { Report } from '../../src/report/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { createSqliteStore, type RecordedExchange } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { folderOfFile } from '../folder.js';
import { record, type Sent, VALID } from '../report/a-recording.js';
import { CONSENT } from '../rules/ledger-of.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const store = path('sandgate.db');
const file = path('report.json');
let records: RecordedExchange[];

const balances: Sent = {
  call: {
    operation: 'accounts.balances',
    params: { accountId: 'ACCOUNT_ID' },
    headers: { 'Consent-Id': CONSENT },
  },
  answer: { body: { balances: [] } },
};

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const strangers = generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeAll(async () => {
  const opened = createSqliteStore({ path: store });
  records = record(opened, [...VALID, balances]);
  opened.close();
  writeFileSync(path('key.pem'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path('pub.pem'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(path('other.pem'), strangers.publicKey.export({ type: 'spki', format: 'pem' }));
  const made = await sandgate(['report', 'june', '--store', store, '--out', file, '--sign', path('key.pem')]);
  expect(made.err).toBe('');
});

const idAt = (place: number): string => records[place]?.exchange.call.id ?? '';
const verify = (args: readonly string[]) => sandgate(['verify', ...args]);
const checksOf = (out: string): Record<string, boolean | null> =>
  Object.fromEntries(
    JSON.parse(out).checks.map(({ what, sound }: { what: string; sound: boolean | null }) => [what, sound]),
  );

/** A copy of report and signature, with the report changed. */
function changedReport(name: string, change: (report: Report) => unknown): string {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  change(report);
  const changed = path(name);
  writeFileSync(changed, `${JSON.stringify(report, null, 2)}\n`);
  copyFileSync(`${file}.jws`, `${changed}.jws`);
  return changed;
}

/** A copy of the store, with its rows changed behind its back. */
function changedStore(name: string, change: (db: Sqlite.Database) => void): string {
  const changed = path(name);
  copyFileSync(store, changed);
  copyFileSync(`${store}.key`, `${changed}.key`);
  const db = new Sqlite(changed);
  change(db);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return changed;
}

describe('a report as it was made', () => {
  it('is sound', async () => {
    const { status, out, err } = await verify([file, '--store', store, '--key', path('pub.pem')]);
    expect(err).toBe('');
    expect(out).toMatch(
      /signature {2}sound[\s\S]*chain {6}sound[\s\S]*contents {3}sound[\s\S]*All checks passed/,
    );
    expect(status).toBe(0);
  });

  it('is sound when its session has gone on since', async () => {
    const grown = path('grown.db');
    copyFileSync(store, grown);
    copyFileSync(`${store}.key`, `${grown}.key`);
    const opened = createSqliteStore({ path: grown });
    record(opened, [balances, balances], { start: NOW + 86_400_000 });
    opened.close();
    const { status, out } = await verify([file, '--store', grown]);
    expect(out).toContain('What was checked is sound. Not checked: signature.');
    expect(status).toBe(0);
  });

  it('judged again under another profile is sound too', async () => {
    const other = path('production.json');
    await sandgate(['report', 'june', '--store', store, '--profile', 'production', '--out', other]);
    const { status, out } = await verify([other, '--store', store, '--json']);
    expect(checksOf(out)).toEqual({ signature: null, chain: true, contents: true });
    expect(status).toBe(0);
  });

  it('of a file is held against the file', async () => {
    const cassette = path('june.json');
    writeFileSync(cassette, [...buildCassette(records, { session: 'june', dialect: dialectOf() })].join(''));
    const made = path('of-file.json');
    await sandgate(['report', cassette, '--out', made]);
    expect((await verify([made])).status).toBe(0);
    const moved = path('moved.json');
    writeFileSync(moved, readFileSync(cassette, 'utf8').replace('ACCOUNT_ID', 'ACCOUNT_IX'));
    expect((await verify([made, '--recording', moved])).out).toContain(
      'not the one that the report was made from',
    );
    expect((await verify([made, '--recording', moved])).status).toBe(1);
  });

  it('tells what it cannot check', async () => {
    const { out } = await verify([file, '--store', store, '--json']);
    expect(checksOf(out)).toEqual({ signature: null, chain: true, contents: true });
    const only = await verify([file, '--key', path('pub.pem'), '--signature-only', '--json']);
    expect(checksOf(only.out)).toEqual({ signature: true });
  });
});

describe('without a key', () => {
  it('nobody is told that all checks passed: the signature is not checked', async () => {
    const { status, out } = await verify([file, '--store', store]);
    expect(status).toBe(0);
    expect(out).toMatch(/signature {2}not checked {2}There is a signature, .* add --key/);
    expect(out).not.toContain('All checks passed');
  });

  it('a signature alone cannot be checked, and that is a mistake', async () => {
    const { status, err } = await verify([file, '--signature-only']);
    expect([status, err]).toEqual([2, expect.stringContaining('add --key')]);
  });

  it('a signature that was named and is not there is wanting all the same', async () => {
    const { status, out } = await verify([file, '--store', store, '--signature', path('none.jws')]);
    expect([status, out]).toEqual([1, expect.stringContaining('There is no signature at')]);
  });
});

describe('what a report says of a baseline', () => {
  const compared = path('compared.json');
  const older = path('older.json');

  beforeAll(async () => {
    await sandgate(['report', 'june', '--store', store, '--profile', 'production', '--out', older]);
    const against = ['--baseline', older, '--out', compared, '--sign', path('key.pem')];
    expect((await sandgate(['report', 'june', '--store', store, ...against])).err).toBe('');
  });

  it('is not checked without the older report, and that is told', async () => {
    const { status, out } = await verify([compared, '--store', store]);
    expect([status, out]).toEqual([0, expect.stringContaining('baseline is not checked: add --baseline')]);
  });

  it('follows from the older report, wherever that lies now', async () => {
    const moved = path('moved-older.json');
    copyFileSync(older, moved);
    const { status, out } = await verify([
      ...[compared, '--store', store, '--key', path('pub.pem')],
      ...['--baseline', moved],
    ]);
    expect([status, out]).toEqual([0, expect.stringContaining('follows from the older report')]);
  });

  it('does not follow from another report, or where it was changed', async () => {
    const another = await verify([compared, '--store', store, '--baseline', file]);
    expect([another.status, another.out]).toEqual([
      1,
      expect.stringContaining('under “baseline” does not follow from the older report'),
    ]);
    const report = JSON.parse(readFileSync(compared, 'utf8')) as Report;
    const changed = path('changed-baseline.json');
    const baseline = { ...report.baseline, fixed: [], unknown: [], catalogueChanged: true };
    writeFileSync(changed, `${JSON.stringify({ ...report, baseline }, null, 2)}\n`);
    const { status, out } = await verify([changed, '--store', store, '--baseline', older]);
    expect([status, out]).toEqual([1, expect.stringContaining('under “baseline”')]);
  });

  it('is nothing where there was none', async () => {
    const { status, err } = await verify([file, '--store', store, '--baseline', older]);
    expect([status, err]).toEqual([2, expect.stringContaining('was made without a baseline')]);
  });
});

describe('a report that was changed', () => {
  it.each([
    ['a verdict', ({ verdict }: Report) => Object.assign(verdict.tpp, { outcome: 'complied' }), /“verdict”/],
    ['a finding taken out', (report: Report) => void report.findings.splice(0, 1), /“findings”/],
    ['the title', ({ head }: Report) => Object.assign(head, { title: 'Fine' }), null],
    [
      'an exchange changed',
      (report: Report) => {
        const [row] = report.appendix.exchanges;
        if (row !== undefined) row.status = 500;
      },
      /Exchange \w{11} differs from the report: status 500 in the report, 201 in the recording/,
    ],
    [
      'an exchange dropped',
      (report: Report) => void report.appendix.exchanges.splice(3, 1),
      /Exchange \w{11} is in the recording, not in the report/,
    ],
    [
      'exchanges reordered',
      (report: Report) =>
        void report.appendix.exchanges.splice(2, 2, ...report.appendix.exchanges.slice(2, 4).reverse()),
      /Exchange \w{11} is at another position/,
    ],
    [
      'an excerpt changed',
      (report: Report) => {
        for (const cited of Object.values(report.exchanges)) cited.request.body = 'forged';
      },
      /Exchange \w{11} differs from its excerpt/,
    ],
    [
      'the head of the chain',
      ({ evidence }: Report) => Object.assign(evidence, { head: 'ab'.repeat(32) }),
      /has another hash/,
    ],
    [
      'what it says of the chain',
      ({ evidence }: Report) => Object.assign(evidence, { links: 3 }),
      /“evidence”/,
    ],
  ])(
    '%s: the signature does not fit any more, and the recording says otherwise',
    async (name, change, message) => {
      const changed = changedReport(`${name.replaceAll(' ', '-')}.json`, change);
      const { status, out } = await verify([changed, '--store', store, '--key', path('pub.pem')]);
      expect(out).toMatch(/signature {2}FAILED/);
      // The title is the user's own: only the signature guards it.
      if (message !== null) expect(out).toMatch(message);
      expect(status).toBe(1);
    },
  );

  it('is found by its signature: another key, no signature, a broken one', async () => {
    expect((await verify([file, '--store', store, '--key', path('other.pem')])).status).toBe(1);
    const { status, out } = await verify([
      file,
      '--signature-only',
      '--key',
      path('pub.pem'),
      '--signature',
      path('none.jws'),
    ]);
    expect(status).toBe(1);
    expect(out).toContain('There is no signature');
  });

  it('so far that it is no report any more is told, with status 2', async () => {
    writeFileSync(path('no-report.json'), '{"format":"sandgate-report"}');
    const { status, err } = await verify([path('no-report.json')]);
    expect([status, err]).toEqual([2, expect.stringContaining('is not a JSON report of this version')]);
  });

  it('is asked for where its signed statement is given instead', async () => {
    const { status, err } = await verify([`${file}.jws`]);
    expect([status, err]).toEqual([2, `${file}.jws is the signed statement of a report: give ${file}.\n`]);
  });
});

describe('a recording that was changed', () => {
  const number = (place: number) => numberOfId(idAt(place));
  const TAMPERING: readonly (readonly [string, (db: Sqlite.Database) => void, () => string])[] = [
    [
      'another status',
      (db) => {
        const shape = db.prepare('SELECT shape FROM exchanges WHERE id = ?').pluck().get(number(6));
        db.prepare(
          typeof shape === 'number'
            ? 'UPDATE exchanges SET shape = (SELECT replace(content, \'"status":200\', \'"status":404\') FROM parts WHERE id = @shape) WHERE id = @id'
            : 'UPDATE exchanges SET shape = replace(shape, \'"status":200\', \'"status":404\') WHERE id = @id',
        ).run({ id: number(6), shape });
      },
      () => idAt(6),
    ],
    [
      'another time',
      (db) =>
        void db.prepare("UPDATE exchanges SET own = '[2' || substr(own, 3) WHERE id = ?").run(number(4)),
      () => idAt(4),
    ],
    [
      'a finding taken out',
      (db) => void db.prepare('UPDATE exchanges SET findings = NULL WHERE id = ?').run(number(VALID.length)),
      () => idAt(VALID.length),
    ],
    [
      'an exchange dropped',
      (db) => void db.prepare('DELETE FROM exchanges WHERE id = ?').run(number(5)),
      () => idAt(5),
    ],
    [
      'the last one dropped',
      (db) => void db.prepare('DELETE FROM exchanges WHERE id = ?').run(number(VALID.length)),
      () => idAt(VALID.length),
    ],
    [
      'two exchanges reordered',
      (db) => {
        const swap = db.prepare('UPDATE exchanges SET seq = ? WHERE id = ?');
        swap.run(-1, number(2));
        swap.run(3, number(3));
        swap.run(4, number(2));
      },
      () => idAt(3),
    ],
  ];

  it.each(TAMPERING)('%s is found and named', async (name, change, exchange) => {
    const changed = changedStore(`${name.replaceAll(' ', '-')}.db`, change);
    const { status, out } = await verify([file, '--store', changed, '--json']);
    expect(status).toBe(1);
    expect(checksOf(out).chain).toBe(false);
    const named = JSON.parse(out).checks.flatMap(({ details }: { details: { text: string }[] }) => details);
    expect(named.map(({ text }: { text: string }) => text).join('\n')).toContain(exchange());
  });

  it('and chained again over the change is found by the head of the report', async () => {
    const forged = path('forged.db');
    const opened = createSqliteStore({ path: forged });
    record(opened, [...VALID.slice(0, 6), ...VALID.slice(7), balances]);
    opened.close();
    const { status, out } = await verify([file, '--store', forged]);
    expect(status).toBe(1);
    expect(out).toMatch(/chain {6}FAILED/);
  });

  it('or is not there is told', async () => {
    const empty = path('empty.db');
    createSqliteStore({ path: empty }).close();
    const { status, out } = await verify([file, '--store', empty]);
    expect(out).toContain('holds no session june');
    expect(status).toBe(1);
    expect((await verify([file, '--store', path('nosuch.db')])).status).toBe(2);
  });

  it('of which an id was changed too is found', async () => {
    const changed = changedStore('another-id.db', (db) => {
      db.prepare('UPDATE exchanges SET id = id + 1 WHERE id = ?').run(number(5));
    });
    const { out, status } = await verify([file, '--store', changed]);
    expect(status).toBe(1);
    expect(out).toContain(idOfNumber((number(5) ?? 0) + 1));
  });
});
