/** A store in a schema of a PostgreSQL database, which several gateways may share. */
import { SandgateError } from '../../spec/index.js';
import type { Batch, Store } from '../port.js';
import { createRecords, type RecordRows } from '../records.js';
import { type Mark, removeOldestOf, removeSession } from '../rows/removal.js';
import { later, outcome } from '../steps.js';
import { createVault } from '../vault.js';
import { verifyChain, verifyLink } from '../verify.js';
import { createWriter } from '../writer.js';
import { readAddress } from './address.js';
import type { ConnectOptions, Limits } from './client.js';
import { queriesOf, withLists } from './database.js';
import { createErasures } from './erasures.js';
import { createIdentity } from './identity.js';
import { createKeep, Outdated } from './keeper.js';
import {
  readAwaited,
  readBody,
  readCaught,
  readEpoch,
  readLayers,
  readOwner,
  readState,
  readWorldsOf,
} from './layers.js';
import { createNotices, createStamps } from './notices.js';
import { type Others, readOthers, sessionsToName, storeOf } from './own-chains.js';
import { createPartitions, dropDays } from './partitions.js';
import type { Era, Pool } from './pool.js';
import { closePools, createPools, type Pools } from './pool.js';
import { readArrived, readSteps } from './records.js';
import { createCollector } from './row-writer.js';
import { createNumbers, createSeat } from './seat.js';
import { forgetWriters, tidyLayers } from './tidy-layers.js';

export interface PostgresOptions {
  /** See `readAddress`. */
  readonly address: string;
  /** Contents are enciphered. */
  readonly encrypt?: boolean;
  /** For looking only; nothing is made that is not there. */
  readonly readonly?: boolean;
  readonly passwordFile?: string | undefined;
  /** Holds the secret of its fingerprints, the same for all gateways; made where it is missing. */
  readonly keyFile?: string | undefined;
  /** A replica, which sessions are read from where it has all of them; what is judged by never is. */
  readonly readFrom?: string | undefined;
  readonly limits?: Limits | undefined;
  /** For reading; at least two. */
  readonly connections?: number | undefined;
}

const NOBODY: Others = new Map();
const LIMITS: Limits = { connect: 5_000, statement: 10_000 };
const CONNECTIONS = 4;
const MOST_TRIES = 3;

/** @throws SandgateError where it cannot be used */
export async function createPostgresStore(options: PostgresOptions): Promise<Store> {
  const { readonly = false, passwordFile, keyFile, connections = CONNECTIONS, limits = LIMITS } = options;
  const address = readAddress(options.address);
  const connectOptions = { address, passwordFile, limits, readonly };
  const era = { now: 0 };
  const pools = createPools({ ...options, connections }, connectOptions, era);
  if (!readonly && keyFile === undefined) throw new SandgateError('store.no-key', { store: address.shown });
  try {
    return await openWith(connectOptions, pools, era, keyFile, options.encrypt === true);
  } catch (error) {
    await closePools(pools);
    throw error;
  }
}

