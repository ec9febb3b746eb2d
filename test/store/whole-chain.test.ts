/** The chain holds all of a session: its beginning, its notes, what was removed of it, and what others did to it. */
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { numberOfId } from '../../src/exchange/index.js';
import { type LocalStore, noteIn } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

const SETTINGS = { stance: 'observe', profile: 'sandbox', waivers: [] } as const;

/** A start, `count` exchanges, and a switch in the middle of them. */
function filled(count = 20): { path: string; store: LocalStore; next: ReturnType<typeof recordSource> } {
  const path = aPath();
  const store = aStore({ path });
  const next = recordSource();
  noteIn(store, 'test', { at: NOW, kind: 'started', settings: SETTINGS });
  append(store, ...Array.from({ length: count / 2 }, () => next()));
  noteIn(store, 'test', { at: NOW + 5_000, kind: 'changed', settings: { profile: 'production' } });
  append(store, ...Array.from({ length: count / 2 }, () => next()));
  return { path, store, next };
}

function tamper(path: string, ...statements: string[]): void {
  const db = new Sqlite(path);
  for (const sql of statements) db.exec(sql);
  db.close();
}

const kindsIn = (store: LocalStore, session = 'test') =>
  [...store.chains.verify(session)].map(({ kind }) => kind);

describe('the beginning of a session', () => {
  it('is the first entry of its chain: its name, its store, its time, and where it came from', () => {
    const { store } = filled();
    const [created, ...rest] = store.chains.notes('test');
    expect(rest).toEqual([]);
    expect(created).toEqual({
      store: store.chains.of('test')[0]?.store,
      seq: 1,
      at: NOW,
      kind: 'created',
      settings: {
        session: 'test',
        store: store.chains.of('test')[0]?.store,
        startedAt: NOW,
        origin: 'gateway',
      },
    });
    expect(store.chains.of('test')[0]).toMatchObject({
      entries: 23,
      origin: 'gateway',
      removed: null,
    });
    expect([...store.chains.verify('test')]).toEqual([]);
  });

  it('says of an imported session that it was imported, whatever its notes say later', () => {
    const store = aStore();
    noteIn(store, 'far', { at: NOW, kind: 'imported', settings: {} });
    append(store, recordSource('far')());
    expect(store.chains.of('far')[0]?.origin).toBe('file');
  });

  it('cannot go with the exchanges behind it, whatever the session says of itself', () => {
    const { path, store } = filled();
    const first = `(SELECT min(seq) FROM exchanges WHERE seq > 12)`;
    tamper(path, `DELETE FROM exchanges WHERE seq < ${first}`);
    tamper(path, 'UPDATE chains SET exchanges = (SELECT count(*) FROM exchanges)');
    expect([...store.chains.verify('test')]).toMatchObject([
      { kind: 'missing', seq: 13, exchange: null, note: 'changed', missing: 10 },
    ]);
    tamper(path, 'DELETE FROM notes WHERE seq < 13');
    expect(kindsIn(store)).toEqual(['beginning', 'missing']);
  });

  it('of another store or session is none', () => {
    const { path, store } = filled();
    tamper(path, "UPDATE identity SET store = 'another'");
    expect([...store.chains.verify('test')]).toEqual([
      { kind: 'beginning', seq: 0, exchange: null, missing: 0 },
    ]);
    tamper(path, "UPDATE chains SET session = 'renamed'");
    expect(kindsIn(aStore({ path }), 'renamed')).toContain('beginning');
  });
});

describe('the notes of a session', () => {
  it.each([
    [
      'changed',
      `UPDATE notes SET settings = replace(settings, 'observe', 'enforce') WHERE seq = 2`,
      'changed',
      2,
    ],
    ['moved in time', 'UPDATE notes SET at = at + 1 WHERE seq = 2', 'changed', 2],
    ['of another kind', `UPDATE notes SET kind = 'stopped' WHERE seq = 13`, 'changed', 13],
    ['no JSON any more', `UPDATE notes SET settings = '{' WHERE seq = 13`, 'changed', 13],
    ['gone', 'DELETE FROM notes WHERE seq = 13', 'missing', 14],
    ['one more', `INSERT INTO notes (chain, at, kind, settings) VALUES (1, 5, 'changed', '{}')`, 'added', 0],
    [
      'one more at the end',
      `INSERT INTO notes (chain, at, kind, settings, seq, hash) VALUES (1, 5, 'changed', '{}', 24, 'x')`,
      'added',
      24,
    ],
  ])('%s: told, and nothing fails', (_, sql, kind, seq) => {
    const { path, store } = filled();
    tamper(path, sql);
    const breaks = [...store.chains.verify('test')];
    expect(breaks[0]).toMatchObject({ kind, seq });
    expect(store.sessions()).toHaveLength(1);
  });
});

