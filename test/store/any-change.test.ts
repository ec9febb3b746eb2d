/** Any single change of any row of a session is found, whatever it is, with the exchange named where it is about one. */
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkWitness, createWitness, openSigner } from '../../src/evidence/index.js';
import { idOfNumber } from '../../src/exchange/index.js';
import { createSqliteStore, type LocalStore, noteIn } from '../../src/store/index.js';
import { aCertificate, NOW, unwatched } from '../builders.js';
import { aPath, append, aStore, recordSource } from './stores.js';

/** Key columns first. */
const TABLES = {
  exchanges: [
    'id',
    'chain',
    'seq',
    'hash',
    'own',
    'shape',
    'verdicts',
    'findings',
    'request_body',
    'answer_body',
  ],
  beginnings: ['id', 'chain', 'seq', 'hash', 'own', 'shape', 'verdicts', 'findings', 'request_body'],
  notes: ['id', 'chain', 'seq', 'hash', 'at', 'kind', 'settings'],
  chains: ['id', 'session', 'started_at', 'last_at', 'last', 'head', 'exchanges', 'begun'],
  parts: ['part', 'chain', 'content'],
  certificates: ['reference', 'chain', 'facts'],
  identity: ['store'],
} as const;
type Table = keyof typeof TABLES;
type Row = Record<string, unknown>;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS = [{ pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), name: 'evidence.pub' }];

/** With everything that a session can have: a switch, beginnings, long texts, certificates, a removal, checkpoints. */
async function fill(store: LocalStore): Promise<void> {
  const sign = openSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'key');
  const witness = createWitness({
    ...{ store, sign, clock: () => NOW, timer: unwatched.timer, onCheckpoint: () => {} },
    onProblem: (error) => expect(error).toBeUndefined(),
  });
  noteIn(store, 'test', { at: NOW, kind: 'started', settings: { stance: 'observe', profile: 'sandbox' } });
  const next = recordSource();
  const other = aCertificate({ commonName: 'other' });
  const records = Array.from({ length: 14 }, (_, i) =>
    next({
      call: {
        operation: 'payments.create',
        body: { i, text: 'y'.repeat(i * 60) },
        ...(i % 3 === 0 ? { certificate: other } : {}),
      },
      answer: { body: { text: 'x'.repeat(i % 2 === 0 ? 500 : 20_000), kind: i % 3 } },
    }),
  );
  append(store, ...records.slice(0, 8));
  noteIn(store, 'test', { at: NOW + 9, kind: 'changed', settings: { profile: 'production' } });
  for (const record of records.slice(8, 12)) {
    const fault = { kind: 'unfinished', message: 'Sent to the bank.' } as const;
    const begun = { ...record, exchange: { ...record.exchange, answer: null, fault } };
    store.append({ begun: [begun], records: [], changes: [] });
    if (record !== records[11]) append(store, record);
  }
  for (const _ of store.remove('test', { before: records[3]?.exchange.call.id ?? '', at: NOW + 50 }));
  append(store, ...records.slice(12));
  await witness.close();
}

