/** The hash chain of a session: whatever is changed behind the store's back is found. */
import { copyFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { LocalStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { all } from '../rows.js';
import { aPath, append, aStore, recordSource } from './stores.js';

const BODY = { text: 'z'.repeat(600) };
const FINDING = {
  rule: 'accounts/token-present',
  severity: 'must',
  judges: 'tpp',
  place: 'header Authorization',
  expected: 'Bearer',
} as const;

/** Twenty exchanges of one session, among those of another. */
function filled(): { path: string; store: LocalStore } {
  const path = aPath();
  const store = aStore({ path });
  const [next, other] = [recordSource('test'), recordSource('other')];
  for (let i = 0; i < 20; i++) {
    const call = { operation: 'payments.create', body: { i } } as const;
    append(store, { ...next({ call, answer: { body: BODY } }), findings: [FINDING] });
    if (i % 3 === 0) append(store, { ...other({ call: { id: `0000000${1000 + i}` } }) });
  }
  return { path, store };
}

function tamper(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}

const at = (seq: number) => `chain = (SELECT id FROM chains WHERE session = 'test') AND seq = ${seq}`;

describe('the chain of a session', () => {
  it('is sound for what was recorded, also when it was written by several processes', () => {
    const { path, store } = filled();
    const second = aStore({ path });
    const [a, b] = [recordSource('test', Date.UTC(2026, 7, 1)), recordSource('test', Date.UTC(2026, 8, 1))];
    for (let i = 0; i < 20; i++) {
      append(store, a(), a());
      append(second, b());
    }
    expect([...store.chains.verify('test')]).toEqual([]);
    expect([...store.chains.verify('other')]).toEqual([]);
    expect(store.sessions()[0]?.exchanges).toBe(80);
  });

  it.each([
    ['its target', `UPDATE exchanges SET own = replace(own, 'payments', 'paymentz') WHERE ${at(7)}`],
    ['its answer', `UPDATE exchanges SET answer_body = '{"text":"no"}' WHERE ${at(7)}`],
    ['its request', `UPDATE exchanges SET request_body = '{"i":7}' WHERE ${at(7)}`],
    ['its verdicts', `UPDATE exchanges SET verdicts = '{}' WHERE ${at(7)}`],
    ['its findings', `UPDATE exchanges SET findings = NULL WHERE ${at(7)}`],
    ['its status', `UPDATE exchanges SET shape = '{"format":1}' WHERE ${at(7)}`],
    ['its id', `UPDATE exchanges SET id = id + 1 WHERE ${at(7)}`],
    ['its bytes into garbage', `UPDATE exchanges SET own = x'00ff' WHERE ${at(7)}`],
  ])('tells an exchange with %s changed', (_, sql) => {
    const { path, store } = filled();
    tamper(path, sql);
    expect([...store.chains.verify('test')]).toEqual([
      { kind: 'changed', seq: 7, exchange: expect.any(String), missing: 0 },
    ]);
    expect([...store.chains.verify('other')]).toEqual([]);
  });

  it.each([
    ['a text that they share', "UPDATE parts SET content = replace(content, 'zzzz', 'zzzy')"],
    ['a certificate', "UPDATE certificates SET facts = replace(facts, 'good', 'fine')"],
    ['a text that is gone', 'DELETE FROM parts'],
    ['a certificate that is gone', 'DELETE FROM certificates'],
  ])('tells all exchanges that %s belongs to', (_, sql) => {
    const { path, store } = filled();
    tamper(path, sql);
    expect([...store.chains.verify('test')].length).toBeGreaterThan(10);
  });

  it('tells how many are missing, and goes on behind the gap', () => {
    const { path, store } = filled();
    tamper(path, `DELETE FROM exchanges WHERE ${at(5)}; DELETE FROM exchanges WHERE ${at(6)}`);
    tamper(path, `UPDATE exchanges SET verdicts = '{}' WHERE ${at(12)}`);
    expect([...store.chains.verify('test')]).toMatchObject([
      { kind: 'missing', seq: 7, missing: 2 },
      { kind: 'changed', seq: 12 },
    ]);
  });

  it('is gone along in turns, between which others have theirs, with the same breaks', async () => {
    const { path, store } = filled();
    const next = recordSource('test', NOW + 1_000);
    for (let i = 0; i < 10; i++) append(store, ...Array.from({ length: 200 }, () => next()));
    tamper(path, `UPDATE exchanges SET verdicts = '{}' WHERE ${at(1_700)}`);
    let [turns, isOver] = [0, false];
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    const found = await all(store.chains.verifyInTurns('test'));
    isOver = true;
    expect([found, found.length]).toEqual([[...store.chains.verify('test')], 1]);
    expect(turns).toBeGreaterThan(3);
  });

  it('tells a gap that was closed by counting again', () => {
    const { path, store } = filled();
    tamper(
      path,
      `DELETE FROM exchanges WHERE ${at(5)}; UPDATE exchanges SET seq = seq - 1 WHERE seq > 5 AND chain = (SELECT id FROM chains WHERE session = 'test')`,
    );
    tamper(path, "UPDATE chains SET last = last - 1 WHERE session = 'test'");
    expect([...store.chains.verify('test')][0]).toMatchObject({ kind: 'changed', seq: 5 });
  });

  it('tells exchanges that changed places', () => {
    const { path, store } = filled();
    tamper(
      path,
      `UPDATE exchanges SET seq = -1 WHERE ${at(8)}; UPDATE exchanges SET seq = 8 WHERE ${at(9)}; UPDATE exchanges SET seq = 9 WHERE ${at(-1)}`,
    );
    expect([...store.chains.verify('test')].map(({ seq }) => seq)).toEqual([8, 9, 10]);
  });

  it('tells that its end is gone, and that its beginning is', () => {
    const { path, store } = filled();
    tamper(
      path,
      `DELETE FROM exchanges WHERE ${at(21)}; DELETE FROM exchanges WHERE ${at(20)}; DELETE FROM exchanges WHERE ${at(2)}`,
    );
    expect([...store.chains.verify('test')]).toMatchObject([
      { kind: 'missing', seq: 3, missing: 1 },
      { kind: 'cut', seq: 21, exchange: null, missing: 2 },
    ]);
  });

  it('tells an exchange of another session that was moved into it', () => {
    const { path, store } = filled();
    tamper(
      path,
      `UPDATE exchanges SET chain = (SELECT id FROM chains WHERE session = 'test'), seq = 21
         WHERE chain = (SELECT id FROM chains WHERE session = 'other') AND seq = 7;
       UPDATE chains SET last = 21 WHERE session = 'test'`,
    );
    expect([...store.chains.verify('test')][0]).toMatchObject({ kind: 'changed', seq: 21 });
  });

  it('stops at the first break when no more is asked for', () => {
    const { path, store } = filled();
    tamper(path, 'DELETE FROM parts');
    expect(store.chains.verify('test').next().value).toMatchObject({ kind: 'changed' });
    append(store, recordSource('test', Date.UTC(2027, 0, 1))());
  });

  it('has a head that does not depend on how many were recorded at once', () => {
    const empty = aPath();
    aStore({ path: empty }).close();
    const heads = [1, 3].map((size) => {
      const path = aPath();
      copyFileSync(empty, path);
      const store = aStore({ path });
      const next = recordSource();
      const records = Array.from({ length: 9 }, () => next({ answer: { body: BODY } }));
      for (let i = 0; i < records.length; i += size) append(store, ...records.slice(i, i + size));
      return store.chains.of('test')[0]?.head;
    });
    expect(heads[0]).toBe(heads[1]);
  });
});

describe('the beginning of an exchange that was sent on', () => {
  /** Five that ended, and one that did not, each begun before. */
  function begun(): { path: string; store: LocalStore } {
    const path = aPath();
    const store = aStore({ path });
    const next = recordSource();
    for (let i = 0; i < 6; i++) {
      const record = next();
      const fault = { kind: 'unfinished', message: 'Sent to the bank.' } as const;
      const beginning = { ...record, exchange: { ...record.exchange, answer: null, fault } };
      store.append({ begun: [beginning], records: [], changes: [] });
      if (i < 5) append(store, record);
    }
    return { path, store };
  }

  it('is a link of its own, and no exchange that counts', () => {
    const { store } = begun();
    expect([...store.chains.verify('test')]).toEqual([]);
    expect([store.sessions()[0]?.exchanges, store.calls.unfinished('test').length]).toEqual([5, 1]);
    const ids = [...store.read('test')].map(({ exchange }) => exchange.call.id);
    expect(store.calls.unfinished('test', { ids }).map(({ exchange }) => exchange.answer)).toEqual(
      Array(5).fill(null),
    );
    expect(store.chains.linkOf(ids.at(-1) ?? '')).toBe(store.sessions()[0]?.head);
    expect(store.calls.newest()).toBe(store.calls.unfinished('test')[0]?.exchange.call.id);
  });

  it.each([
    ['is deleted', `DELETE FROM beginnings WHERE ${at(4)}`],
    ['and has no end is deleted', `DELETE FROM beginnings WHERE ${at(12)}`],
    [
      'is passed off as an exchange',
      `INSERT INTO exchanges SELECT id, chain, seq, hash, own, shape, verdicts, findings, request_body, NULL, NULL FROM beginnings WHERE ${at(12)}; DELETE FROM beginnings WHERE ${at(12)}`,
    ],
    [
      'takes the place of an exchange that is to be hidden',
      `INSERT INTO beginnings SELECT id + 1, chain, seq, hash, own, shape, verdicts, findings, request_body, NULL FROM exchanges WHERE ${at(5)}; DELETE FROM exchanges WHERE ${at(5)}`,
    ],
    ['is changed', `UPDATE beginnings SET own = replace(own, 'bank', 'bunk') WHERE ${at(12)}`],
    ['is not counted', 'UPDATE chains SET begun = begun - 1'],
  ])('that %s is found by the chain', (_, sql) => {
    const { path, store } = begun();
    tamper(path, sql);
    expect([...store.chains.verify('test')]).not.toEqual([]);
  });

  it.each([
    ['that is no JSON', `'{'`],
    ['that crossed fewer steps than none', `json_set(json_set(own, '$[11]', 0), '$[12]', -5)`],
  ])('%s is passed over by who asks for that, and told to everybody else', (_, own) => {
    const { path, store } = begun();
    const [last] = store.calls.unfinished('test');
    tamper(path, `UPDATE beginnings SET own = ${own} WHERE ${at(12)}`);
    const unreadable: string[] = [];
    expect(store.calls.unfinished('test', { onUnreadable: (id) => unreadable.push(id) })).toEqual([]);
    expect(unreadable).toEqual([last?.exchange.call.id]);
    expect(() => store.calls.unfinished('test')).toThrow(unreadable[0]);
  });

  it('goes with what is removed of a session, and the rest is sound', () => {
    const { store } = begun();
    const ids = [...store.read('test')].map(({ exchange }) => exchange.call.id);
    const removed = [...store.remove('test', { before: ids[3] ?? '', at: NOW })].reduce(
      (sum, one) => sum + one,
      0,
    );
    expect([removed, store.sessions()[0]?.exchanges, store.calls.unfinished('test').length]).toEqual([
      3, 2, 1,
    ]);
    expect([...store.chains.verify('test')]).toEqual([]);
    expect([...store.remove('test')].reduce((sum, one) => sum + one, 0)).toBe(2);
    expect(store.calls.unfinished('test')).toEqual([]);
  });
});
