/**
 * Collects what a batch writes. Its chains are this writer's alone, so that their ends are known without asking; all goes
 * over at the commit.
 */

import type { WorldStep } from '../../bank/index.js';
import { createRecentCache } from '../../exchange/index.js';
import { createCertificateWriter } from '../certificates.js';
import { createColumnWriter, writeText } from '../columns.js';
import type { GrownSession, Move, RowWriter } from '../driver.js';
import type { Dependency } from '../world-state.js';
import type { Value } from './arrays.js';
import { bytesOf } from './column-bytes.js';
import { createTables, type Tables } from './flush.js';
import { createOwnChains, type KnownChain, type OwnChains } from './own-chains.js';

/** Changes of worlds in the order of a batch. Facts after a step belong to the epoch that it began. */
export type LaterOp =
  | { readonly world: string; readonly step: WorldStep }
  | { readonly facts: Tables['facts'] };

/** All that a batch writes. */
export interface Collected {
  readonly tables: Tables;
  readonly later: readonly LaterOp[];
  readonly moves: readonly Move[];
  /** Worlds and partitions that must have rows. */
  readonly worlds: ReadonlySet<string>;
  readonly partitions: readonly (readonly [world: string, partition: string])[];
  /** By world, the cursor of what the batch depends on. */
  readonly cursors: ReadonlyMap<string, unknown>;
  /** How many it takes. */
  readonly turns: number;
}

export interface CollectorParts {
  readonly storeId: () => string;
  /** Ids of chains that nobody has. */
  readonly nextChain: () => number;
  readonly nextPart: () => number;
  readonly writer: () => number;
  /** Gives the turn from which those of the batch count. */
  readonly keep: (collected: Collected) => Promise<number>;
}

export interface Collector extends RowWriter, Pick<OwnChains, 'known' | 'setOthers'> {
  /** Takes others' changes to chains of this writer; null: a chain is gone. */
  readonly setChains: (chains: ReadonlyMap<number, KnownChain | null>) => void;
  readonly isKnown: (session: string) => boolean;
}

/** The size of a row beside its texts, with its places in indexes. */
export const ROW_BYTES = 250;
/** An exchange that is given twice is given twice soon. */
const LATELY = 50_000;

