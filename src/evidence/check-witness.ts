/** Goes through a session and tells which entries a gateway signed while recording. */
import { timeOfId } from '../exchange/index.js';
import type { ChainBreak, ChainNote, Store, VerifiedLink } from '../store/index.js';
import { type Checkpoint, openCheckpoint, type TrustedKey } from './checkpoint.js';
import {
  type Covers,
  coverageOf,
  createOrders,
  judgeStamps,
  newChain,
  type SeenChain,
  type Stamped,
  seeLink,
  type TimedCheckpoint,
} from './coverage.js';
import { removalsAmiss } from './removals.js';
import { statementDigest } from './stamp.js';
import type { CheckedTimeStamp, StampAnchor } from './time-stamp/index.js';

export interface SignedCheckpoint {
  /** Place of its note; null where it came from outside the store. */
  readonly seq: number | null;
  readonly checkpoint: Checkpoint;
  readonly key: string;
  /**
   * `fits`: the session has this link there. `differs`: it is of another session or has another link, or what it covers is
   * ordered otherwise among other chains, so what was recorded was changed. `gone`: the entry was removed, so that nobody can tell.
   */
  readonly state: 'fits' | 'differs' | 'gone';
  /** null if the checkpoint does not fit. */
  readonly stamped: Stamped | null;
}

export interface Witnessed {
  readonly breaks: readonly ChainBreak[];
  readonly checkpoints: readonly SignedCheckpoint[];
  /** Checkpoints that no given key signed. */
  readonly unknown: number;
  /** Checkpoints that were kept outside, of a session of this name that is gone. */
  readonly earlier: number;
  /** Entries of exchanges, and of beginnings, that checkpoints that fit cover, and others. */
  readonly witnessed: number;
  readonly unwitnessed: number;
  /** The first exchanges of those, each once, at most 100. */
  readonly unwitnessedExchanges: readonly string[];
  /** Notes that none covers, but checkpoints and time stamps, which say themselves who made them. */
  readonly unwitnessedNotes: readonly PlacedNote[];
  readonly exchanges: readonly (readonly [store: string, ofChain: ReadonlyMap<number, string>])[];
  /** Whether a checkpoint that fits covers an entry. */
  readonly covers: (place: Pick<VerifiedLink, 'store' | 'seq'>) => boolean;
}

export interface PlacedNote extends Pick<VerifiedLink, 'store' | 'seq'> {
  readonly kind: string;
}

interface CheckOptions {
  readonly keys: readonly TrustedKey[];
  /** Checkpoints that were kept outside, each a JWS: of other sessions none is looked at. */
  readonly outside?: readonly string[];
  /** Certificates that time stamping authorities are trusted below; without any, no time stamp is checked. */
  readonly anchors?: readonly StampAnchor[];
  readonly mostBreaks?: number;
}

const MOST_NAMED = 100;

/** A session is read once, as long as that takes; the chain is verified on the way. */
export async function checkWitness(
  store: Pick<Store, 'chains'>,
  session: string,
  { keys, outside = [], anchors = [], mostBreaks = Number.POSITIVE_INFINITY }: CheckOptions,
): Promise<Witnessed> {
  const { opened, unknown, earlier } = await openAll(store, session, keys, outside, anchors);
  const places = new Set(opened.map(({ checkpoint }) => placeOf(checkpoint.store, checkpoint.entries)));
  const links = new Map<string, string>();
  const seen = new Map<string, SeenChain>();
  const orders = createOrders(opened.map(({ checkpoint }) => checkpoint));
  const breaks: ChainBreak[] = [];
  const onLink = (entry: VerifiedLink): void => {
    const { store: of, seq, link } = entry;
    if (places.has(placeOf(of, seq))) links.set(placeOf(of, seq), link);
    const chain = seen.get(of) ?? newChain();
    seen.set(of, chain);
    seeLink(chain, entry);
    orders.see(entry);
  };
  for await (const one of store.chains.verify(session, { onLink })) {
    if (breaks.length < mostBreaks) breaks.push(one);
  }
  const chains = new Map((await store.chains.of(session)).map((chain) => [chain.store, chain]));
  const found = opened.map((one) => {
    const { session: name, store: of, entries, head } = one.checkpoint;
    const chain = name === session ? chains.get(of) : undefined;
    const link = links.get(placeOf(of, entries));
    const isGone = entries <= (chain?.removed?.through ?? 0) && link === undefined;
    const fits = link === head && !orders.differs(one.checkpoint);
    const state = chain === undefined ? 'differs' : isGone ? 'gone' : fits ? 'fits' : 'differs';
    return { ...one, state } as const;
  });
  const timed = found
    .filter(({ state }) => state === 'fits')
    .map((one) => ({ ...one, ...spanOf(one.checkpoint, seen.get(one.checkpoint.store)?.exchanges) }));
  const stamped = judgeAll(timed, anchors.length > 0);
  const checkpoints = found.map(
    ({ stamps: _, ...one }): SignedCheckpoint => ({ ...one, stamped: stamped.get(one.checkpoint) ?? null }),
  );
  const fitting = checkpoints.flatMap(({ state, checkpoint }) => (state === 'fits' ? checkpoint : []));
  const removals = new Map((await store.chains.notes(session, 'removed')).map((note) => [note.store, note]));
  const covered = new Map<string, Covers>();
  for (const [of, chain] of seen) {
    const own = fitting.filter((checkpoint) => checkpoint.store === of);
    covered.set(of, coverageOf(chain, own, removals.get(of)));
  }
  const covers: Witnessed['covers'] = ({ store: of, seq }) => covered.get(of)?.(seq) ?? false;
  // Without a witness, all notes count alike.
  const counts = (note: ChainNote): boolean => fitting.length === 0 || covers(note);
  breaks.push(...(await removalsAmiss(store, session, counts)).slice(0, mostBreaks - breaks.length));
  const exchanges = [...seen].map(([of, chain]) => [of, chain.exchanges] as const);
  return { breaks, checkpoints, unknown, earlier, exchanges, covers, ...countUnwitnessed(seen, covers) };
}

