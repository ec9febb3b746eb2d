/** Goes through a session and tells which entries a gateway signed while recording. */
import { timeOfId } from '../exchange/index.js';
import type { ChainBreak, Store } from '../store/index.js';
import { type Checkpoint, openCheckpoint, type TrustedKey } from './checkpoint.js';
import { judgeStamps, type Stamped } from './judge-stamps.js';
import { statementDigest } from './stamp.js';
import type { CheckedTimeStamp, StampAnchor } from './time-stamp/index.js';

export interface SignedCheckpoint {
  /** Place of its note; null where it came from outside the store. */
  readonly seq: number | null;
  readonly checkpoint: Checkpoint;
  /** The name of the key. */
  readonly key: string;
  /**
   * `fits`: the session has this link there. `differs`: it is of another session or has another link, so what was
   * recorded was changed. `gone`: the entry was removed, so that nobody can tell.
   */
  readonly state: 'fits' | 'differs' | 'gone';
  /** What time stamps show of it; null where it does not fit. */
  readonly stamped: Stamped | null;
}

export interface Witnessed {
  /** Of the chain itself. */
  readonly breaks: readonly ChainBreak[];
  readonly checkpoints: readonly SignedCheckpoint[];
  /** Checkpoints that no given key signed. */
  readonly unknown: number;
  /** Entries of exchanges that stand in a run of a checkpoint that fits, and those that stand in none. */
  readonly witnessed: number;
  readonly unwitnessed: number;
  /** The first exchanges of them, at most 100. */
  readonly unwitnessedExchanges: readonly string[];
}

export interface CheckOptions {
  readonly keys: readonly TrustedKey[];
  /** Checkpoints that were kept outside, each a JWS: of other sessions none is looked at. */
  readonly outside?: readonly string[];
  /** Certificates that time stamping authorities are trusted below; without any, no time stamp is checked. */
  readonly anchors?: readonly StampAnchor[];
  /** At most so many breaks. */
  readonly mostBreaks?: number;
}

const MOST_NAMED = 100;

/** A session is read once, as long as that takes; the chain is verified on the way. */
export async function checkWitness(
  store: Pick<Store, 'chain' | 'chainNotes' | 'verifyChain'>,
  session: string,
  { keys, outside = [], anchors = [], mostBreaks = Number.POSITIVE_INFINITY }: CheckOptions,
): Promise<Witnessed> {
  const { opened, unknown } = await openAll(store, session, keys, outside, anchors);
  const places = new Set(opened.map(({ checkpoint }) => checkpoint.entries));
  const links = new Map<number, string>();
  const exchanges = new Map<number, string>();
  const breaks: ChainBreak[] = [];
  const onLink = ({ seq, link, exchange }: { seq: number; link: string; exchange: string | null }): void => {
    if (places.has(seq)) links.set(seq, link);
    if (exchange !== null) exchanges.set(seq, exchange);
  };
  for await (const one of store.verifyChain(session, { onLink })) {
    if (breaks.length < mostBreaks) breaks.push(one);
  }
  const { store: id, removed } = (await store.chain(session)) ?? {};
  const found = opened.map((one) => {
    const { session: name, store: of, entries, head } = one.checkpoint;
    const isOurs = name === session && of === id;
    const isGone = entries <= (removed?.through ?? 0) && !links.has(entries);
    const state = !isOurs ? 'differs' : isGone ? 'gone' : links.get(entries) === head ? 'fits' : 'differs';
    return { ...one, state } as const;
  });
  const timed = found
    .filter(({ state }) => state === 'fits')
    .map((one) => ({ ...one, ...spanOf(one.checkpoint, exchanges) }));
  const stamped = judgeStamps(timed, anchors.length > 0);
  const checkpoints = found.map(
    ({ stamps: _, ...one }): SignedCheckpoint => ({ ...one, stamped: stamped.get(one.checkpoint) ?? null }),
  );
  const runs = checkpoints.flatMap(({ state, checkpoint }) => (state === 'fits' ? checkpoint.runs : []));
  const left = outsideOf(exchanges, runs);
  return {
    breaks,
    checkpoints,
    unknown,
    witnessed: exchanges.size - left.length,
    unwitnessed: left.length,
    unwitnessedExchanges: left.slice(0, MOST_NAMED),
  };
}

async function openAll(
  store: Pick<Store, 'chainNotes'>,
  session: string,
  keys: readonly TrustedKey[],
  outside: readonly string[],
  anchors: readonly StampAnchor[],
) {
  const tokens = (await store.chainNotes(session, 'timestamp')).map(({ settings }) => settings);
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
  const inside = (await store.chainNotes(session, 'checkpoint')).map(({ seq, settings }) => ({
    seq,
    jws: typeof settings.statement === 'string' ? settings.statement : '',
  }));
  const known = new Set(inside.map(({ jws }) => jws));
  const others = outside.filter((jws) => !known.has(jws)).map((jws) => ({ seq: null, jws }));
  const opened: (Pick<SignedCheckpoint, 'seq' | 'checkpoint' | 'key'> & { stamps: CheckedTimeStamp[] })[] =
    [];
  let unknown = 0;
  for (const { seq, jws } of [...inside, ...others]) {
    const found = await openCheckpoint(jws, keys);
    if (found === null) unknown += 1;
    else if (seq !== null || found.checkpoint.session === session)
      opened.push({
        ...{ seq, checkpoint: found.checkpoint, key: found.key.name },
        stamps: await stampsOf(jws),
      });
  }
  return { opened, unknown };
}

/** When the first and the last exchange that it covers began, epoch ms; null where it covers none. */
function spanOf({ runs, entries }: Checkpoint, exchanges: ReadonlyMap<number, string>) {
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

/** In order of their places. */
function outsideOf(
  exchanges: ReadonlyMap<number, string>,
  runs: readonly (readonly [from: number, to: number])[],
): string[] {
  const ordered = [...runs].sort(([a], [b]) => a - b);
  const left: string[] = [];
  let next = 0;
  let reach = 0;
  for (const [seq, exchange] of exchanges) {
    for (let run = ordered[next]; run !== undefined && run[0] <= seq; run = ordered[++next])
      reach = Math.max(reach, run[1]);
    if (seq > reach) left.push(exchange);
  }
  return left;
}