async function openWith(
  options: ConnectOptions,
  pools: Pools,
  era: Era,
  keyFile: string | undefined,
  encrypt: boolean,
): Promise<Store> {
  const { address, readonly } = options;
  const { shown, schema } = address;
  const { main, near, pool } = pools;
  const identity = createIdentity(options, keyFile);
  const vault = createVault(identity.key);
  const stamps = createStamps();
  const setChains: typeof collector.setChains = (chains) => {
    collector.setChains(chains);
    writer.forget();
    forget();
  };
  const days = createPartitions(schema);
  const seat = createSeat({
    options,
    era,
    clock: Date.now,
    onConnect: identity.check,
    onChains: setChains,
    onSeated: (connection) => {
      // While it had no seat, notices went past it.
      stamps.renew();
      return days.makeAhead(connection, seat.time.now());
    },
    knownChains: () => collector.known(),
    onNotice: (text) => {
      const world = notices.read(text);
      if (world !== null) stamps.notice(world);
    },
  });
  const forget = (): void => {
    for (const one of [queries, ofSessions]) one.forget();
  };
  const notices = createNotices(near, { schema, writer: seat.writer });
  const keep = createKeep({
    options,
    seat,
    days,
    clock: Date.now,
    onGone: (chains) => setChains(new Map(chains.map((id) => [id, null]))),
  });
  const collector = createCollector({
    nextChain: createNumbers(seat),
    nextPart: createNumbers(seat),
    writer: seat.writer,
    storeId: () => storeOf(identity.store(), { writer: seat.writer(), store: null }),
    keep: async (collected) => {
      const from = await keep(collected);
      notices.tell(collected.moves.map(({ world }) => world));
      return from;
    },
  });
  const writer = createWriter(collector, encrypt ? vault : null);

  let isServing = false;
  /** Who serves goes by the clock of its machine, which may be set at any time. */
  async function connectedInTime(): Promise<void> {
    const connection = await seat.connected();
    if (isServing) await seat.time.check(connection);
  }

  let last: Promise<unknown> = Promise.resolve();
  /** One piece of work after the other: each begins where the one before it ended. */
  function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    if (readonly) return Promise.reject(new SandgateError('store.read-only', { path: shown }));
    const done = last.then(async () => {
      await connectedInTime();
      for (let tries = 1; ; tries++)
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof Outdated) || tries >= MOST_TRIES) throw error;
        }
    });
    last = done.catch(() => {});
    return done;
  }

  /** Other chains are looked up only where they are to be named: seldom. */
  const write = (batch: Batch) =>
    inTurn(async () => {
      const sessions = sessionsToName(batch, collector.isKnown);
      const nameOf = (of: Parameters<typeof storeOf>[1]) => storeOf(identity.store(), of);
      collector.setOthers(
        sessions.size === 0 ? NOBODY : await readOthers(seat.ask, sessions, seat.writer(), nameOf),
      );
      await writer.append(batch);
    });

  const queries = queriesOf(main, vault);
  const ofSessions = pool === main ? queries : queriesOf(pool, vault);
  if (readonly) await main.use(identity.check);
  else await seat.connected();
  const rowsOf = ({ chains, entries, pages }: typeof queries, from: Pool): RecordRows => ({
    ...{ chains, entries, pages: pages.pages },
    steps: (found) => readSteps(withLists(from.query), found),
    arrived: (position, recordOf) =>
      readArrived(
        withLists(from.query),
        pages,
        { store: identity.store(), writer: seat.writer() },
        recordOf,
        position,
      ),
  });
  // Reads for starts and calls go to the main database, never to a replica.
  const records = createRecords(rowsOf(ofSessions, pool), rowsOf(queries, main));
  const { chainRows } = ofSessions;

  async function* remove(
    session: string,
    options: Parameters<Store['remove']>[1],
  ): AsyncIterableIterator<number> {
    await inTurn(() => {});
    if (options === undefined) {
      const drop = () => dropDays(main, seat.time.now());
      return yield* later(removeSession(queries.db, session, writer.forget, drop));
    }
    const own = new Set(collector.known());
    const mark: Mark = (work) => inTurn(() => writer.mark(session, options.at, work));
    yield* later(removeOldestOf(queries, session, options, (chain) => (own.has(chain) ? mark : null)));
  }

  return {
    fingerprintKey: identity.key(),
    ...records,
    read: (session, read) => later(records.read(session, read)),
    append: write,
    chains: {
      ...records.chains,
      verify: (session, options) => later(verifyChain(chainRows, session, options)),
      verifyInTurns: (session) => later(verifyChain(chainRows, session, { inTurns: true })),
      verifyLink: async (exchangeId) => outcome(verifyLink(chainRows, exchangeId)),
      takeUnsigned: writer.takeUnsigned,
    },
    worlds: {
      layers: (world) => main.use((connection) => readLayers(connection, world)),
      body: (world, tpp, payment) => main.use((connection) => readBody(connection, world, tpp, payment)),
      awaited: () => near.use(readAwaited),
      knowing: (authorisation) => near.use((connection) => readWorldsOf(connection, authorisation)),
      state: (world) => near.use((connection, era) => readState(connection, era, world)),
      epoch: (world) => near.use((connection) => readEpoch(connection, world)),
      stamp: stamps.of,
      catchUp: (world, known, named = []) =>
        near.use((connection, era) => readCaught(connection, era, world, known, named)),
      ownerOf: (authorisation) => near.use((connection) => readOwner(connection, authorisation)),
      tidy: async function* () {
        await inTurn(() => {});
        yield* tidyLayers(main, seat.time.now());
        await forgetWriters(main, schema);
      },
    },
    place: {
      file: null,
      check: async (written) => {
        if (readonly) return;
        if (written) await inTurn(writer.probe);
        else await connectedInTime();
      },
      size: async () => {
        const [row] = await main.query(
          'SELECT coalesce(sum(bytes), 0)::int8 FROM chains WHERE session IS NOT NULL',
          [],
        );
        return Number(row?.[0]);
      },
    },
    serve: async () => {
      if (readonly) throw new SandgateError('store.read-only', { path: shown });
      await seat.time.check(await seat.connected());
      await seat.takeSlot();
      isServing = true;
      return {
        isShared: true,
        get slot() {
          return seat.slot();
        },
        isFirst: () => inTurn(seat.isFirst),
      };
    },
    remove,
    erasures: createErasures({ main, schema, queries, writer, forget, inTurn, self: seat.writer }),
    close: async () => {
      await last;
      await Promise.all([seat.close(), closePools(pools)]);
    },
  };
}
