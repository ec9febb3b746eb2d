/** What a gateway signs of a session while it records it, and what that shows of a session that was forged. */
import { generateKeyPairSync } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkWitness, createWitness, openCheckpoint, openSigner } from '../../src/evidence/index.js';
import { noteLink } from '../../src/store/chain.js';
import { type LocalStore, noteIn } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aPath, append, aStore, idsIn, recordSource } from '../store/stores.js';

/** What checkpoints say: no session begins after those that sign it. */
const SIGNED_AT = NOW + 60_000;

function aKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { pem, trusted: { pem: publicPem, name: 'evidence.pub' } };
}

/** A timer that is run by hand. */
function aTimer() {
  let waiting: (() => void) | null = null;
  const after = (_: number, run: () => void) => {
    waiting = run;
    return () => {
      waiting = null;
    };
  };
  return { timer: { after }, fire: () => waiting?.(), isSet: () => waiting !== null };
}

async function aWitness(store: LocalStore, key = aKey()) {
  const { timer, fire, isSet } = aTimer();
  const statements: string[] = [];
  const problems: unknown[] = [];
  const witness = createWitness({
    ...{ store, timer, clock: () => SIGNED_AT, sign: openSigner(key.pem, 'key') },
    onCheckpoint: ({ statement }) => statements.push(statement),
    onProblem: (error) => problems.push(error),
  });
  return { witness, statements, problems, fire, isSet, keys: [key.trusted], key };
}

const fill = (store: LocalStore, next: ReturnType<typeof recordSource>, count: number) =>
  append(store, ...Array.from({ length: count }, () => next()));

describe('a gateway that records', () => {
  it('signs what is left at its end, and all of it is witnessed', async () => {
    const store = aStore();
    const { witness, statements, keys, isSet } = await aWitness(store);
    noteIn(store, 'test', { at: NOW, kind: 'started', settings: {} });
    fill(store, recordSource(), 12);
    await witness.close();
    expect(isSet()).toBe(false);
    expect((await openCheckpoint(statements[0] ?? '', keys))?.checkpoint).toEqual({
      ...{ type: 'sandgate-checkpoint', version: 1, session: 'test', entries: 14, runs: [[1, 14]] },
      ...{
        store: store.chains.of('test')[0]?.store,
        head: expect.any(String),
        at: new Date(SIGNED_AT).toISOString(),
      },
    });
    expect(await checkWitness(store, 'test', { keys })).toMatchObject({
      ...{ breaks: [], unknown: 0, witnessed: 12, unwitnessed: 0 },
      checkpoints: [{ seq: 15, state: 'fits', key: 'evidence.pub' }],
    });
  });

  it('signs after each thousand entries, after each minute, and only where something was recorded', async () => {
    const store = aStore();
    const { witness, statements, fire } = await aWitness(store);
    const next = recordSource();
    fill(store, next, 999);
    witness.grew(999);
    fill(store, next, 1);
    witness.grew(1);
    await expect.poll(() => statements.length).toBe(1);
    fire();
    fill(store, next, 3);
    fire();
    await expect.poll(() => statements.length).toBe(2);
    fire();
    await witness.close();
    expect(statements).toHaveLength(2);
    expect(store.chains.notes('test', 'checkpoint')).toHaveLength(2);
  });

  it('vouches only for what it wrote, not for what another one did', async () => {
    const path = aPath();
    const [store, other] = [aStore({ path }), aStore({ path })];
    const { witness, keys } = await aWitness(store);
    const [next, others] = [recordSource('test'), recordSource('test', NOW + 50_000)];
    fill(store, next, 5);
    fill(other, others, 4);
    fill(store, next, 3);
    await witness.close();
    const checked = await checkWitness(store, 'test', { keys });
    expect(checked).toMatchObject({ breaks: [], witnessed: 8, unwitnessed: 4 });
    expect(checked.unwitnessedExchanges).toEqual(idsIn(store).slice(5, 9));
    const { witness: second, keys: more } = await aWitness(other);
    await second.close();
    expect(await checkWitness(store, 'test', { keys: [...keys, ...more] })).toMatchObject({ unwitnessed: 0 });
  });

  it('names an exchange once that has a beginning of its own', async () => {
    const store = aStore();
    const { witness, keys } = await aWitness(store);
    const next = recordSource();
    fill(store, next, 2);
    await witness.close();
    const record = next();
    const fault = { kind: 'unfinished', message: 'It has no end.' } as const;
    const begun = { ...record, exchange: { ...record.exchange, answer: null, fault } };
    store.append({ begun: [begun], records: [], changes: [] });
    append(store, record);
    const checked = await checkWitness(store, 'test', { keys });
    expect(checked).toMatchObject({ breaks: [], witnessed: 2, unwitnessed: 2 });
    expect(checked.unwitnessedExchanges).toEqual([record.exchange.call.id]);
  });

  it('does not bring back a session that was removed meanwhile', async () => {
    const store = aStore();
    const { witness } = await aWitness(store);
    fill(store, recordSource(), 5);
    for (const _ of store.remove('test'));
    await witness.close();
    expect(store.sessions()).toEqual([]);
  });

  it('keeps a checkpoint that could not be kept for the next time', async () => {
    const store = aStore();
    let isFull = true;
    const parts = {
      takeUnsigned: store.chains.takeUnsigned,
      append: (batch: Parameters<LocalStore['append']>[0]) => {
        if (isFull) throw new Error('full');
        store.append(batch);
      },
    };
    const { witness, problems, fire } = await aWitness({ ...store, ...parts });
    fill(store, recordSource(), 5);
    fire();
    await expect.poll(() => problems.length).toBe(1);
    isFull = false;
    await witness.close();
    expect(store.chains.notes('test', 'checkpoint')).toHaveLength(1);
  });
});

