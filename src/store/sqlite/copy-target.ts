/** A new store in a file, into which another one is copied. */

import { SandgateError } from '../../spec/index.js';
import { createCertificateReader } from '../certificates.js';
import type { CopyTarget } from '../copy/parts.js';
import { keepKey } from '../key-file.js';
import { atOnce } from '../steps.js';
import { verifyChain } from '../verify.js';
import { createChainRows } from './chain-rows.js';
import { type Database, openDatabase } from './driver.js';
import { storeFault } from './faults.js';
import { isCopying, prepareSchema, refuseOlder } from './migrations.js';
import { createRows } from './rows.js';
import { lockServing, type ServingLock } from './serving.js';

const TABLES = [
  'sessions',
  'exchanges',
  'beginnings',
  'notes',
  'parts',
  'certificates',
  'layers',
  'facts',
  'worlds',
  'partitions',
];

export function createSqliteTarget(path: string): CopyTarget {
  let db: Database | undefined;
  let lock: ServingLock | undefined;
  try {
    db = openDatabase({ path, readonly: false });
    refuseOlder(db, path);
    prepareSchema(db, path, false);
    db.pragma('journal_mode = WAL');
    lock = lockTarget(path);
    return openTarget(db, path, lock);
  } catch (error) {
    lock?.release();
    db?.close();
    throw storeFault(error, path);
  }
}

/** Nobody serves on it, or copies into it, for as long as this process lives. */
function lockTarget(path: string): ServingLock {
  try {
    return lockServing(path);
  } catch (cause) {
    if (cause instanceof SandgateError && cause.code === 'store.served')
      throw new SandgateError('store.copy-busy', { store: path }, { cause });
    throw cause;
  }
}

function openTarget(db: Database, path: string, lock: ServingLock): CopyTarget {
  const store = String(db.prepare('SELECT store FROM identity').pluck().get());
  /** All rows of a page, or none. */
  const putter = (sql: string) => {
    const insert = db.prepare(sql);
    return (rows: Iterable<readonly unknown[]>): void =>
      inTransaction(() => {
        for (const row of rows) insert.run(...row);
      });
  };
  const inTransaction = (work: () => void): void => {
    try {
      db.transaction(work).immediate();
    } catch (error) {
      throw storeFault(error, path);
    }
  };
  const values = (count: number): string => `VALUES (${Array(count).fill('?').join(', ')})`;
  const parts = putter(`INSERT INTO parts (session, id, content) ${values(3)}`);
  const certificates = putter(`INSERT INTO certificates (session, reference, facts) ${values(3)}`);
  const columns = 'session, turn, seq, hash, id, own, shape, verdicts, findings, request_body';
  const exchange = db.prepare(`INSERT INTO exchanges (${columns}, answer_body) ${values(11)}`);
  const begun = db.prepare(`INSERT INTO beginnings (${columns}) ${values(10)}`);
  const note = db.prepare(`INSERT INTO notes (session, turn, seq, hash, at, kind, settings) ${values(7)}`);
  const chains = putter(
    `INSERT INTO sessions (id, name, store, started_at, last_at, last, head, exchanges, begun, first_turn, turn) ${values(11)}`,
  );
  const worlds = putter(`INSERT INTO worlds ${values(5)}`);
  const layers = putter(`INSERT INTO layers (id, world, parent, snapshot, at, clock) ${values(6)}`);
  const partitions = putter(`INSERT INTO partitions ${values(4)}`);
  const facts = putter(`INSERT OR REPLACE INTO facts (layer, family, key, fact) ${values(4)}`);
  /** By world and the number that it had there. */
  const layerIds = new Map<string, number>();
  const layerOf = (world: string, layer: number): number => layerIds.get(`${layer} ${world}`) as number;
  const rows = createRows(db);
  const factsOf = db.prepare('SELECT facts FROM certificates WHERE session = ? AND reference = ?').pluck();
  const certificateOf = createCertificateReader(
    (chain, reference) => factsOf.get(chain, reference) as string | undefined,
  );
  const chainRows = createChainRows(db, rows, certificateOf, () => store);

  return {
    store,
    name: path,
    begin: (key) => {
      const hadRest = isCopying(db);
      inTransaction(() => {
        const used = TABLES.find((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined);
        if (used !== undefined && !hadRest) throw new SandgateError('store.copy-used', { store: path });
        if (key !== null && !keepKey(`${path}.key`, key))
          throw new SandgateError('store.copy-other-key', { file: `${path}.key` });
        db.prepare('UPDATE identity SET copying = 1').run();
        for (const table of TABLES) db.prepare(`DELETE FROM ${table}`).run();
      });
      // Until it is finished it is nobody's, whatever a power failure leaves of it.
      db.pragma('synchronous = OFF');
      return { hadRest };
    },
    putParts: (chain, all) => parts(all.map((row) => [chain, ...row])),
    putCertificates: (chain, all) => certificates(all.map((row) => [chain, ...row])),
    putEntries: (chain, entries) =>
      inTransaction(() => {
        for (const { turn, seq, link, ...entry } of entries) {
          const at = [chain, turn, seq, link];
          if (entry.kind === 'note') note.run(...at, ...entry.note);
          else if (entry.kind === 'begun')
            begun.run(...at, entry.id, entry.own, ...entry.columns.slice(0, 4));
          else exchange.run(...at, entry.id, entry.own, ...entry.columns);
        }
      }),
    putChain: ({ id, session, store: of, startedAt, lastAt, last, head, exchanges, begun: open }, turns) =>
      chains([[id, session, of, startedAt, lastAt, last, head, exchanges, open, ...turns]]),
    putWorlds: (all) => {
      let id = 0;
      for (const { world, layers: own } of all)
        for (const layer of own) layerIds.set(`${layer.id} ${world}`, ++id);
      worlds(all.map(({ world, epoch, steps, header }) => [world, epoch, steps, header, 0]));
      layers(
        all.flatMap(({ world, layers: own }) =>
          own.map(({ id: layer, parent, snapshot, at, clock }) => [
            layerOf(world, layer),
            world,
            parent === null ? null : layerOf(world, parent),
            snapshot,
            at,
            clock,
          ]),
        ),
      );
    },
    putPartitions: (all) => partitions(all.map((row) => [...row, 0])),
    putFacts: (all) =>
      facts(all.map(({ world, layer, family, key, fact }) => [layerOf(world, layer), family, key, fact])),
    verify: (session, onLink) => atOnce(verifyChain(chainRows, session, { onLink })),
    finish: () => {
      try {
        db.pragma('synchronous = FULL');
        // Something is to be written, or the checkpoint does not wait for what is in the file already.
        db.prepare('UPDATE identity SET copying = 1').run();
        db.pragma('wal_checkpoint(TRUNCATE)');
        db.prepare('UPDATE identity SET copying = 0').run();
        db.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        throw storeFault(error, path);
      }
    },
    close: () => {
      lock.release();
      db.close();
    },
  };
}
