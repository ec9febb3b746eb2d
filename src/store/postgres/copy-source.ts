/** The rows of a store in a schema, as a copy takes them: read in one transaction, through cursors. */
import { SandgateError } from '../../spec/index.js';
import type { CopiedChain, CopiedEntry, CopiedLayer, CopiedWorld, CopySource } from '../copy/parts.js';
import { keyFrom } from '../key-file.js';
import { numberOf, readTime } from '../tampered.js';
import { readAddress } from './address.js';
import { storeOf } from './chain-rows.js';
import { type Connection, connect, type Row } from './client.js';
import { bytesIn, columnOf, contentOf } from './column-bytes.js';
import { hashOfKey, prepareSchema, readIdentity } from './migrations.js';

export interface CopyPlace {
  /** See `readAddress`. */
  readonly address: string;
  readonly passwordFile: string | undefined;
  /** Of the secret of the fingerprints. */
  readonly keyFile: string;
}

/** In ms. */
export const COPY_LIMITS = { connect: 10_000, statement: 600_000 } as const;

/** Rows of a fetch; of large ones fewer. */
const ROWS = 1_000;
const LEAST_ROWS = 8;
const PAGE_BYTES = 4_194_304;

const NO_BODIES = 'NULL::bytea, NULL::bytea, NULL::bytea, NULL::bytea, NULL::bytea, NULL::bytea';
const ENTRIES = `
  SELECT turn, seq, hash, id, own, shape, verdicts, findings, request_body, answer_body, 'exchange', NULL::text, NULL::text
    FROM exchanges WHERE chain = $1::int8
  UNION ALL SELECT turn, seq, hash, id, own, shape, verdicts, findings, request_body, NULL, 'begun', NULL, NULL
    FROM beginnings WHERE chain = $1::int8
  UNION ALL SELECT turn, seq, hash, at, ${NO_BODIES}, 'note', kind, settings FROM notes WHERE chain = $1::int8
  ORDER BY turn`;
const CHAINS = `SELECT id, session, writer, store, started_at, last_at, last, head, exchanges, begun, first_turn, turn FROM chains
  WHERE session IS NOT NULL ORDER BY first_turn, id`;
/** A removal is of no use where nothing is below it. */
const FACTS = `FROM facts JOIN
    (SELECT world, id, parent FROM layers UNION ALL SELECT world, layer, parent FROM worlds) AS known
    ON known.world = facts.world AND known.id = facts.layer WHERE fact IS NOT NULL OR known.parent IS NOT NULL`;

/** @throws SandgateError */
export async function createPostgresSource({
  address: given,
  passwordFile,
  keyFile,
}: CopyPlace): Promise<CopySource> {
  const address = readAddress(given);
  const connection = await connect({ address, passwordFile, limits: COPY_LIMITS, readonly: true });
  try {
    await prepareSchema(connection, address, true);
    const { store, keyHash, isCopying } = await readIdentity(connection);
    if (isCopying) throw new SandgateError('store.unfinished', { store: address.shown });
    const key = keyHash === null ? null : keyFrom(keyFile, true);
    if (keyHash !== null && (key === null || hashOfKey(store, key) !== keyHash))
      throw new SandgateError('store.copy-key', { store: address.shown, file: keyFile });
    // Between two pages it waits for the copy, however long that takes.
    await connection.query('SET idle_in_transaction_session_timeout = 0', []);
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', []);
    return { store, name: address.shown, key, ...readers(connection, store), close: connection.end };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

function readers({ query }: Connection, store: string): Omit<CopySource, 'store' | 'name' | 'key' | 'close'> {
  async function* pages<T>(
    sql: string,
    values: readonly unknown[],
    rowOf: (row: Row) => T,
  ): AsyncIterableIterator<T[]> {
    await query(`DECLARE page CURSOR FOR ${sql}`, values);
    for (let size = ROWS; ; ) {
      const rows = await query(`FETCH ${size} FROM page`, []);
      if (rows.length > 0) yield rows.map(rowOf);
      if (rows.length < size) break;
      const bytes = rows.reduce((sum, row) => sum + bytesIn(row), 1);
      size = Math.max(LEAST_ROWS, Math.min(ROWS, Math.floor((PAGE_BYTES * rows.length) / bytes)));
    }
    await query('CLOSE page', []);
  }

  return {
    chains: async () =>
      (await query(CHAINS, [])).map(
        ([
          id,
          session,
          writer,
          of,
          startedAt,
          lastAt,
          last,
          head,
          exchanges,
          begun,
          ...turns
        ]): CopiedChain => ({
          id: Number(id),
          session: String(session),
          startedAt: readTime(startedAt),
          lastAt: readTime(lastAt),
          store: storeOf(store, { writer: Number(writer), store: of as string | null }),
          last: numberOf(last),
          head: String(head),
          exchanges: numberOf(exchanges),
          begun: numberOf(begun),
          turns: turns as [number, number],
        }),
      ),
    parts: (chain) =>
      pages('SELECT part, content FROM parts WHERE chain = $1::int8', [chain], ([part, content]) => [
        Number(part),
        contentOf(content as Buffer),
      ]),
    certificates: (chain) =>
      pages('SELECT reference, facts FROM certificates WHERE chain = $1::int8', [chain], (row) => [
        String(row[0]),
        String(row[1]),
      ]),
    entries: (chain) => pages(ENTRIES, [chain], entryOf),
    worlds: async () => {
      const layers = new Map<string, CopiedLayer[]>();
      for (const [world, ...layer] of await query(
        `SELECT world, id, parent, snapshot, at, clock FROM layers
           UNION ALL SELECT world, layer, parent, NULL, NULL, NULL FROM worlds ORDER BY world, id`,
        [],
      )) {
        const list = layers.get(String(world)) ?? [];
        layers.set(String(world), list);
        const [id, parent, snapshot, at, clock] = layer as [
          number,
          number | null,
          string | null,
          number | null,
          string | null,
        ];
        list.push({ id, parent, snapshot, at, clock });
      }
      const worlds = await query('SELECT world, epoch, steps, header FROM worlds ORDER BY world', []);
      return worlds.map(([world, epoch, steps, header]) => ({
        ...({ world, epoch, steps, header } as Omit<CopiedWorld, 'layers'>),
        layers: layers.get(String(world)) ?? [],
      }));
    },
    partitions: () =>
      pages(
        'SELECT world, partition, version FROM partitions',
        [],
        (row) => row as readonly [string, string, number],
      ),
    countFacts: async () => Number((await query(`SELECT count(*) ${FACTS}`, []))[0]?.[0]),
    facts: () =>
      pages(
        `SELECT facts.world, layer, family, key, fact, partition ${FACTS} ORDER BY turn`,
        [],
        ([world, layer, family, key, fact, home]) => ({
          world: String(world),
          layer: Number(layer),
          family: String(family),
          key: String(key),
          fact: fact as string | null,
          home: String(home),
        }),
      ),
  };
}

function entryOf([turn, seq, link, id, own, ...rest]: Row): CopiedEntry {
  const [kind, noted, settings] = rest.slice(5);
  const at = { turn: turn as number, seq: seq as number, link: String(link) };
  if (kind === 'note') return { ...at, kind, note: [id as number, String(noted), String(settings)] };
  return {
    ...at,
    kind: kind as 'exchange' | 'begun',
    id: id as number,
    own: contentOf(own as Buffer),
    columns: rest.slice(0, 5).map((bytes) => columnOf(bytes as Buffer | null)),
  };
}