describe('a session that was forged', () => {
  /** A signed session of ten exchanges. */
  async function signed() {
    const path = aPath();
    const store = aStore({ path });
    const made = await aWitness(store);
    fill(store, recordSource(), 10);
    await made.witness.close();
    return { path, store, ...made };
  }

  it('and chained again is found by its checkpoint', async () => {
    const { path, store, keys } = await signed();
    const db = new Sqlite(path);
    // The last exchange goes, and the checkpoint is chained to the one before it.
    const [head, note] = db
      .prepare(
        "SELECT e.hash, n.settings FROM exchanges e, notes n WHERE e.seq = 10 AND n.kind = 'checkpoint'",
      )
      .raw()
      .get() as [string, string];
    const link = noteLink(head, 11, { session: 'test', at: SIGNED_AT, kind: 'checkpoint', settings: note });
    db.exec(`DELETE FROM exchanges WHERE seq = 11;
      UPDATE notes SET seq = 11, hash = '${link}' WHERE kind = 'checkpoint';
      UPDATE chains SET last = 11, head = '${link}', exchanges = 9, last_at = last_at - 1`);
    db.close();
    const checked = await checkWitness(store, 'test', { keys });
    expect(checked.breaks).toEqual([]);
    expect(checked).toMatchObject({ witnessed: 0, unwitnessed: 9, checkpoints: [{ state: 'differs' }] });
  });

  it('and recorded by another store, with another key or with the checkpoints of another session, is witnessed by nothing', async () => {
    const { store, keys, statements } = await signed();
    const forged = aStore();
    fill(forged, recordSource(), 10);
    expect(await checkWitness(forged, 'test', { keys, outside: statements })).toMatchObject({
      ...{ breaks: [], witnessed: 0, unwitnessed: 10, checkpoints: [{ seq: null, state: 'differs' }] },
    });
    expect(await checkWitness(store, 'test', { keys: [aKey().trusted] })).toMatchObject({
      ...{ unknown: 1, checkpoints: [], witnessed: 0 },
    });
  });

  it('without its end is found by a checkpoint that was kept outside', async () => {
    const { path, store, keys, statements } = await signed();
    const db = new Sqlite(path);
    const head = db.prepare('SELECT hash FROM exchanges WHERE seq = 9').pluck().get();
    db.exec(`DELETE FROM exchanges WHERE seq > 9; DELETE FROM notes WHERE seq > 9;
      UPDATE chains SET last = 9, head = '${head}', exchanges = 8, last_at = last_at - 2`);
    db.close();
    expect(await checkWitness(store, 'test', { keys })).toMatchObject({
      breaks: [],
      checkpoints: [],
      witnessed: 0,
    });
    expect((await checkWitness(store, 'test', { keys, outside: statements })).checkpoints).toMatchObject([
      { seq: null, state: 'differs' },
    ]);
  });

  it('is not one where only old exchanges were removed', async () => {
    const { store, keys } = await signed();
    const ids = idsIn(store);
    fill(store, recordSource('test', NOW + 90_000), 3);
    for (const _ of store.remove('test', { before: ids[4] as string, at: NOW }));
    expect(await checkWitness(store, 'test', { keys })).toMatchObject({
      ...{ breaks: [], witnessed: 6, unwitnessed: 3, checkpoints: [{ state: 'fits' }] },
    });
    for (const _ of store.remove('test', { before: idsIn(store)[7] as string, at: NOW }));
    expect((await checkWitness(store, 'test', { keys })).breaks).toEqual([]);
  });
});