export function createCollector(parts: CollectorParts): Collector {
  const chains = createOwnChains(parts.nextChain);
  const lately = [createRecentCache<number, true>(LATELY), createRecentCache<number, true>(LATELY)] as const;
  let written = [new Set<number>(), new Set<number>()] as const;
  let known = new Set<number>();
  let tables = createTables();
  let later: LaterOp[] = [];
  let facts = new Map<string, Value[]>();
  let moves: Move[] = [];
  let worlds = new Map<string, number | null>();
  let dependsOn: (readonly [world: string, partition: string, version: number])[] = [];
  let cursors = new Map<string, unknown>();
  /** Within the batch. */
  let turn = 0;
  /** By chain, in order: of the batch, counted from its own, and of the one that was kept last. */
  let turns = new Map<number, number[]>();
  let keptTurns: typeof turns = new Map();

  const nextTurn = (): number => ++turn;
  const turnIn = (chain: number): number => {
    const ofChain = turns.get(chain) ?? [];
    turns.set(chain, ofChain);
    ofChain.push(nextTurn());
    return turn;
  };
  /** Bytes that this batch adds to each chain. */
  let bytes = new Map<number, number>();
  const grow = (chain: number, values: readonly Value[]): void => {
    let sum = ROW_BYTES;
    for (const value of values)
      sum += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
    bytes.set(chain, (bytes.get(chain) ?? 0) + sum);
  };
  /** Parts and certificates stay until they are kept: what is remembered as written is. */
  let lasting = { parts: [] as Value[][], certificates: [] as Value[][] };
  const columns = createColumnWriter((chain, content) => {
    const row = [chain, parts.nextPart(), bytesOf(content)] as const;
    lasting.parts.push([...row]);
    grow(chain, row);
    return row[1];
  });
  const certificates = createCertificateWriter((chain, reference, text) => {
    lasting.certificates.push([chain, reference, text]);
    grow(chain, [reference, text]);
  });

  function clear(): void {
    tables = createTables();
    written = [new Set(), new Set()];
    known = new Set();
    later = [];
    facts = new Map();
    moves = [];
    worlds = new Map();
    dependsOn = [];
    cursors = new Map();
    turn = 0;
    turns = new Map();
    bytes = new Map();
    chains.clear();
  }

  /** Facts so far go before what follows. */
  function closeFacts(): void {
    const columns = later.length === 0 ? tables.facts : createTables().facts;
    for (const row of facts.values()) columns.add(...row);
    if (later.length > 0 && columns.count() > 0) later.push({ facts: columns });
    facts = new Map();
  }

  function collect(): Collected {
    closeFacts();
    for (const row of lasting.parts) tables.parts.add(...row);
    for (const row of lasting.certificates) tables.certificates.add(...row);
    for (const id of [...known].sort((a, b) => a - b)) tables.known.add(id);
    for (const [world, epoch] of [...worlds].sort(byName)) tables.worlds.add(world, epoch);
    const partitions: (readonly [string, string])[] = dependsOn.map(([world, partition]) => [
      world,
      partition,
    ]);
    const moving = new Map(moves.map((move) => [move.world, move.partitions]));
    for (const [world, moved] of moving)
      for (const partition of moved) {
        tables.moves.add(world, partition);
        partitions.push([world, partition]);
      }
    for (const rest of dependsOn.sort(byPlace))
      tables.dependsOn.add(...rest, moving.get(rest[0])?.has(rest[1]) === true ? 1 : 0);
    return { tables, later, moves, worlds: new Set(worlds.keys()), partitions, cursors, turns: turn };
  }

  function kept(from: number): void {
    keptTurns = new Map([...turns].map(([chain, given]) => [chain, given.map((one) => from + one)]));
    chains.kept();
    for (const [i, ids] of written.entries()) for (const id of ids) lately[i]?.set(id, true);
    lasting = { parts: [], certificates: [] };
  }

  return {
    begin: clear,
    commit: async () => {
      kept(await parts.keep(collect()));
      clear();
    },
    rollback: clear,
    version: () => 0,
    storeId: parts.storeId,
    session: (name) => {
      const found = chains.of(name);
      return found && [found.id, found.last, found.head, found.lastAt];
    },
    left: chains.left,
    turnsOf: (chain) => keptTurns.get(chain) ?? [],
    createSession: (name, at) => chains.create(name, at, nextTurn()),
    writeEnd: ({ row, last, head, exchanges, begun, lastAt }: GrownSession) => {
      const { begins, restsOn } = chains.end({ id: row, last, head, lastAt });
      for (const id of restsOn) known.add(id);
      const end = [lastAt, last, head, exchanges, begun] as const;
      const grownBy = bytes.get(row) ?? 0;
      if (begins === null) return tables.ends.add(row, ...end, turn, grownBy);
      const { name, startedAt, firstTurn } = begins;
      tables.chains.add(row, name, parts.writer(), startedAt, ...end, firstTurn, turn, grownBy);
    },
    writeKey: (chain, key, wrapped) => tables.keys.add(chain, key, wrapped),
    writeNote: (chain, seq, link, { at, kind, settings }) => {
      grow(chain, [settings]);
      if (kind === 'removed') chains.unsay(chain);
      tables.notes.add(chain, turnIn(chain), seq, link, at, kind, settings);
    },
    writeExchange: (id, chain, seq, link, texts, { exchange: { call } }, isBegun) => {
      if (isTaken(id, isBegun)) return false;
      for (const one of [call.certificate, call.seal])
        if (typeof one === 'object') certificates.keep(chain, one);
      written[isBegun ? 1 : 0].add(id);
      const row: Value[] = [chain, turnIn(chain), seq, id, link, bytesOf(writeText(texts.own))];
      for (const shared of [texts.shape, texts.verdicts, texts.findings, texts.requestBody])
        row.push(bytesOf(columns.column(chain, shared)));
      if (!isBegun) row.push(bytesOf(columns.column(chain, texts.answerBody)));
      tables[isBegun ? 'beginnings' : 'exchanges'].add(...row);
      grow(chain, row);
      return true;
    },
    isTaken,
    writeFact: (world, { family, key, fact, home = '' }) => {
      if (!worlds.has(world)) worlds.set(world, null);
      const name = `${world} ${home} ${family} ${key}`;
      facts.delete(name);
      const place = [home, world, family, key];
      facts.set(name, [...place, nextTurn(), fact === null ? null : JSON.stringify(fact)]);
    },
    writeStep: (world, step) => {
      if (!worlds.has(world)) worlds.set(world, null);
      closeFacts();
      later.push({ world, step });
    },
    checkDependencies: (given: readonly Dependency[]) => {
      for (const { world, epoch, versions, cursor } of given) {
        worlds.set(world, epoch);
        if (cursor !== undefined) cursors.set(world, cursor);
        for (const [partition, version] of versions) dependsOn.push([world, partition, version]);
      }
    },
    moveOn: (move) => {
      if (!worlds.has(move.world)) worlds.set(move.world, null);
      moves.push(move);
    },
    writeNothing: () => undefined,
    forget: columns.forget,
    ends: { lastBetween: () => null, linksAt: chains.linksAt, gaps: () => [] },
    beside: chains.beside,
    known: chains.known,
    isKnown: (session) => chains.of(session) !== undefined,
    setOthers: chains.setOthers,
    setChains: (found) => {
      columns.forget();
      certificates.forget();
      for (const [id, chain] of found) {
        chains.setChain(id, chain);
        if (chain === null) dropLasting(id);
      }
    },
  };

  function isTaken(id: number, isBegun: boolean): boolean {
    const i = isBegun ? 1 : 0;
    return written[i].has(id) || lately[i].get(id) !== undefined;
  }

  function dropLasting(id: number): void {
    lasting = {
      parts: lasting.parts.filter(([chain]) => chain !== id),
      certificates: lasting.certificates.filter(([chain]) => chain !== id),
    };
  }
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compared(a, b);
const byPlace = (a: readonly [string, string, number], b: readonly [string, string, number]): number =>
  compared(a[0], b[0]) || compared(a[1], b[1]);
