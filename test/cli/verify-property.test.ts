/** Any single change of a report, of its signature or of its page is found by `verify`, or told as not checked. */
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fieldText } from '../../src/app/verify/index.js';
import { noteLink } from '../../src/store/chain.js';
import { createSqliteStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aKeyPair, signSession } from '../evidence/signed-session.js';
import { mintAuthority } from '../evidence/time-stamp/authority.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);

const keys = generateKeyPairSync('ed25519');
const store = ['--store', path('sandgate.db')];
const trusted = ['--key', path('pub.pem')];
const verify = (...args: readonly string[]) => sandgate(['verify', ...args]);

beforeAll(async () => {
  const opened = createSqliteStore({ path: path('sandgate.db') });
  const match = { tpp: 'PSD*', operation: 'accounts.*' };
  const waiver = { rule: 'accounts/within-daily-limit', match, reason: 'known', until: '2027-01-01' };
  record(opened, VALID.slice(0, 4), { session: 'may' });
  record(opened, VALID, { waivers: [waiver], overrides: { 'payments/iban-valid': 'note' } });
  opened.close();
  writeFileSync(path('key.pem'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path('pub.pem'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
  const formats = ['--format', 'json,html', '--out', folder];
  const made = await sandgate(['report', 'june', ...store, ...formats, '--sign', path('key.pem')]);
  expect(made.err).toBe('');
  const honest = await verify(path('report.json'), ...store, ...trusted);
  expect(honest.out).toMatch(/All checks passed\.\n$/);
});

/** One byte of a file made another, taken out, or put in. */
const byteChange = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  byte: fc.integer({ min: 0, max: 255 }),
  kind: fc.constantFrom('changed', 'dropped', 'added'),
});
type ByteChange = typeof byteChange extends fc.Arbitrary<infer T> ? T : never;

function withByte(bytes: Buffer, { at, byte, kind }: ByteChange): Buffer {
  const place = Math.floor(at * bytes.length);
  const put = kind === 'dropped' ? [] : [byte];
  const rest = bytes.subarray(kind === 'added' ? place : place + 1);
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(put), rest]);
}

/** Statuses that say that something is amiss, and never that all is well. */
const found = ({ status, out }: { status: number; out: string }): boolean =>
  (status === 1 || status === 2) && !/All checks passed|is sound\./.test(out);

