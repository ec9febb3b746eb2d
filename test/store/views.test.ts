/** The views for SQL tools: the same rows in SQLite and PostgreSQL, as docs/schema.md says. */
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXAMPLES } from '../../scripts/schema-doc.js';
import { timeOfId } from '../../src/exchange/index.js';
import { openStore, type RecordedExchange, type Store, VIEWS } from '../../src/store/index.js';
import { type CallParts, NOW, TPP } from '../builders.js';
import { aSchema, rowsOf } from '../postgres/schemas.js';
import { aPath, recordSource } from './stores.js';

interface Reader {
  readonly name: string;
  readonly ask: (sql: string) => Promise<unknown[][]>;
  readonly change: (sql: string) => Promise<unknown>;
}

/** Both drivers with the same records, each open for recording, and a reader beside it. */
async function readers(encrypt = false): Promise<readonly [Reader, Reader]> {
  const [path, address] = [aPath(), aSchema()];
  for (const place of [path, address]) {
    const store = await openStore(place, { encrypt, postgres: { keyFile: aPath('store.key') } });
    onTestFinished(() => store.close());
    await fill(store);
  }
  const db = new Sqlite(path, { readonly: true });
  onTestFinished(() => void db.close());
  const schema = new URL(address).searchParams.get('schema');
  const inSchema = (sql: string) => rowsOf(sql.replaceAll(/\b(\w+_view|keys)\b/g, `${schema}.$1`));
  return [
    {
      name: 'SQLite',
      ask: async (sql) => db.prepare(sql).raw().all() as unknown[][],
      change: async (sql) => new Sqlite(path).exec(sql).close(),
    },
    {
      name: 'PostgreSQL',
      ask: async (sql) => withNumbers(await inSchema(sql)),
      change: inSchema,
    },
  ];
}

/** The driver of PostgreSQL gives numbers of 64 bits as texts. */
const withNumbers = (rows: readonly unknown[][]) =>
  rows.map((row) => row.map((one) => (typeof one === 'string' && /^\d+$/.test(one) ? Number(one) : one)));

const finding = (expected: string) =>
  ({
    rule: 'accounts/token-present',
    severity: 'must',
    judges: 'tpp',
    place: 'header Authorization',
    expected,
  }) as const;

/** Read, odd, long, with findings that stand alone, are shared, and are long; one that has not ended. */
async function fill(store: Store): Promise<void> {
  const next = recordSource('monday');
  const read = (call: CallParts = {}) =>
    next({ call: { target: '/stdgroup/v1/accounts?name=Anna', operation: 'accounts.list', ...call } });
  const violating = (expected: string): RecordedExchange => ({
    ...read(),
    findings: [finding(expected), { ...finding(expected), actual: 'none', waived: 'known' }],
  });
  const shared = 'a token '.repeat(60);
  const records = [
    read(),
    read({ target: '/stdgroup/v1/odd', params: { id: 'a\u0000b\ud800' } }),
    read({ target: `/stdgroup/v1/${'long'.repeat(3_000)}` }),
    ...['a token', shared, shared, shared, 'long'.repeat(3_000)].map(violating),
  ];
  for (const one of records) await store.append({ records: [one], changes: [] });
  const { exchange, ...rest } = read();
  const fault = { kind: 'unfinished', message: 'Sent to the bank.' } as const;
  await store.append({
    begun: [{ ...rest, exchange: { ...exchange, answer: null, fault } }],
    records: [],
    changes: [],
  });
}

describe('the views', () => {
  it('have the documented columns, and the same rows in both stores', async () => {
    const [sqlite, postgres] = await readers();
    for (const { name, columns } of VIEWS) {
      const sql = `SELECT ${columns.map((one) => one.name).join(', ')} FROM ${name} ORDER BY 1, 2, 3, 4`;
      const rows = await sqlite.ask(sql);
      expect(rows.length, name).toBeGreaterThan(0);
      expect(await postgres.ask(sql), name).toEqual(rows);
      const all = await sqlite.ask(`SELECT * FROM ${name}`);
      expect(all[0], name).toHaveLength(columns.length);
    }
  });

  it('show each exchange under its id, without its query', async () => {
    for (const { name, ask } of await readers()) {
      const rows = await ask(
        'SELECT id, session, at, tpp, method, path, operation, status, source, fault, findings, withheld FROM exchange_view ORDER BY id',
      );
      const start = ['monday', new Date(NOW + 1).toISOString(), TPP, 'GET', '/stdgroup/v1/accounts'];
      expect(rows[0]?.slice(1), name).toEqual([...start, 'accounts.list', 200, 'emulator', null, 0, null]);
      expect(timeOfId(String(rows[0]?.[0]))).toBe(NOW + 1);
      expect(rows.map((row) => row.at(-2))).toEqual([0, 0, 0, 2, 2, 2, 2, 0, 0]);
      expect(rows.map((row) => row.at(-1))).toEqual([
        ...[null, null, 'compressed', null, null, null, null, 'compressed', null],
      ]);
      expect(rows.map((row) => row.at(-3)).filter((one) => one !== null)).toEqual(['unfinished']);
    }
  });

  it('show findings, also those that several exchanges share', async () => {
    for (const { name, ask } of await readers()) {
      const rows = await ask(
        'SELECT rule, place, actual, waived, length(expected) FROM finding_view ORDER BY exchange, actual',
      );
      const [rule, place] = ['accounts/token-present', 'header Authorization'];
      expect(
        rows.map((row) => row.at(-1)),
        name,
      ).toEqual([7, 7, 480, 480, 480, 480, 480, 480]);
      expect(rows.filter((row) => row[3] === null)).toHaveLength(4);
      expect(new Set(rows.map((row) => [row[0], row[1]].join()))).toEqual(new Set([`${rule},${place}`]));
    }
  });

  it('show of enciphered exchanges what is in clear, and those whose key is gone as erased', async () => {
    for (const { name, ask, change } of await readers(true)) {
      const states = async () => [...new Set((await ask('SELECT withheld FROM exchange_view')).flat())];
      expect(await states(), name).toEqual(['enciphered']);
      const rows = await ask('SELECT operation, status, findings FROM exchange_view ORDER BY id');
      expect(rows[3]).toEqual(['accounts.list', 200, 2]);
      expect(await ask('SELECT DISTINCT expected, actual FROM finding_view')).toEqual([
        ['content that can be read', null],
      ]);
      await change('DELETE FROM keys');
      expect(await states(), name).toEqual(['erased']);
    }
  });

  it('cannot be written to', async () => {
    for (const { name, change } of await readers())
      for (const view of VIEWS)
        await expect(change(`DELETE FROM ${view.name}`), `${name} ${view.name}`).rejects.toThrow(/view/);
  });

  it.each(EXAMPLES)('answer the example: %s', async (_, sql) => {
    const [sqlite, postgres] = await readers();
    const rows = await sqlite.ask(sql);
    expect(rows.length).toBeGreaterThan(0);
    expect(await postgres.ask(sql)).toEqual(rows);
  });
});