describe('what the store says of a session as a whole', () => {
  it.each([
    'last_at = last_at + 1',
    'started_at = started_at - 1',
    'exchanges = exchanges - 1',
    'begun = 1',
    "head = 'x'",
    'last = last - 1',
    'last = last + 1',
    "last_at = 'soon'",
    "exchanges = x'00'",
    'last = NULL',
  ])('is found wanting where it is changed: %s', (change) => {
    const { path, store } = filled();
    try {
      tamper(path, `UPDATE chains SET ${change}`);
    } catch (error) {
      // What may not be NULL cannot be.
      expect(String(error)).toContain('NOT NULL');
      return;
    }
    expect([...store.chains.verify('test')]).not.toEqual([]);
    expect(store.sessions()).toHaveLength(1);
    expect(idsIn(store)).toHaveLength(20);
  });
});

describe('rows that somebody else puts into the store', () => {
  const copy = (id: number, seq: string) =>
    `INSERT INTO exchanges SELECT ${id}, chain, ${seq}, hash, own, shape, verdicts, findings, request_body, answer_body, NULL FROM exchanges WHERE seq = 5`;

  it.each([
    ['behind the end', '24', 'added'],
    ['at the next place', '24', 'added'],
    ['far behind it', '9000000000000000000', 'added'],
    ['before the beginning', '-3', 'added'],
    ['at a place that is taken', '9', 'added'],
    ['at a place that is no number', "'x'", 'added'],
    ['between two places', '7.5', 'added'],
  ])('%s: found, and the session goes on', (_, seq, kind) => {
    const { path, store, next } = filled();
    tamper(path, copy(77, seq));
    expect(kindsIn(store)).toContain(kind);
    append(store, next(), next());
    expect(kindsIn(store).length).toBeGreaterThan(0);
    append(aStore({ path }), next());
    expect(store.sessions()[0]?.exchanges).toBe(23);
  });

  it('under the id of an exchange that is to come do not make it fail, and it is told which one is ours', () => {
    const { path, store, next } = filled();
    const record = next();
    const { id } = record.exchange.call;
    tamper(path, copy(numberOfId(id) ?? 0, '24'));
    append(store, record, next());
    expect(store.chains.notes('test', 'disturbed')).toMatchObject([
      { settings: { expected: { last: 23 }, found: { last: 24 } } },
      { settings: { expected: { exchange: id }, found: { exchange: expect.not.stringMatching(id) } } },
    ]);
    const breaks = [...store.chains.verify('test')];
    expect(breaks.filter(({ kind }) => kind === 'changed')).toMatchObject([{ seq: 24, exchange: id }]);
    expect(breaks.filter(({ kind }) => kind === 'disturbed')).toHaveLength(2);
    expect(idsIn(store)).toHaveLength(23);
  });

  it('with an id of the far future do not use up the ids', () => {
    const { path, store, next } = filled();
    const newest = store.calls.newest() ?? '';
    tamper(path, copy(2 ** 53 - 1, '24'), copy(-(2 ** 60), '25'));
    expect(store.calls.newest(newest)).toBe(newest);
    append(store, next());
  });

  it('or take away at the end are missed when the gateway goes on', () => {
    const { path, store, next } = filled();
    tamper(path, 'DELETE FROM exchanges WHERE seq = 23', 'UPDATE chains SET last = 22, exchanges = 19');
    append(store, next());
    expect(kindsIn(store)).toEqual(['missing', 'disturbed']);
  });

  it('or change at the end, links and all, are missed when the gateway goes on', () => {
    const { path, store, next } = filled();
    tamper(path, "UPDATE exchanges SET hash = 'forged' WHERE seq = 23", "UPDATE chains SET head = 'forged'");
    append(store, next());
    expect(kindsIn(store)).toEqual(['changed', 'disturbed']);
  });
});

