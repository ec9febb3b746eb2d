/** A store in memory, which is gone with its process. */
import { idOfNumber, isStep, numberOfId, readNote } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { hexOf } from '../chain.js';
import { CHAIN_NOTES, type ChainNote } from '../chain-notes.js';
import type { LinkedRow } from '../chain-rows.js';
import type { LocalStore } from '../port.js';
import { readRows } from '../read-rows.js';
import { readRecordTexts } from '../record-codec.js';
import type { RecordedExchange } from '../recorded.js';
import { removeOldest } from '../remove-oldest.js';
import { LANES } from '../standing.js';
import { atOnce, outcomeAtOnce } from '../steps.js';
import { readSettings } from '../tampered.js';
import { verifyChain, verifyLink } from '../verify.js';
import { createWriter } from '../writer.js';
import { createMemoryRows } from './chain-rows.js';
import { readLayers, tidyLayers, worldsOf } from './layers.js';
import { createRowWriter } from './row-writer.js';
import { createMemory, indexBehind, type MemorySession, sessionAt } from './rows.js';
import { forgetWorld, readAwaited, readCaught, readOwner, readStanding } from './standings.js';

/** `memory`: of another store that has it as well, as those of several processes have a database. */
export function createMemoryStore(memory = createMemory()): LocalStore {
  const { named, exchanges, beginnings } = memory;
  const rows = createMemoryRows(memory);
  const writer = createWriter(createRowWriter(memory, rows.ends));

  let lane: number | null = null;

  function recordOf({ session, texts }: LinkedRow): RecordedExchange {
    const { certificates } = sessionAt(memory, session);
    return readRecordTexts(texts(), (reference) => {
      const facts = certificates.get(reference);
      if (facts === undefined) throw new SandgateError('record.certificate-gone', { reference });
      return facts;
    });
  }

  const reader = { idOf: ({ exchange }: LinkedRow) => exchange, recordOf };

  function placeOf(exchangeId: string, { id, name }: MemorySession): number {
    const row = rows.find(exchangeId);
    if (row?.session === id) return row.seq;
    throw new SandgateError('exchange.unknown', { where: `The session ${name}`, id: exchangeId });
  }

  function* backwards({ rows }: MemorySession, before: number): IterableIterator<LinkedRow> {
    for (let place = before; ; ) {
      const row = rows[indexBehind(rows, place - 1) - 1];
      if (row === undefined) return;
      if (!row.isBegun) yield row;
      place = row.seq;
    }
  }

  const headOf = ({ last, head }: MemorySession) => ({
    store: memory.store,
    entries: last,
    head: hexOf(head),
  });

  function chainNotesOf({ notes }: MemorySession, kinds: readonly ChainNote['kind'][]) {
    const wanted: ReadonlySet<unknown> = new Set(kinds);
    return notes
      .filter(({ kind }) => wanted.has(kind))
      .map(({ seq, at, kind, settings }) => ({
        store: memory.store,
        seq,
        at,
        kind: kind as ChainNote['kind'],
        settings: readSettings(settings),
      }));
  }

  return {
    fingerprintKey: memory.fingerprintKey,
    newest: (most) => {
      const bound = most === undefined ? Number.MAX_SAFE_INTEGER : (numberOfId(most) ?? 0);
      let newest = -1;
      for (const table of [exchanges, beginnings])
        for (const id of table.keys()) if (id <= bound && id > newest) newest = id;
      return newest < 0 ? null : idOfNumber(newest);
    },
    append: writer.append,
    check: () => undefined,
    note: writer.note,
    sessions: () =>
      [...named].map(([name, session]) => ({
        name,
        startedAt: session.started_at,
        lastAt: session.last_at,
        exchanges: session.exchanges,
        head: hexOf(session.rows.findLast(({ isBegun }) => !isBegun)?.link ?? ''),
        entries: session.last,
        end: hexOf(session.head),
        chains: [headOf(session)],
        notes: session.notes.flatMap(({ at, kind, settings }) => readNote(at, kind, readSettings(settings))),
      })),
    *read(name, options = {}) {
      const { after, backwards: isBack = false, limit = Number.POSITIVE_INFINITY } = options;
      const session = named.get(name);
      if (session === undefined || limit <= 0) return;
      const end = isBack ? Number.MAX_SAFE_INTEGER : 0;
      const from = after === undefined ? end : placeOf(after, session);
      const found = isBack ? backwards(session, from) : rows.exchanges(name, session.id, from);
      yield* readRows(found, reader, options);
    },
    arrived: (position) => {
      const known = position as ReadonlyMap<number, number> | undefined;
      const now = new Map([...named.values()].map(({ id, last }) => [id, last]));
      const sessions = known === undefined ? [] : [...named.values()];
      const behind = <R extends { readonly seq: number }>(id: number, rows: readonly R[]): readonly R[] =>
        rows.slice(indexBehind(rows, known?.get(id) ?? 0));
      const fresh = sessions.flatMap(({ id, rows }) =>
        behind(id, rows).filter((row) => !row.isBegun && row.id % LANES !== lane),
      );
      const hasNotes = sessions.some(({ id, notes }) => behind(id, notes).length > 0);
      return { records: fresh.map(recordOf), hasNotes, position: now, isMore: false };
    },
    unfinished: (name, options = {}) => {
      const { ids, since = '' } = options;
      const session = named.get(name);
      if (session === undefined || session.begun === 0) return [];
      const found =
        ids === undefined
          ? session.rows.filter((row) => row.isBegun && !exchanges.has(row.id) && row.exchange > since)
          : ids.map((id) => beginnings.get(numberOfId(id) ?? -1)).filter((row) => row !== undefined);
      return [...readRows(found, reader, options)];
    },
    steps: (name) => {
      const session = named.get(name);
      if (session === undefined) return [];
      return session.notes.flatMap(({ seq, at, kind, settings }) => {
        const behind = session.rows.slice(indexBehind(session.rows, seq));
        const first = behind.find(({ isBegun }) => !isBegun);
        const before = behind.filter(
          ({ id, isBegun }) => isBegun && id < (first?.id ?? Number.POSITIVE_INFINITY),
        );
        return readNote(at, kind, readSettings(settings))
          .filter(isStep)
          .map((note) => ({
            note,
            before: [...(first === undefined ? [] : [first]), ...before].map(({ exchange }) => exchange),
          }));
      });
    },
    find: (exchangeId) => {
      const row = rows.find(exchangeId);
      return row === undefined || rows.nameOf(row.session) === null ? null : recordOf(row);
    },
    linkOf: (exchangeId) => {
      const row = rows.find(exchangeId);
      return row === undefined ? null : hexOf(row.link);
    },
    layers: (world) => readLayers(memory, world),
    awaited: () => readAwaited(memory),
    worldsOf: (authorisation) => worldsOf(memory, authorisation),
    serve: (given) => {
      lane = given ?? 0;
      return { isShared: given !== undefined, lane, isFirst: () => lane === 0 };
    },
    standing: (world) => readStanding(memory, world),
    epoch: (world) => memory.standings.get(world)?.epoch ?? 0,
    stamp: () => memory.commits,
    catchUp: (world, known) => readCaught(memory, world, known),
    ownerOf: (authorisation) => readOwner(memory, authorisation),
    *tidy() {
      yield tidyLayers(memory);
    },
    chains: (name) => {
      const session = named.get(name);
      if (session === undefined) return [];
      const { created } = rows.created(session.id) ?? {};
      const [origin, removed] = [created?.origin ?? null, rows.removed(session.id)];
      return [{ ...headOf(session), origin, isEarlier: false, removed }];
    },
    chainNotes: (name, kind) => {
      const session = named.get(name);
      return session === undefined ? [] : chainNotesOf(session, kind === undefined ? CHAIN_NOTES : [kind]);
    },
    takeUnsigned: writer.takeUnsigned,
    verifyChain: (name, options) => atOnce(verifyChain(rows, name, options)),
    verifyLink: (exchangeId) => outcomeAtOnce(verifyLink(rows, exchangeId)),
    *remove(name, options) {
      const session = named.get(name);
      if (session === undefined) return;
      if (options !== undefined)
        return yield* atOnce(removeOldest(rows, options, (work) => writer.mark(name, options.at, work)));
      named.delete(name);
      memory.layers = memory.layers.filter(({ world }) => world !== name);
      forgetWorld(memory, name);
      session.name = null;
      writer.forget();
      yield* rows.removeNameless();
    },
    size: () => memory.bytes,
    close: () => undefined,
  };
}
