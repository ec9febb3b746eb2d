/** The settings that were in force while a session was recorded, and for which of its exchanges. */
import { bankOriginsIn, type GatewayNote, gatewayNotes, readNote, timeOfId } from '../../exchange/index.js';
import type { ChainNote, SessionInfo, Store, VerifiedLink } from '../../store/index.js';
import type { Config } from '../config/config.js';
import type { LoadedConfig } from '../config/load.js';
import { JUDGES } from '../config/options.js';

/** All that a gateway was set to, with its changes. */
export type Settings = GatewayNote['settings'];

export type Periods = Awaited<ReturnType<typeof periodsOf>>;

/** Entries of chains that were gone along, and which of them a gateway has signed. */
export interface SeenEntries {
  /** Exchange ids by chain and place, in order. */
  readonly exchanges: Iterable<readonly [store: string, ofChain: ReadonlyMap<number, string>]>;
  /** null where nothing is signed, so that every note counts. */
  readonly covers: ((place: Pick<VerifiedLink, 'store' | 'seq'>) => boolean) | null;
}

/** What makes settings other ones: verdicts depend on it, or the head of a report tells it. */
const BEARING = [...JUDGES, 'stance', 'source', 'catalogue'] as readonly (keyof Settings)[];

/**
 * A note counts for what its gateway recorded behind it. For an exchange that a checkpoint covers, only notes count that
 * one covers too: whoever holds the store can write others in front of it. `session` as it was then, if later has more.
 */
export async function periodsOf(
  store: Pick<Store, 'chains'>,
  session: SessionInfo,
  seen: SeenEntries | null,
) {
  const noted = settingsIn(gatewayNotes(session.notes));
  if (noted.every(({ text }) => text === noted[0]?.text))
    return { settings: noted.slice(0, 1).map(({ settings }) => settings), of: (_: string): number => 0 };
  const notes = await placedNotes(store, session);
  const { exchanges, covers } = seen ?? (await goAlong(store, session));
  const settings: Settings[] = [];
  const inForce = new Map<string, number>();
  const places = new Map<string, number>();
  for (const [of, ofChain] of exchanges) {
    const own = notes.filter((note) => note.store === of);
    const all = periodsIn(own);
    const signed = covers === null ? all : periodsIn(own.filter(covers));
    for (const [seq, exchange] of ofChain) {
      // An exchange with a beginning came with that.
      if (places.has(exchange)) continue;
      const at = timeOfId(exchange) ?? Number.POSITIVE_INFINITY;
      // Behind what an earlier version removed no checkpoint covers the settings any more.
      const found = (covers?.({ store: of, seq }) && signed.at(seq, at)) || all.at(seq, at);
      if (found === undefined) continue;
      const place = inForce.get(found.text) ?? settings.push(found.settings) - 1;
      inForce.set(found.text, place);
      places.set(exchange, place);
    }
  }
  if (settings.length === 0) settings.push(...noted.slice(-1).map((last) => last.settings));
  return {
    /** Different ones that were in force when a call came, in their order; none where nothing is noted. */
    settings,
    /** Which of them were in force when the call of an exchange came. */
    of: (exchange: string): number => places.get(exchange) ?? 0,
  };
}

const KINDS = ['started', 'changed', 'imported'] as const;

async function placedNotes(store: Pick<Store, 'chains'>, session: SessionInfo): Promise<ChainNote[]> {
  const notes = await Promise.all(KINDS.map(async (kind) => store.chains.notes(session.name, kind)));
  return notes
    .flat()
    .filter(isWithin(session))
    .sort((a, b) => a.seq - b.seq);
}

/** Whether an entry was there when the session was as it is told to be. */
export function isWithin({ chains }: Pick<SessionInfo, 'chains'>) {
  const ends = new Map(chains.map(({ store, entries }) => [store, entries]));
  return ({ store, seq }: Pick<VerifiedLink, 'store' | 'seq'>): boolean => seq <= (ends.get(store) ?? 0);
}

