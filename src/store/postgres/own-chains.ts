/** The chains of one writer, whose ends it knows without asking, and what each has said of those of others. */
import type { Beside } from '../chain-notes.js';
import type { ChainEnd, EndRows } from '../driver.js';
import type { Others } from './beside.js';

/** The end of a chain of this writer, as it was kept. */
export interface KnownChain {
  readonly id: number;
  readonly last: number;
  readonly head: string;
  readonly lastAt: number;
}

/** What is written beside the end of a chain. */
interface WrittenEnd {
  /** null where the chain is there already. */
  readonly begins: Pick<Pending, 'name' | 'startedAt' | 'firstTurn'> | null;
  /** Chains that must still be there. */
  readonly restsOn: readonly number[];
}

export interface OwnChains extends Pick<EndRows, 'linksAt'> {
  /** The end that this process wrote of a chain that has another end now: the store was set back to an earlier state. */
  readonly left: (chain: number) => ChainEnd | undefined;
  /** By the name of the session, as it was kept. */
  readonly of: (session: string) => KnownChain | undefined;
  readonly known: () => readonly number[];
  /** One that this batch begins; gives its id. */
  readonly create: (session: string, at: number, firstTurn: number) => number;
  /** So far it comes with this batch. */
  readonly end: (end: KnownChain) => WrittenEnd;
  /** Chains of others that have gone on since this chain named them. */
  readonly beside: (session: string) => Beside[];
  /** What a chain has said may be gone. */
  readonly unsay: (chain: number) => void;
  /** What a batch names is given before it. */
  readonly learnOthers: (others: Others) => void;
  /** What others did to it: null, it is gone. */
  readonly learn: (id: number, chain: KnownChain | null) => void;
  /** The batch was kept. */
  readonly kept: () => void;
  /** Another batch begins. */
  readonly clear: () => void;
}

type Named = KnownChain & { readonly name: string };
type Pending = Named & { readonly startedAt: number; readonly firstTurn: number };

/** Behind so many chains, one that nothing was recorded in for long is left, and its session goes on in another. */
const MOST_CHAINS = 20_000;

/** `nextChain`: ids of chains that nobody has. */
export function createOwnChains(nextChain: () => number): OwnChains {
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
  /** What this batch says; null: what was said before may be gone. */
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
    of: (session) => chains.get(session),
    left: (chain) => left.get(chain),
    known: () => [...chains.values()].map(({ id }) => id),
    *linksAt(chain, place) {
      const known = chains.get(nameOf.get(chain) ?? '');
      if (known?.id === chain && known.last === place) yield known.head;
    },
    create: (name, at, firstTurn) => {
      const id = begun.get(name)?.id ?? nextChain();
      begun.set(name, { id, name, startedAt: at, firstTurn, last: 0, head: '', lastAt: at });
      nameOf.set(id, name);
      said.delete(name);
      return id;
    },
    end: (end) => {
      const { id } = end;
      const name = nameOf.get(id) ?? '';
      ends.push({ ...end, name });
      const made = begun.get(name);
      if (made?.id !== id) return { begins: null, restsOn: [id] };
      // What its first note names is still there: the session was not removed meanwhile.
      return { begins: made, restsOn: (others.get(name) ?? []).map(([other]) => other) };
    },
    beside: (session) => {
      const grown = (others.get(session) ?? []).filter(
        ([id, [, last]]) => last > (said.get(session)?.get(id) ?? 0),
      );
      saying.push([session, new Map(grown.map(([id, [, last]]) => [id, last]))]);
      return grown.map(([, beside]) => beside);
    },
    unsay: (chain) => void saying.push([nameOf.get(chain) ?? '', null]),
    learnOthers: (found) => {
      others = found;
    },
    learn: (id, chain) => {
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
    kept: () => {
      keepEnds();
      keepSaid();
      leaveOldest();
    },
    clear: () => {
      ends = [];
      saying = [];
    },
  };
}
