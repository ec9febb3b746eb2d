/** Contents that are enciphered, each by the key of its consent or payment. */
import { rmSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore, openStore, type Store } from '../../src/store/index.js';
import { ANNA, BEN, filesWith, placesOf, plant } from '../cli/planted.js';
import { aSchema } from '../postgres/schemas.js';
import { record } from '../report/a-recording.js';
import { all } from '../rows.js';
import { aPath } from './stores.js';

const OF_ANNA = [ANNA.name, ANNA.iban];

function enciphered(path = aPath()): string {
  const store = createSqliteStore({ path, encrypt: true });
  record(store, placesOf(ANNA));
  record(store, placesOf(BEN));
  store.close();
  return path;
}

async function read(path: string) {
  const store = await openStore(path, { readonly: true });
  onTestFinished(store.close);
  return { records: await all(store.read('june')), breaks: await all(store.chains.verify('june')), store };
}

const change = (path: string, sql: string, ...values: unknown[]) => {
  const db = new Sqlite(path);
  db.prepare(sql).run(...values);
  db.close();
};

describe('a store that enciphers', () => {
  it('gives back what a plain one does, and holds none of it in clear', async () => {
    const plain = aPath();
    const store = createSqliteStore({ path: plain });
    const wanted = [...record(store, placesOf(ANNA)), ...record(store, placesOf(BEN))];
    store.close();
    const path = enciphered();
    const found = await read(path);
    const without = (all: readonly object[]) => JSON.stringify(all).replaceAll(/fp_[\w-]+/g, 'fp_');
    expect(without(found.records)).toBe(without(wanted));
    expect(found.breaks).toEqual([]);
    expect(filesWith(path, [...OF_ANNA, BEN.name])).toEqual([]);
  });

  it('without its key gives times, operations and verdicts, and its chain is sound', async () => {
    const path = enciphered();
    const { records: wanted } = await read(path);
    rmSync(`${path}.key`);
    const { records, breaks } = await read(path);
    expect(breaks).toEqual([]);
    const kept = ({ exchange: { call, answer }, verdicts, findings }: (typeof records)[number]) => [
      ...[call.id, call.at, call.operation, call.tpp, answer?.status, verdicts],
      findings.map(({ rule, severity }) => [rule, severity]),
    ];
    expect(records.map(kept)).toEqual(wanted.map(kept));
    expect(new Set(records.map(({ exchange }) => exchange.withheld))).toEqual(new Set(['enciphered']));
    expect(JSON.stringify(records)).not.toContain(ANNA.name);
    writeFileSync(`${path}.key`, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 });
    expect((await read(path)).records.every(({ exchange }) => exchange.withheld === 'enciphered')).toBe(true);
  });

  it('does not decipher what was moved to another exchange', async () => {
    const path = enciphered();
    const [one, two] = (await read(path)).records.map(({ exchange }) => exchange.call.id);
    change(
      path,
      'UPDATE exchanges SET own = (SELECT own FROM exchanges ORDER BY id LIMIT 1 OFFSET 1), request_body = (SELECT request_body FROM exchanges ORDER BY id LIMIT 1 OFFSET 1) WHERE id = (SELECT min(id) FROM exchanges)',
    );
    const { records, breaks } = await read(path);
    expect(records.find(({ exchange }) => exchange.call.id === one)?.exchange.withheld).toBe('enciphered');
    expect(records.find(({ exchange }) => exchange.call.id === two)?.exchange.withheld).toBeUndefined();
    expect(breaks.map(({ kind }) => kind)).toContain('changed');
  });

  it('shows that keys are gone without a note, and is sound where a note says so', async () => {
    const path = enciphered();
    const store = createSqliteStore({ path });
    const plan = {
      ofRecord: (one: object) => JSON.stringify(one).includes(ANNA.consent),
      ofText: (text: string) => text.includes(ANNA.consent),
    };
    const before = [...store.read('june')].filter((one) => JSON.stringify(one).includes(BEN.consent));
    const steps = [...store.erasures.contents('june', plan, Date.now())];
    expect(steps.reduce((sum, { exchanges }) => sum + exchanges, 0)).toBe(placesOf(ANNA).length);
    expect([...store.erasures.contents('june', plan, Date.now())]).toEqual([]);
    expect([...store.chains.verify('june')]).toEqual([]);
    const after = [...store.read('june')];
    expect(after.filter(({ exchange }) => exchange.withheld === 'erased')).toHaveLength(
      placesOf(ANNA).length,
    );
    expect(after.filter((one) => JSON.stringify(one).includes(BEN.consent))).toEqual(before);
    store.close();
    change(path, "DELETE FROM keys WHERE key LIKE 'c%'");
    const { breaks, records } = await read(path);
    expect(new Set(breaks.map(({ kind }) => kind))).toEqual(new Set(['erased']));
    expect(breaks).toHaveLength(
      records.filter(({ exchange }) => exchange.withheld !== undefined).length - placesOf(ANNA).length,
    );
  });

  it('is copied with its keys, and shared by gateways on PostgreSQL', async () => {
    const [address, keyFile] = [aSchema(), aPath('store.key')];
    const open = async (): Promise<Store> => {
      const store = await openStore(address, { encrypt: true, postgres: { keyFile } });
      onTestFinished(() => store.close());
      return store;
    };
    const [one, other] = [await open(), await open()];
    const source = createSqliteStore({ path: aPath() });
    plant(source, ANNA);
    const records = [...source.read('june')];
    source.close();
    for (const [i, record] of records.entries())
      await (i % 2 === 0 ? one : other).append({ records: [record], changes: [] });
    const found = await all(one.read('june'));
    expect(new Set(found.map(({ exchange }) => exchange.call.id))).toEqual(
      new Set(records.map(({ exchange }) => exchange.call.id)),
    );
    expect(found.every(({ exchange }) => exchange.withheld === undefined)).toBe(true);
    expect(await all(other.chains.verify('june'))).toEqual([]);
    const plan = {
      ofRecord: (record: object) => JSON.stringify(record).includes(ANNA.consent),
      ofText: () => false,
    };
    await all(one.erasures.contents('june', plan, Date.now()));
    await one.erasures.facts(() => false);
    for (const store of [one, other]) {
      await store.place.check(false);
      const left = await all(store.read('june'));
      expect(left.filter(({ exchange }) => exchange.withheld === 'erased')).toHaveLength(records.length);
      expect(await all(store.chains.verify('june'))).toEqual([]);
    }
  });
});