describe('what is removed of a session that goes on', () => {
  it('is noted in its chain, and the chain stays sound', () => {
    const { store, next } = filled();
    const ids = idsIn(store);
    expect([...store.remove('test', { before: ids[15] as string, at: NOW + 9_000 })]).toEqual([15]);
    expect([...store.chains.verify('test')]).toEqual([]);
    expect(store.chains.of('test')[0]?.removed).toMatchObject({
      ...{ exchanges: 15, from: ids[0], to: ids[14], lost: 0, through: 18 },
      gaps: [
        [3, 12, expect.any(String), expect.any(String)],
        [14, 18, expect.any(String), expect.any(String)],
      ],
    });
    expect(store.sessions()[0]).toMatchObject({ exchanges: 5, lastAt: NOW + 5_000 });
    append(store, next());
    for (const _ of store.remove('test', { before: ids[18] as string, at: NOW + 10_000 }));
    expect(store.chains.of('test')[0]?.removed).toMatchObject({ exchanges: 18, from: ids[0], to: ids[17] });
    expect([...store.chains.verify('test')]).toEqual([]);
    expect(store.sessions()[0]?.notes.map(({ kind }) => kind)).toEqual(['started', 'changed']);
  });

  it('leaves no more notes on removals than the newest ones', () => {
    const { store, next } = filled();
    for (let i = 0; i < 8; i++) {
      append(store, ...Array.from({ length: 10 }, () => next()));
      for (const _ of store.remove('test', { before: idsIn(store)[10] as string, at: NOW }));
    }
    expect(store.chains.notes('test', 'removed').length).toBeLessThan(5);
    expect(store.chains.of('test')[0]?.removed?.exchanges).toBe(80);
    expect([...store.chains.verify('test')]).toEqual([]);
  });

  it('is sound at each step, and goes on after a crash with the next removal', () => {
    const { path, store, next } = filled(500);
    const ids = idsIn(store);
    for (const _ of store.remove('test', { before: ids[350] as string, at: NOW })) {
      expect([...store.chains.verify('test')]).toEqual([]);
      break;
    }
    expect(idsIn(store).length).toBe(400);
    const other = aStore({ path });
    append(other, next());
    expect([...other.remove('test', { before: ids[350] as string, at: NOW })]).toEqual([100, 100, 50]);
    expect([...other.chains.verify('test')]).toEqual([]);
    expect(store.chains.notes('test', 'removed')).toHaveLength(1);
  });

  it('does not cover what somebody else had taken away before', () => {
    const { path, store } = filled();
    const ids = idsIn(store);
    tamper(path, 'DELETE FROM exchanges WHERE seq IN (5, 6)', 'UPDATE chains SET exchanges = 18');
    for (const _ of store.remove('test', { before: ids[15] as string, at: NOW }));
    expect([...store.chains.verify('test')]).toMatchObject([
      { kind: 'missing', note: 'removed', missing: 2 },
    ]);
  });

  it('reaches no further than the end, whatever somebody has put behind it', () => {
    const { path, store, next } = filled();
    tamper(
      path,
      'INSERT INTO exchanges SELECT 77, chain, 5000000, hash, own, shape, verdicts, findings, request_body, answer_body, NULL FROM exchanges WHERE seq = 5',
    );
    append(store, next());
    for (const _ of store.remove('test', { before: '7ZZZZZZZZZZ', at: NOW }));
    expect(store.chains.of('test')[0]?.removed).toMatchObject({ exchanges: 21, through: 24 });
    append(store, next());
    expect([...store.chains.verify('test')]).toMatchObject([{ kind: 'added', seq: 5_000_000 }]);
  });

  it.each([
    `'$.gaps', json('[null]')`,
    `'$.gaps', json('null')`,
    `'$.through', 'x'`,
    `'$.lost', json('{}')`,
    `'$.lastAt', json('[]')`,
  ])('is found wanting where its note was changed: %s', (change) => {
    const { path, store } = filled();
    for (const _ of store.remove('test', { before: idsIn(store)[15] as string, at: NOW }));
    tamper(path, `UPDATE notes SET settings = json_set(settings, ${change}) WHERE kind = 'removed'`);
    expect([...store.chains.verify('test')]).not.toEqual([]);
    tamper(
      path,
      `UPDATE notes SET settings = json_set(settings, '$.earlier', json('null')) WHERE kind = 'created'`,
    );
    expect([...store.chains.verify('test')]).not.toEqual([]);
    expect(store.chains.of('test')[0]).not.toBeNull();
  });

  it('cannot be more than its note says', () => {
    const { path, store } = filled();
    const ids = idsIn(store);
    for (const _ of store.remove('test', { before: ids[15] as string, at: NOW }));
    tamper(path, 'DELETE FROM exchanges WHERE seq = 19', 'UPDATE chains SET exchanges = 4');
    expect(kindsIn(store)).toEqual(['missing']);
  });
});

describe('an exchange alone', () => {
  it('is sound by its own link and the one after it', () => {
    const { path, store } = filled();
    const ids = idsIn(store);
    for (const id of ids) expect(store.chains.verifyLink(id)).toEqual([]);
    tamper(
      path,
      "UPDATE exchanges SET own = replace(own, 'payments', 'paymentz'), verdicts = '{}' WHERE seq = 7",
    );
    expect(store.chains.verifyLink(ids[4] as string)).toMatchObject([{ kind: 'changed', exchange: ids[4] }]);
    expect(store.chains.verifyLink(ids[3] as string)).toMatchObject([{ kind: 'changed', exchange: ids[4] }]);
    expect(store.chains.verifyLink(ids[2] as string)).toEqual([]);
    tamper(path, "UPDATE exchanges SET hash = 'forged' WHERE seq = 10");
    expect(store.chains.verifyLink(ids[6] as string)).toMatchObject([{ kind: 'changed' }]);
    tamper(path, 'DELETE FROM exchanges WHERE seq = 16');
    expect(store.chains.verifyLink(ids[13] as string)).toMatchObject([{ kind: 'missing' }]);
    for (const _ of store.remove('test', { before: ids[17] as string, at: NOW }));
    expect(store.chains.verifyLink(ids[17] as string)).toEqual([]);
  });
});