let base = '';
beforeAll(async () => {
  const { mkdtempSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  base = join(mkdtempSync(join(tmpdir(), 'sandgate-any-')), 'base.db');
  const store = createSqliteStore({ path: base });
  await fill(store);
  store.close();
  return async () => {
    const { rmSync } = await import('node:fs');
    rmSync(join(base, '..'), { recursive: true });
  };
});

/** All that anybody reads of the session. */
function reading(store: LocalStore): unknown {
  const unreadable: string[] = [];
  const records = [...store.read('test', { onUnreadable: (id) => unreadable.push(id) })];
  return {
    sessions: store.sessions(),
    chain: store.chains.of('test')[0],
    notes: store.chains.notes('test'),
    ...{ records, unreadable, unfinished: store.calls.unfinished('test') },
    links: records.map(({ exchange }) => store.chains.linkOf(exchange.call.id)),
  };
}

const readingOf = (store: LocalStore): string => {
  try {
    return JSON.stringify(reading(store));
  } catch (error) {
    // A beginning that cannot be read.
    return String(error);
  }
};

const changeArbitrary = fc.record({
  how: fc.constantFrom('bend', 'bend', 'bend', 'empty', 'retype', 'swap', 'delete', 'copy'),
  place: fc.nat(),
  column: fc.nat(),
  other: fc.nat(),
  bit: fc.integer({ min: 0, max: 7 }),
});
type Change = typeof changeArbitrary extends fc.Arbitrary<infer C> ? C : never;

function bent(value: unknown, place: number, bit: number): unknown {
  if (typeof value === 'number') return value + (place % 2 === 0 ? 1 : -1) * 2 ** bit;
  if (typeof value === 'string') {
    const at = value.length === 0 ? 0 : place % value.length;
    return `${value.slice(0, at)}${value[at] === 'x' ? 'y' : 'x'}${value.slice(at + 1)}`;
  }
  if (!(value instanceof Uint8Array)) return 'x';
  const bytes = Buffer.from(value);
  const at = place % bytes.length;
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  return bytes;
}

function newValue(row: Row, other: Row, column: string, { how, place, bit }: Change): unknown {
  const value = row[column];
  if (how === 'empty') return null;
  if (how === 'swap') return other[column];
  if (how === 'retype') return [Buffer.from('7'), 'seven', 7.5, -7, 2 ** 53][place % 5];
  return bent(value, place, bit);
}

/** Does it; null where the database refuses it, or nothing is changed by it. Else the row that it was done to. */
function apply(
  db: Sqlite.Database,
  table: Table,
  change: Change,
): { row: Row; column: string | null } | null {
  const rows = db.prepare(`SELECT * FROM ${table}`).all() as Row[];
  const [row, other] = [rows[change.place % rows.length], rows[change.other % rows.length]] as [Row, Row];
  const columns = TABLES[table];
  const [key] = columns;
  const where = `${key} = ?`;
  try {
    if (change.how === 'delete') {
      db.prepare(`DELETE FROM ${table} WHERE ${where}`).run(row[key]);
      return { row, column: null };
    }
    if (change.how === 'copy') {
      const copy: Row = {
        ...row,
        [key]: typeof row[key] === 'number' ? (row[key] as number) + 1_000_003 : 'x',
      };
      if (table === 'chains') copy.session = 'copy';
      db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`).run(
        columns.map((column) => copy[column]),
      );
      return { row, column: null };
    }
    const column = columns[change.column % columns.length] as string;
    const value = newValue(row, other, column, change);
    if (value === row[column]) return null;
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(value, row[key]);
    return { row, column };
  } catch (error) {
    expect(String((error as { code?: unknown }).code)).toMatch(/^SQLITE_(?:CONSTRAINT|MISMATCH)/);
    return null;
  }
}

describe.each(Object.keys(TABLES) as Table[])('any single change of a row of %s', (table) => {
  // Each column is bent, emptied, retyped and swapped some three times, and rows are deleted and copied.
  const numRuns = Math.max(60, 3 * (4 * TABLES[table].length + 2));

  it('is found with the exchange named, or changes nothing that is read', async () => {
    const untouched = aStore({ path: base, readonly: true });
    expect([...untouched.chains.verify('test')]).toEqual([]);
    const before = readingOf(untouched);
    const path = aPath();
    let found = 0;
    await fc.assert(
      fc.asyncProperty(changeArbitrary, async (change) => {
        copyFileSync(base, path);
        const db = new Sqlite(path);
        db.pragma('synchronous = OFF');
        const done = apply(db, table, change);
        db.close();
        if (done === null) return;
        const store = createSqliteStore({ path, readonly: true });
        try {
          const breaks = [...store.chains.verify('test')];
          const { checkpoints } = await checkWitness(store, 'test', { keys: KEYS });
          if (breaks.length > 0) {
            found += 1;
            const named = breaks.map(({ exchange }) => exchange);
            const id = table === 'exchanges' ? idOfNumber(Math.abs(done.row.id as number)) : null;
            const isHere =
              id !== null && done.column !== null && !['id', 'chain', 'seq'].includes(done.column);
            if (isHere) expect(named).toContain(id);
            return;
          }
          const isGone = store.sessions().every(({ name }) => name !== 'test');
          if (isGone || checkpoints.some(({ state }) => state === 'differs')) return;
          const after = readingOf(store);
          if (table === 'chains' && change.how === 'copy') return;
          expect(after).toBe(before);
        } finally {
          store.close();
        }
      }),
      { numRuns },
    );
    // The database refuses some, and others change nothing; a certificate most of all.
    expect(found).toBeGreaterThan(numRuns / (table === 'certificates' ? 30 : 6));
  });
});
