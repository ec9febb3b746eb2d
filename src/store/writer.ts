/** Decides what a batch becomes: sessions, exchanges with their links, notes and facts, all in one transaction. */
import { arrivedAt, type Exchange, idOfNumber, numberOfId } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import { exchangeLink } from './chain.js';
import { CHAIN_NOTES } from './chain-notes.js';
import type { RowWriter } from './driver.js';
import { keptChanges, movesOf } from './kept-changes.js';
import { type Awaitable, after, type Batch, COMMON_WORLD, type NotedSession } from './port.js';
import { recordTexts } from './record-codec.js';
import type { RecordedExchange } from './recorded.js';
import { createTails, type NewNote, type Tail } from './tails.js';
import type { TextsOf, Vault } from './vault.js';

/** `vault`: contents are enciphered; null: they are not. */
export function createWriter(rows: RowWriter, vault: Vault | null = null) {
  const tails = createTails(rows);

  /** False where somebody else has put a row under this id. */
  function writeRecord(record: RecordedExchange, isBegun: boolean, textsOf: TextsOf): boolean {
    const { call } = record.exchange;
    const at = arrivedAt(call);
    const tail = tails.open(call.session, at);
    const texts = textsOf(record, isBegun, tail.row);
    const seq = tail.last + 1;
    const link = exchangeLink(tail.head, seq, texts, isBegun);
    const id = numberOf(record.exchange);
    if (!rows.writeExchange(id, tail.row, seq, link, texts, record, isBegun)) return false;
    tails.advance(tail, link, true);
    if (isBegun) tail.begun += 1;
    else tail.exchanges += 1;
    tail.lastAt = Math.max(tail.lastAt, at);
    return true;
  }

  /** If its id is taken, it is kept under the next free one, and that is noted. */
  function keepRecord(record: RecordedExchange, isBegun: boolean, textsOf: TextsOf): void {
    if (writeRecord(record, isBegun, textsOf)) return;
    const { call } = record.exchange;
    const id = freeId(numberOf(record.exchange), isBegun);
    writeRecord({ ...record, exchange: { ...record.exchange, call: call.with({ id }) } }, isBegun, textsOf);
    const at = arrivedAt(call);
    const tail = tails.open(call.session, at);
    const settings = { expected: { exchange: call.id }, found: { exchange: id } };
    tails.addNote(tail, { at, kind: 'disturbed', settings });
  }

  function freeId(taken: number, isBegun: boolean): string {
    let number = taken;
    for (let step = 1; rows.isTaken(number, isBegun); step *= 2) number += step;
    return idOfNumber(number);
  }

  function writeNote({ session, note, of }: NotedSession): void {
    const { at, kind } = note;
    const tail = of === undefined ? tails.open(session, at, kind) : tails.find(session, at);
    if (tail === null || (of !== undefined && tail.row !== of)) return;
    if (!TIMELESS.has(kind)) tail.lastAt = Math.max(tail.lastAt, at);
    tails.addNote(tail, note);
  }

  function forget(): void {
    tails.forget();
    rows.forget();
    vault?.forget();
  }

  function inTransaction(work: () => Awaitable<void>): Awaitable<void> {
    rows.begin();
    try {
      tails.begin();
      const kept = after(work(), () => {
        tails.write();
        return rows.commit();
      });
      if (kept instanceof Promise) return kept.then(tails.committed, takeBack);
      tails.committed();
    } catch (error) {
      takeBack(error);
    }
  }

  function takeBack(error: unknown): never {
    tails.forget();
    rows.rollback();
    vault?.forget();
    throw error;
  }

  return {
    append: ({ notes = [], begun = [], records, changes, dependsOn, headers = [] }: Batch) =>
      inTransaction(() => {
        if ([notes, begun, records, changes, headers].every(({ length }) => length === 0))
          rows.writeNothing();
        if (dependsOn !== undefined) rows.checkDependencies(dependsOn);
        const textsOf = vault?.sealing(begun, records, rows.writeKey) ?? recordTexts;
        let [begunSoFar, soFar] = [0, 0];
        const keepUpTo = (allBegun: number, all: number): void => {
          for (const record of begun.slice(begunSoFar, allBegun)) keepRecord(record, true, textsOf);
          for (const record of records.slice(soFar, all)) keepRecord(record, false, textsOf);
          [begunSoFar, soFar] = [Math.max(begunSoFar, allBegun), Math.max(soFar, all)];
        };
        for (const noted of notes) {
          keepUpTo(noted.behind?.begun ?? 0, noted.behind?.records ?? 0);
          writeNote(noted);
        }
        keepUpTo(begun.length, records.length);
        for (const change of keptChanges(changes)) {
          const { world = COMMON_WORLD } = change;
          if ('step' in change) rows.writeStep(world, change);
          else rows.writeFact(world, change, dependsOn !== undefined);
        }
        if (dependsOn !== undefined) for (const move of movesOf(changes, headers)) rows.moveOn(move);
      }),
    /** Writes what changes nothing: throws where it cannot. */
    probe: () => inTransaction(rows.writeNothing),
    note: (session: string, note: NotedSession['note']) => inTransaction(() => writeNote({ session, note })),
    /** Works on the end of a session's chain, and notes what comes of it; null notes nothing. */
    mark: (session: string, at: number, work: (tail: Tail) => Awaitable<NewNote | null>) =>
      inTransaction(() => {
        const tail = tails.find(session, at);
        if (tail === null) return;
        return after(work(tail), (note) => {
          if (note !== null) tails.addNote(tail, note);
        });
      }),
    takeUnsigned: tails.takeUnsigned,
    /** Drops remembered sessions, which may have changed. */
    forget,
  };
}

/** Notes of the chain on itself: a session did not go on with them. */
const TIMELESS: ReadonlySet<string> = new Set(CHAIN_NOTES);

function numberOf({ call }: Exchange): number {
  const number = numberOfId(call.id);
  if (number === null) throw new SandgateError('store.foreign-id', { id: call.id });
  return number;
}
