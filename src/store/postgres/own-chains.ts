/** The chains of one writer, whose ends it knows without asking, and what each has said of those of others. */

import type { Beside } from '../chain-notes.js';
import type { ChainEnd } from '../driver.js';
import type { Batch } from '../port.js';
import { arrayOf } from './arrays.js';
import type { Row } from './client.js';

/** The end of a chain of this writer, as it was kept. */
export interface KnownChain {
  readonly id: number;
  readonly last: number;
  readonly head: string;
  readonly lastAt: number;
}

type Named = KnownChain & { readonly name: string };
type Pending = Named & { readonly startedAt: number; readonly firstTurn: number };

/** Behind so many chains, one that nothing was recorded in for long is left, and its session goes on in another. */
const MOST_CHAINS = 20_000;

/** `nextChain`: ids of chains that nobody has. */
export function createOwnChains(nextChain: () => number) {
  /** By the name of the session. */
  const chains = new Map<string, Named>();
  const nameOf = new Map<number, string>();
  /** Begun by a batch that is not kept yet; kept for the next one, where it is lost. */
  const begun = new Map<string, Pending>();
  let ends: Named[] = [];
  /** Kept, and gone with the state in which they were. */
  const left = new Map<number, ChainEnd>();
  let others: Others = new Map();
  /** By session, how far its chain here says that others had come: that is said once. */
  const said = new Map<string, Map<number, number>>();
  /** Statements of this batch; null: earlier ones may be gone. */
  let saying: (readonly [session: string, ends: ReadonlyMap<number, number> | null])[] = [];

  function keepEnds(): void {
    for (const end of ends) {
      left.delete(end.id);
      chains.delete(end.name);
      chains.set(end.name, end);
      nameOf.set(end.id, end.name);
      begun.delete(end.name);
    }
  }

  function keepSaid(): void {
    for (const [name, ends] of saying)
      if (ends === null) said.delete(name);
      else said.set(name, new Map([...(said.get(name) ?? []), ...ends]));
  }

  function leaveOldest(): void {
    for (const [name, { id }] of chains) {
      if (chains.size <= MOST_CHAINS) break;
      chains.delete(name);
      said.delete(name);
      nameOf.delete(id);
    }
  }

  return {
    /** By the name of the session, as it was kept. */
    of: (session: string) => chains.get(session),
    /** The end that this process wrote of a chain that has another end now: the store was set back to an earlier state. */
    left: (chain: number) => left.get(chain),
    known: () => [...chains.values()].map(({ id }) => id),
    *linksAt(chain: number, place: number) {
      const known = chains.get(nameOf.get(chain) ?? '');
      if (known?.id === chain && known.last === place) yield known.head;
    },
    /** One that this batch begins; gives its id. */
    create: (name: string, at: number, firstTurn: number) => {
      const id = begun.get(name)?.id ?? nextChain();
      begun.set(name, { id, name, startedAt: at, firstTurn, last: 0, head: '', lastAt: at });
      nameOf.set(id, name);
      said.delete(name);
      return id;
    },
    /** So far it comes with this batch; gives what it begins, null where it is there already, and chains that must still be there. */
    end: (end: KnownChain) => {
      const { id } = end;
      const name = nameOf.get(id) ?? '';
      ends.push({ ...end, name });
      const made = begun.get(name);
      if (made?.id !== id) return { begins: null, restsOn: [id] };
      // The chain of its first note still exists: the session was not removed meanwhile.
      return { begins: made, restsOn: (others.get(name) ?? []).map(([other]) => other) };
    },
    /** Chains of others that have gone on since this chain named them. */
    beside: (session: string) => {
      const grown = (others.get(session) ?? []).filter(
        ([id, [, last]]) => last > (said.get(session)?.get(id) ?? 0),
      );
      saying.push([session, new Map(grown.map(([id, [, last]]) => [id, last]))]);
      return grown.map(([, beside]) => beside);
    },
    /** Marks the statements of a chain as possibly gone. */
    unsay: (chain: number) => void saying.push([nameOf.get(chain) ?? '', null]),
    /** Takes the other chains, before a batch that names them. */
    setOthers: (found: Others) => {
      others = found;
    },
    /** Takes others' changes to a chain; null: it is gone. */
    setChain: (id: number, chain: KnownChain | null) => {
      const name = nameOf.get(id) ?? '';
      const known = chains.get(name);
      if (chain !== null) {
        if (known?.id === id && known.last > chain.last) left.set(id, known);
        chains.set(name, { ...chain, name });
        begun.delete(name);
      } else {
        if (known?.id === id) chains.delete(name);
        left.delete(id);
        nameOf.delete(id);
      }
    },
    /** The batch was kept. */
    kept: () => {
      keepEnds();
      keepSaid();
      leaveOldest();
    },
    /** Another batch begins. */
    clear: () => {
      ends = [];
      saying = [];
    },
  };
}

export type OwnChains = ReturnType<typeof createOwnChains>;

/** The writer of a chain; `store`: the chain was copied out of that store. */
interface WriterOf {
  readonly writer: number;
  readonly store: string | null;
}

/** By what a chain names its store: which of its writers it is of, too, so that their checkpoints differ. */
export const storeOf = (own: string, { writer, store }: WriterOf): string => store ?? `${own}-${writer}`;

/** By session, the chains of others, with their rows. */
export type Others = ReadonlyMap<string, readonly (readonly [id: number, beside: Beside])[]>;

/** Sessions that a batch begins a chain in, as far as this process knows, or signs a checkpoint of. */
export function sessionsToName(batch: Batch, isKnown: (session: string) => boolean): Set<string> {
  const found = new Set<string>();
  const add = (session: string) => isKnown(session) || found.add(session);
  for (const { session, note } of batch.notes ?? [])
    if (note.kind === 'checkpoint') found.add(session);
    else add(session);
  for (const { exchange } of batch.begun ?? []) add(exchange.call.session);
  for (const { exchange } of batch.records) add(exchange.call.session);
  return found;
}

export async function readOthers(
  query: (text: string, values: readonly unknown[]) => Promise<Row[]>,
  sessions: ReadonlySet<string>,
  own: number,
  nameOf: (chain: WriterOf) => string,
): Promise<Others> {
  const others = new Map<string, [number, Beside][]>();
  const rows = (await query(
    'SELECT session, id, writer, store, last, head FROM chains WHERE session = ANY ($1::text[]) AND writer <> $2::int8 ORDER BY first_turn, id',
    [arrayOf('text', [...sessions]), own],
  )) as unknown as [
    session: string,
    id: number,
    writer: number,
    store: string | null,
    last: number,
    head: string,
  ][];
  for (const [session, id, writer, store, last, head] of rows) {
    const list = others.get(session) ?? [];
    others.set(session, list);
    list.push([id, [nameOf({ writer, store }), last, head]]);
  }
  return others;
}
