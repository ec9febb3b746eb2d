/** Counts of a session: of each filter that the live page offers, the exchanges that it finds. */
import * as z from 'zod';
import { matches, parseFilter, type RecordedExchange } from '../../store/index.js';
import { count, named, type Shown, time } from '../api/schemas.js';
import { createOlder } from './older.js';
import type { LivePort } from './port.js';

const FILTERS = [
  ['must', 'worst:must'],
  ['should', 'worst:should'],
  ['refused', 'status:4* -worst:must,should'],
  ['failed', '(status>=500 OR fault:*) fault!=handshake,unfinished,injected'],
  ['handshake', 'fault:handshake'],
  ['injected', 'injected:*'],
  ['unfinished', 'fault:unfinished'],
] as const;
type Name = (typeof FILTERS)[number][0];

export const counts = named(
  'Counts',
  z.object({
    exchanges: count.describe('All of the session.'),
    counts: z
      .array(
        z.object({
          name: z.string(),
          filter: z.string().describe('It finds those that are counted.'),
          count,
        }),
      )
      .describe(
        '`must`, `should`, `refused` (for neither), `failed`, `handshake`, `injected` and `unfinished`.',
      ),
    since: time
      .nullable()
      .describe('Null: of the whole session. Otherwise from this time on: what is older is in no index yet.'),
  }),
);

export type Counts = Shown<typeof counts>;

/** Calls without end are looked up: no record of theirs is told. */
const COUNTED = FILTERS.filter(([name]) => name !== 'unfinished').map(([name, filter]) => {
  const tree = parseFilter(filter);
  return { name, tree, fits: matches(tree) };
});

/** The counts that an exchange is one of. */
export const namesOf = (record: RecordedExchange): readonly Name[] =>
  COUNTED.filter(({ fits }) => fits(record)).map(({ name }) => name);

type Port = Pick<LivePort, 'search' | 'store' | 'unfinished'>;

const A_SEARCH = 100_000;

/** The counts of the exchanges before one, by the index; null where there is none, or it is that far behind. */
async function countBefore(
  { search }: Port,
  session: string,
  first: string,
  reach: number,
): Promise<Map<Name, number> | null> {
  const found = new Map<Name, number>();
  for (const { name, tree } of COUNTED) {
    const { indexedUpTo, behind } = await search(session, tree, { limit: 0 });
    if (indexedUpTo === null || behind === null || behind >= reach) return null;
    for (let before: string | null = first; before !== null; ) {
      const { exchanges, unfinished, next } = await search(session, tree, { before, limit: A_SEARCH });
      found.set(name, (found.get(name) ?? 0) + exchanges.length - unfinished.length);
      before = next;
    }
  }
  return found;
}

/** `reach`: exchanges that the view has read; an index that far behind knows nothing of those before. */
export function createSessionCounts(reach: number) {
  const tally = new Map<Name, number>();
  const add = (name: Name, more: number): void => void tally.set(name, (tally.get(name) ?? 0) + more);
  const older = createOlder((counts: ReadonlyMap<Name, number>) => {
    for (const [name, count] of counts) add(name, count);
  });
  return {
    take: (names: readonly Name[]): void => {
      for (const name of names) add(name, 1);
    },
    beginAt: older.beginAt,
    show: async (session: string, port: Port): Promise<Counts> => {
      await older.fetch(({ exchange }) => countBefore(port, session, exchange, reach));
      const [all, open] = await Promise.all([port.store.sessions(), port.unfinished(session)]);
      const counts = [...tally, ['unfinished', open.length] as const];
      const countOf = new Map<Name, number>(counts);
      return {
        exchanges: all.find(({ name }) => name === session)?.exchanges ?? 0,
        counts: FILTERS.map(([name, filter]) => ({ name, filter, count: countOf.get(name) ?? 0 })),
        since: older.since(),
      };
    },
  };
}