function countUnwitnessed(seen: ReadonlyMap<string, SeenChain>, covers: Witnessed['covers']) {
  const left: string[] = [];
  const notes: PlacedNote[] = [];
  let all = 0;
  for (const [store, chain] of seen) {
    all += chain.exchanges.size;
    // The note on an erasure vouches for what is left of an exchange.
    const isCovered = (seq: number): boolean => {
      const by = chain.erased.get(seq);
      return covers({ store, seq }) && (by === undefined || covers(by));
    };
    for (const [seq, exchange] of chain.exchanges) if (!isCovered(seq)) left.push(exchange);
    for (const [seq, kind] of chain.notes)
      if (kind !== 'checkpoint' && kind !== 'timestamp' && !covers({ store, seq }))
        notes.push({ store, seq, kind });
  }
  return {
    witnessed: all - left.length,
    unwitnessed: left.length,
    unwitnessedExchanges: [...new Set(left)].slice(0, MOST_NAMED),
    unwitnessedNotes: notes,
  };
}

const placeOf = (store: string, seq: number): string => `${store} ${seq}`;

/** A stamp covers what comes before it in its own chain. */
function judgeAll(timed: readonly TimedCheckpoint[], isAsked: boolean): Map<Checkpoint, Stamped> {
  const stores = new Set(timed.map(({ checkpoint }) => checkpoint.store));
  const judged = [...stores].flatMap((store) => [
    ...judgeStamps(
      timed.filter(({ checkpoint }) => checkpoint.store === store),
      isAsked,
    ),
  ]);
  return new Map(judged);
}

async function openAll(
  store: Pick<Store, 'chains'>,
  session: string,
  keys: readonly TrustedKey[],
  outside: readonly string[],
  anchors: readonly StampAnchor[],
) {
  const tokens = (await store.chains.notes(session, 'timestamp')).map(({ settings }) => settings);
  const stampsOf = async (jws: string): Promise<CheckedTimeStamp[]> => {
    const digest = statementDigest(jws);
    const ours = tokens.filter(({ checkpoint }) => checkpoint === digest);
    if (ours.length === 0) return [];
    const { checkTimeStamp } = await import('./time-stamp/index.js');
    const checked = ours.map(({ token }) =>
      checkTimeStamp(Buffer.from(String(token), 'base64'), jws, anchors),
    );
    return Promise.all(checked);
  };
  const inside = (await store.chains.notes(session, 'checkpoint')).map(({ seq, settings }) => ({
    seq,
    jws: typeof settings.statement === 'string' ? settings.statement : '',
  }));
  const known = new Set(inside.map(({ jws }) => jws));
  const others = outside.filter((jws) => !known.has(jws)).map((jws) => ({ seq: null, jws }));
  const opened: (Pick<SignedCheckpoint, 'seq' | 'checkpoint' | 'key'> & { stamps: CheckedTimeStamp[] })[] =
    [];
  const begun = await beginningOf(store, session);
  let [unknown, earlier] = [0, 0];
  for (const { seq, jws } of [...inside, ...others]) {
    const found = await openCheckpoint(jws, keys);
    if (found === null) unknown += 1;
    else if (seq === null && found.checkpoint.session !== session) continue;
    else if (seq === null && isEarlier(found.checkpoint, begun)) earlier += 1;
    else
      opened.push({
        seq,
        checkpoint: found.checkpoint,
        key: found.key.name,
        stamps: await stampsOf(jws),
      });
  }
  return { opened, unknown, earlier };
}

/** Epoch ms; the beginning of time where no chain says it. */
export async function beginningOf(store: Pick<Store, 'chains'>, session: string): Promise<number> {
  const notes = await store.chains.notes(session, 'created');
  const times = notes.flatMap(({ settings: { startedAt } }) =>
    typeof startedAt === 'number' ? [startedAt] : [],
  );
  return times.length === 0 ? 0 : Math.min(...times);
}

/** One from before the session began is of another session that had its name, and was removed. */
export const isEarlier = ({ at }: Checkpoint, begun: number): boolean => Date.parse(at) < begun;

/** When the first and the last exchange that it covers began, epoch ms; null where it covers none. */
function spanOf({ runs, entries }: Checkpoint, exchanges: ReadonlyMap<number, string> = new Map()) {
  let [first, last]: [number | null, number | null] = [null, null];
  for (const [from, to] of runs)
    for (let seq = Math.max(1, from); seq <= Math.min(to, entries); seq++) {
      const at = timeOfId(exchanges.get(seq) ?? '');
      if (at === null) continue;
      first = Math.min(first ?? at, at);
      last = Math.max(last ?? at, at);
    }
  return { first, last };
}