describe('a single byte', () => {
  it.each([
    ['report.json', (file: string) => [file, ...store]],
    ['report.html', (file: string) => [path('report.json'), ...store, '--file', file]],
  ])('of %s is found without a key, by the recording', async (name, args) => {
    const bytes = readFileSync(path(name));
    await fc.assert(
      fc.asyncProperty(byteChange, async (change) => {
        const changed = withByte(bytes, change);
        fc.pre(!changed.equals(bytes));
        writeFileSync(path(`changed-${name}`), changed);
        const said = await verify(...args(path(`changed-${name}`)));
        const isTold = said.status === 0 && /Not checked: signature, (?!contents)/.test(said.out);
        expect(isTold || found(said), said.out).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['report.json', 'report.html'])('of %s is found by the signature alone', async (name) => {
    const bytes = readFileSync(path(name));
    await fc.assert(
      fc.asyncProperty(byteChange, async (change) => {
        const changed = withByte(bytes, change);
        fc.pre(!changed.equals(bytes));
        writeFileSync(path(`signed-${name}`), changed);
        const signature = ['--signature', path('report.json.jws'), '--signature-only'];
        const said = await verify(path(`signed-${name}`), ...trusted, ...signature);
        expect(found(said), said.out).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('of the signature is found', async () => {
    const bytes = readFileSync(path('report.json.jws'));
    copyFileSync(path('report.json'), path('signed.json'));
    await fc.assert(
      fc.asyncProperty(byteChange, async (change) => {
        const changed = withByte(bytes, change);
        fc.pre(!changed.equals(bytes));
        writeFileSync(path('signed.json.jws'), changed);
        const said = await verify(path('signed.json'), ...trusted, '--signature-only');
        expect(said.status, said.out).toBe(1);
      }),
      { numRuns: 40 },
    );
  });
});

type Place = readonly (string | number)[];

function placesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const inside = Object.keys(value).flatMap((name) =>
    placesOf((value as Record<string, unknown>)[name], [
      ...place,
      Array.isArray(value) ? Number(name) : name,
    ]),
  );
  return place.length === 0 ? inside : [place, ...inside];
}

/** One member made another: of the same kind, so that the report still reads as one. */
function changedAt(report: unknown, place: Place, isDropped: boolean): unknown {
  const copy = structuredClone(report);
  const [last, ...above] = [...place].reverse();
  const parent = above.reverse().reduce((one, name) => (one as never)[name], copy) as Record<string, unknown>;
  const name = String(last);
  if (isDropped && Array.isArray(parent)) parent.splice(Number(name), 1);
  else parent[name] = another(parent[name]);
  return copy;
}

function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 'something';
  if (Array.isArray(value)) return value.length > 1 ? value.toReversed() : [];
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).slice(1));
  const time = /^\d{4}-\d\d-\d\dT/.test(value as string);
  return time ? new Date(Date.parse(value as string) - 1).toISOString() : `${value} and more`;
}

describe('a single member', () => {
  it('of the report is found without a key, or named as one that only a signature covers', async () => {
    const report: unknown = JSON.parse(readFileSync(path('report.json'), 'utf8'));
    const text = JSON.stringify(report);
    const places = placesOf(report);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.boolean(), async (place, isDropped) => {
        const changed = changedAt(report, place, isDropped);
        fc.pre(JSON.stringify(changed) !== text);
        writeFileSync(path('member.json'), `${JSON.stringify(changed, null, 2)}\n`);
        const said = await verify(path('member.json'), ...store);
        const named = /Not checked: signature, (.*)\.\n$/.exec(said.out)?.[1]?.split(', ') ?? [];
        const isNamed = place.some((_, i) => named.includes(fieldText(place.slice(0, i + 1).join('.'))));
        expect(isNamed || found(said), `${place.join('.')}\n${said.out}${said.err}`).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('of the head, the evidence and the recipe is found: each of them once', async () => {
    const report = JSON.parse(readFileSync(path('report.json'), 'utf8')) as Record<string, unknown>;
    const tried = new Set([JSON.stringify(report)]);
    for (const place of placesOf(report).filter(([part]) =>
      /^(?:head|evidence|recipe)$/.test(String(part)),
    )) {
      for (const isDropped of [false, true]) {
        const changed = changedAt(report, place, isDropped);
        const text = JSON.stringify(changed);
        if (tried.has(text)) continue;
        tried.add(text);
        writeFileSync(path('member.json'), `${JSON.stringify(changed, null, 2)}\n`);
        const said = await verify(path('member.json'), ...store);
        const named = /Not checked: signature, (.*)\.\n$/.exec(said.out)?.[1]?.split(', ') ?? [];
        const isNamed = place.some((_, i) => named.includes(fieldText(place.slice(0, i + 1).join('.'))));
        expect(isNamed || found(said), `${place.join('.')}\n${said.out}${said.err}`).toBe(true);
      }
    }
  });
});

describe('a single byte of a time stamp', () => {
  const witnessed = ['--evidence-key', path('gateway.pub'), '--timestamp-ca', path('tsa.pem')];
  let note: { seq: number; at: number; settings: string };

  beforeAll(async () => {
    const { pem, publicPem } = aKeyPair();
    const by = await mintAuthority({ from: NOW - 86_400_000, to: NOW + 86_400_000 });
    writeFileSync(path('gateway.pub'), publicPem);
    writeFileSync(path('tsa.pem'), by.ca);
    const opened = createSqliteStore({ path: path('stamped.db') });
    record(opened, VALID.slice(0, 3));
    await signSession(opened, { pem, stamps: { by, at: NOW } });
    opened.close();
    const db = new Sqlite(path('stamped.db'));
    note = db.prepare("SELECT seq, at, settings FROM notes WHERE kind = 'timestamp'").get() as typeof note;
    db.close();
    const made = ['june', '--store', path('stamped.db'), '--out', path('stamped.json'), ...witnessed];
    await sandgate(['report', ...made]);
    expect(readFileSync(path('stamped.json'), 'utf8')).toContain('Witnessed, and time-stamped');
  });

  /** `isRechained`: by one who makes the chain again behind the change; nothing stands after the stamp. */
  function changedStamp(settings: string, isRechained: boolean): string {
    const file = path('changed-stamp.db');
    copyFileSync(path('stamped.db'), file);
    copyFileSync(path('stamped.db.key'), `${file}.key`);
    const db = new Sqlite(file);
    db.prepare("UPDATE notes SET settings = ? WHERE kind = 'timestamp'").run(settings);
    if (isRechained) {
      const before = db.prepare("SELECT hash FROM notes WHERE kind = 'checkpoint'").pluck().get() as string;
      const { seq, at } = note;
      const link = noteLink(before, seq, { session: 'june', at, kind: 'timestamp', settings });
      db.prepare("UPDATE notes SET hash = ? WHERE kind = 'timestamp'").run(link);
      db.prepare('UPDATE chains SET head = ?').run(link);
    }
    db.close();
    return file;
  }

  it('or another member of what the report tells of them is found, or named where nothing was given to check it', async () => {
    const report = JSON.parse(readFileSync(path('stamped.json'), 'utf8')) as Record<string, unknown>;
    const places = placesOf(report).filter((place) => place.join('.').startsWith('evidence.'));
    expect(places.map((place) => place.join('.'))).toContain('evidence.witness.stamps.shown');
    const args = ['--store', path('stamped.db'), ...witnessed];
    for (const place of places) {
      const changed = changedAt(report, place, false);
      if (JSON.stringify(changed) === JSON.stringify(report)) continue;
      writeFileSync(path('member.json'), `${JSON.stringify(changed, null, 2)}\n`);
      const said = await verify(path('member.json'), ...args);
      const isNamed =
        place[1] === 'witness' &&
        /Not checked: signature, (?:who signed|time stamps of) the checkpoints/.test(said.out);
      expect(isNamed || found(said), `${place.join('.')}\n${said.out}`).toBe(true);
    }
    const alone = await verify(path('stamped.json'), ...args.slice(0, 4));
    expect(alone.out).toContain('Not checked: signature, time stamps, time stamps of the checkpoints.');
  });

  it('is found in the store, by its chain', async () => {
    await fc.assert(
      fc.asyncProperty(byteChange, async (change) => {
        const settings = withByte(Buffer.from(note.settings), { ...change, byte: change.byte % 128 });
        fc.pre(settings.toString() !== note.settings);
        const file = changedStamp(settings.toString(), false);
        const said = await verify(path('stamped.json'), '--store', file, ...witnessed);
        expect(said.status, said.out).toBe(1);
      }),
      { numRuns: 30 },
    );
  });

  it('is found where chain and report are made again, or changes nothing of what it says', async () => {
    const { checkpoint, token } = JSON.parse(note.settings) as { checkpoint: string; token: string };
    await fc.assert(
      fc.asyncProperty(byteChange, async (change) => {
        const bytes = withByte(Buffer.from(token, 'base64'), change);
        fc.pre(bytes.toString('base64') !== token);
        const settings = JSON.stringify({ checkpoint, token: bytes.toString('base64') });
        const file = changedStamp(settings, true);
        expect((await verify(path('stamped.json'), '--store', file, ...witnessed)).status).toBe(1);
        const made = ['june', '--store', file, '--out', path('stamped-again.json'), ...witnessed];
        await sandgate(['report', ...made]);
        const said = await verify(path('stamped-again.json'), '--store', file, ...witnessed);
        // What no signature covers, a version say, may be another; never what is told.
        const isSame =
          said.status === 0 && said.out.includes(`stamped ${new Date(NOW).toISOString()} by CN=Minted TSA`);
        expect(isSame || (said.status === 1 && /time stamps +FAILED/.test(said.out)), said.out).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
