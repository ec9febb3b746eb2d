/** Counts of a session: of each filter that the live page offers, the exchanges that it finds. */
import * as z from 'zod';
import { matches, parseFilter, type RecordedExchange } from '../../store/index.js';
import { count, named, type Shown, time } from '../api/schemas.js';
import type { First } from './older.js';
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

/** The filters of what an index is asked for, in the order in which `addAll` takes its counts. */
export const COUNTED_FILTERS = COUNTED.map(({ tree }) => tree);

type Port = Pick<LivePort, 'store' | 'unfinished'>;

export function createSessionCounts() {
  const tally = new Map<Name, number>();
  const add = (name: Name, more: number): void => void tally.set(name, (tally.get(name) ?? 0) + more);
  return {
    take: (names: readonly Name[]): void => {
      for (const name of names) add(name, 1);
    },
    addAll: (counts: readonly number[]): void => {
      for (const [i, { name }] of COUNTED.entries()) add(name, counts[i] ?? 0);
    },
    /** `first`: nothing before it is counted. */
    show: async (session: string, port: Port, first: First | null): Promise<Counts> => {
      const [all, open] = await Promise.all([port.store.sessions(), port.unfinished(session)]);
      const counts = [...tally, ['unfinished', open.length] as const];
      const countOf = new Map<Name, number>(counts);
      return {
        exchanges: all.find(({ name }) => name === session)?.exchanges ?? 0,
        counts: FILTERS.map(([name, filter]) => ({ name, filter, count: countOf.get(name) ?? 0 })),
        since: first === null ? null : new Date(first.at).toISOString(),
      };
    },
  };
}