async function goAlong(store: Pick<Store, 'chains'>, session: SessionInfo): Promise<SeenEntries> {
  const exchanges = new Map<string, Map<number, string>>();
  const isThen = isWithin(session);
  const onLink = (link: VerifiedLink): void => {
    if (link.exchange === null || !isThen(link)) return;
    const ofChain = exchanges.get(link.store) ?? new Map<number, string>();
    exchanges.set(link.store, ofChain.set(link.seq, link.exchange));
  };
  for await (const _ of store.chains.verify(session.name, { onLink }));
  return { exchanges, covers: null };
}

interface Noted {
  readonly note: Pick<GatewayNote, 'at'>;
  readonly settings: Settings;
  readonly text: string;
}

/** An import that notes no profile tells nothing but the interface of the bank, if that is another one. */
function settingsIn<T extends GatewayNote>(notes: readonly T[]): (Noted & { readonly note: T })[] {
  const found: (Noted & { readonly note: T })[] = [];
  for (const note of notes) {
    const before = note.kind === 'changed' ? found.at(-1)?.settings : {};
    const settings: Settings = { ...before, ...note.settings };
    if (settings.profile !== undefined || settings.bankProfile !== undefined)
      found.push({ note, settings, text: textOf(settings) });
  }
  return found;
}

const textOf = (settings: Settings): string =>
  JSON.stringify([...BEARING.map((key) => valueText(settings[key])), ...bankOriginsIn(settings)]);

/** `notes` of one chain, in order. It is asked for places in their order. */
function periodsIn(notes: readonly ChainNote[]) {
  const read = notes.flatMap(({ at, kind, settings, seq }) =>
    gatewayNotes(readNote(at, kind, settings)).map((note) => ({ ...note, seq })),
  );
  const found = settingsIn(read);
  let reached = 0;
  return {
    /** A call that came before a change and was recorded after it is of before; the first note is of all before it. */
    at: (seq: number, at: number): Noted | undefined => {
      while (reached < found.length && (found[reached] as (typeof found)[number]).note.seq < seq) reached++;
      let last = reached - 1;
      while (last > 0 && (found[last] as Noted).note.at > at) last--;
      return found[Math.max(last, 0)];
    },
  };
}

type Values = Readonly<Record<string, unknown>>;

export type ChosenSettings = ReturnType<typeof chooseSettings>;

/** What the user sets comes before what was in force when a call came, and that before defaults. */
export function chooseSettings(
  { config, effective }: LoadedConfig,
  inForce: readonly Settings[],
  bankPrevails = false,
) {
  const isSet = (key: string) =>
    (key !== 'bankProfile' || bankPrevails) &&
    effective.some(({ option, from }) => option.key === key && from !== 'default');
  const set = JUDGES.filter(isSet);
  const left = JUDGES.filter((key) => !isSet(key));
  const recorded: readonly Values[] = inForce.length === 0 ? [{}] : inForce;
  const settings = recorded.map((noted): Config => {
    const known = left.filter((key) => noted[key] !== undefined).map((key) => [key, noted[key]]);
    // Without a profile it is the built-in interface.
    const bank = isSet('bankProfile') || !tellsBank(noted) ? {} : { bankProfile: undefined };
    return { ...config, ...bank, ...Object.fromEntries(known) };
  });
  const differs = recorded.some((noted) =>
    set.some((key) => isOther(key, noted[key], (config as Values)[key])),
  );
  return {
    /** One for each of those that were in force, in their order; at least one. */
    settings,
    /** The verdicts that were stored are by other settings, or nobody knows by which. */
    differs: differs || inForce.length === 0 || inForce.some(({ profile }) => profile === undefined),
  };
}

const tellsBank = ({ segment, laterProfile }: Values): boolean =>
  segment !== undefined && laterProfile === undefined;

/**
 * Rules, waivers and own rules that are not noted were none, and the bank profile the built-in interface; of anything else
 * that is not noted nothing is known.
 */
function isOther(key: string, recorded: unknown, chosen: unknown): boolean {
  if (recorded === undefined && !NONE_IF_ABSENT.has(key)) return false;
  return valueText(recorded) !== valueText(chosen);
}

const NONE_IF_ABSENT: ReadonlySet<string> = new Set(['rules', 'waivers', 'ownRules', 'bankProfile']);

/** An empty list of waivers says the same as none. */
const valueText = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text === '[]' || text === '{}' ? '' : text;
};
