/**
 * Copies a store: session by session, then the facts. Rows go over as they stand, and each session is verified as the
 * copy holds it, by what its links say: whatever was changed or lost, in the source or on the way, breaks its chain.
 */
import { SandgateError } from '../../spec/index.js';
import { breakText, type ChainBreak } from '../chain.js';
import { isInMemory, storeFile } from '../open.js';
import { isPostgres } from '../postgres/address.js';
import { openSqliteSource, openSqliteTarget } from '../sqlite/copying.js';
import { storeFault } from '../sqlite/faults.js';
import { later } from '../steps.js';
import { numberOf, readTime } from '../tampered.js';
import { TURNS_PER_MS } from '../turns.js';
import { verifyChain } from '../verify.js';
import {
  type CopiedRow,
  type CopiedTable,
  type CopyPlace,
  type CopySource,
  type CopyTarget,
  soundRow,
  type Table,
} from './tables.js';

export interface CopyOptions {
  /** Copies sessions whose chain is broken, too. */
  readonly broken: boolean;
  /** Called with each break, which the copy keeps. */
  readonly onBreak: (session: string, found: ChainBreak) => void;
  /** A copy into this store was cut off before; it is begun anew. */
  readonly onRest: () => void;
  /** The number of rows to copy, called before they are. */
  readonly onExpected: (rows: number) => void;
  readonly onDone: (rows: number) => Promise<void> | undefined;
}

export interface Copied {
  readonly sessions: number;
  readonly exchanges: number;
  readonly facts: number;
  /** Sessions that are broken. */
  readonly broken: readonly string[];
}

/**
 * Copies one store, by an address as `openStore` takes it, into another one, which is new, or is what an unfinished copy left.
 * @throws SandgateError; what the target holds then is no store, until it is begun anew
 */
export async function copyBetween(from: CopyPlace, to: CopyPlace, options: CopyOptions): Promise<Copied> {
  if (isInMemory(from.address) || isInMemory(to.address)) throw new SandgateError('store.in-memory', {});
  const source = await openSource(from);
  try {
    const target = isPostgres(to.address)
      ? await (await import('../postgres/copying.js')).openPostgresTarget(to)
      : openSqliteTarget(storeFile(to.address) as string);
    try {
      return await copyStore(source, target, options);
    } catch (error) {
      throw copyFault(error, source.name);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openSource(from: CopyPlace): Promise<CopySource> {
  if (isPostgres(from.address)) return (await import('../postgres/copying.js')).openPostgresSource(from);
  return openSqliteSource(storeFile(from.address) as string, from.keyFile);
}

/** Drivers name their own errors; what is left is a file of a secret that cannot be written, or a row that no store writes. */
function copyFault(error: unknown, source: string): SandgateError {
  if (error instanceof SandgateError) return error;
  const { path, message } = error as NodeJS.ErrnoException;
  if (path !== undefined) return storeFault(error, path);
  const why = `a row of it holds what no gateway writes (${message})`;
  return new SandgateError('store.damaged', { path: source, why }, { cause: error });
}

async function copyStore(source: CopySource, target: CopyTarget, options: CopyOptions): Promise<Copied> {
  if (source.store === target.store)
    throw new SandgateError('store.copy-same', { from: source.name, to: target.name });
  const chains = await chainsIn(source);
  const { hadRest } = await target.begin(source.key);
  if (hadRest) options.onRest();
  const rows = chains.reduce((sum, { exchanges, begun }) => sum + exchanges + begun, 0);
  const facts = await source.countFacts();
  options.onExpected(2 * rows + facts);
  let done = 0;
  const add: Progress = (more) => {
    done += more;
    return options.onDone(done);
  };
  const broken: string[] = [];
  const sessions = new Map<string, Chain[]>();
  for (const chain of chains) sessions.set(chain.session, [...(sessions.get(chain.session) ?? []), chain]);
  for (const [session, ofSession] of sessions) {
    for (const chain of ofSession) await copyChain(source, target, chain, add);
    if (await isBroken(source, target, session, options, add)) broken.push(session);
  }
  const copied = await copyWorlds(source, target, add);
  await target.finish();
  const exchanges = chains.reduce((sum, chain) => sum + chain.exchanges, 0);
  return { sessions: sessions.size, exchanges, facts: copied, broken };
}

/** All chains, or those of a session. */
async function chainsIn(source: CopySource, session?: string): Promise<readonly Chain[]> {
  const chains: Chain[] = [];
  for await (const page of source.rows('chains')) chains.push(...page.map(chainOf));
  const wanted = session === undefined ? chains : chains.filter((chain) => chain.session === session);
  giveFloors(wanted);
  return wanted;
}

/** The rows of one session, as of one moment. `rewrap`: what becomes of the keys of its contents. @throws SandgateError */
export async function* sessionPages(
  from: CopyPlace,
  session: string,
  rewrap?: (key: Uint8Array | null) => (id: string, wrapped: string) => string | null,
): AsyncGenerator<Page> {
  const source = await openSource(from);
  try {
    const anew = rewrap?.(source.key);
    for (const chain of await chainsIn(source, session))
      for await (const page of pagesOf(source, chain))
        yield anew === undefined
          ? page
          : page.map(([table, row]) => {
              if (table !== 'keys') return [table, row];
              const [of, id, wrapped] = row;
              return [table, [of, id, anew(String(id), String(wrapped)) ?? wrapped]];
            });
  } catch (error) {
    throw copyFault(error, source.name);
  } finally {
    await source.close();
  }
}

/** Counts rows that are done, besides those before. */
type Progress = (rows: number) => Promise<void> | undefined;

interface Chain {
  readonly id: number;
  readonly session: string;
  readonly exchanges: number;
  readonly begun: number;
  readonly startedAt: number;
  /** The turn of its last entry; null if its entries get their turns here, from `floor` on. */
  readonly turn: number | null;
  floor: number;
  readonly row: CopiedRow;
}

function chainOf(given: CopiedRow): Chain {
  const row = soundRow('chains', given);
  const [id, session, , startedAt, , , , exchanges, begun, , turn] = row;
  return {
    id: id as number,
    session: session as string,
    exchanges: numberOf(exchanges),
    begun: numberOf(begun),
    startedAt: readTime(startedAt),
    turn: turn as number | null,
    floor: 0,
    row,
  };
}

/** No id tells a later time, in ms. */
const LATEST_MS = Math.floor(Number.MAX_SAFE_INTEGER / TURNS_PER_MS / 2);

/** Turns of chains that have none begin behind all others, and in the order in which the chains began. */
function giveFloors(chains: readonly Chain[]): void {
  let floor = chains.reduce((most, { turn }) => Math.max(most, turn ?? 0), 0);
  for (const chain of chains)
    if (chain.turn === null) {
      floor = Math.max(floor + 1, Math.min(chain.startedAt, LATEST_MS) * TURNS_PER_MS);
      chain.floor = floor;
    }
}

async function copyChain(
  source: CopySource,
  target: CopyTarget,
  chain: Chain,
  done: Progress,
): Promise<void> {
  for await (const page of pagesOf(source, chain)) {
    await putPage(target, page);
    await done(page.filter(([table]) => table === 'exchanges' || table === 'beginnings').length);
  }
}

/** Rows of several tables, in an order that depends on nothing but what they say. */
export type Page = readonly (readonly [table: Table, row: CopiedRow])[];

/** The rows of a chain; that of the chain itself comes last, because only then its last turn is known. */
async function* pagesOf(source: CopySource, { id, row, floor, turn: last }: Chain): AsyncGenerator<Page> {
  for (const table of ['parts', 'certificates', 'keys'] as const)
    for await (const page of source.rows(table, id)) yield page.map((one) => [table, one]);
  let newest = floor;
  let first: number | null = null;
  for await (const page of source.rows('entries', id))
    yield page.map(([of, turn, seq, number, ...columns]) => {
      const table = of as 'exchanges' | 'beginnings' | 'notes';
      // An exchange is looked for from the time on that its id tells.
      newest = numberOf(turn ?? Math.max(newest + 1, table === 'notes' ? 0 : numberOf(number)));
      first ??= newest;
      const rest = table === 'notes' ? [columns[0], number, ...columns.slice(-2)] : [number, ...columns];
      return [table, [id, newest, seq, ...rest]];
    });
  yield [['chains', last === null ? [...row.slice(0, -2), first ?? 0, newest] : row]];
}

/** A table after the other: each is a transaction. */
export async function putPage(target: CopyTarget, page: Page): Promise<void> {
  const tables = new Map<Table, CopiedRow[]>();
  for (const [table, row] of page) {
    const rows = tables.get(table);
    if (rows === undefined) tables.set(table, [row]);
    else rows.push(row);
  }
  for (const [table, rows] of tables) await put(target, table, rows);
}

/** Breaks that an error names. */
const MOST_NAMED = 3;

async function isBroken(
  source: CopySource,
  target: CopyTarget,
  session: string,
  { broken, onBreak }: CopyOptions,
  done: Progress,
): Promise<boolean> {
  const found: ChainBreak[] = [];
  let waiting: Promise<void> | undefined;
  const onLink = ({ exchange }: { readonly exchange: string | null }): void => {
    if (exchange === null) return;
    const step = done(1);
    // If it fails, the last one does as well.
    step?.catch(() => {});
    waiting = step ?? waiting;
  };
  for await (const one of later(verifyChain(target.chainRows, session, { onLink }))) {
    found.push(one);
    onBreak(session, one);
  }
  await waiting;
  if (found.length === 0 || broken) return found.length > 0;
  const breaks = found.slice(0, MOST_NAMED).map(breakText).join(' ');
  throw new SandgateError('store.copy-broken', { session, store: source.name, breaks, to: target.name });
}

/** Gives the number of facts. Layers get numbers of their own: in some stores they are counted in each world. */
async function copyWorlds(source: CopySource, target: CopyTarget, done: Progress): Promise<number> {
  const layers = new Map<string, number>();
  const layerOf = (world: unknown, layer: unknown): number | null => {
    if (layer === null) return null;
    const name = `${layer} ${world}`;
    const number = layers.get(name) ?? layers.size + 1;
    layers.set(name, number);
    return number;
  };
  let turn = 0;
  const changed: Partial<Record<CopiedTable, (row: CopiedRow) => CopiedRow>> = {
    layers: ([world, id, parent, ...row]) => [world, layerOf(world, id), layerOf(world, parent), ...row],
    facts: ([home, world, layer, family, key, fact]) => [
      ...[home, world, layerOf(world, layer), family, key, ++turn, fact],
    ],
  };
  for (const table of ['worlds', 'layers', 'partitions', 'facts'] as const)
    for await (const page of source.rows(table)) {
      const change = changed[table];
      await put(target, table, change === undefined ? page : page.map(change));
      if (table === 'facts') await done(page.length);
    }
  return turn;
}

async function put(target: CopyTarget, table: Table, rows: readonly CopiedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await target.put(
    table,
    rows.map((row) => soundRow(table, row)),
  );
}
