/** What a session notes: the settings that it is recorded under, and the steps that befell its world. */

import {
  type GatewayNote,
  gatewayNotes,
  isStep,
  type ListenerOrigins,
  originsBehind,
  type StepNote,
  stepKey,
  timeOfId,
} from '../../exchange/index.js';
import { catalogueDigest } from '../../rules/index.js';
import { type Dialect, dialectOf } from '../../spec/index.js';
import {
  COMMON_WORLD,
  isInMemory,
  type PlacedStep,
  type SessionInfo,
  type Store,
  type StoredChains,
} from '../../store/index.js';
import { noteClock } from '../clock/clock-settings.js';
import { noteHabits } from '../config/bank-habits.js';
import type { Config } from '../config/config.js';
import { JUDGES } from '../config/options.js';
import type { RunningWorld } from '../gateway/worlds.js';

/** Settings that tell how calls were answered and kept. */
const TOLD = ['source', 'sources', 'bank', 'stance', 'stances', 'scaLink', 'durability'] as const;

const pick = (config: Config, keys: readonly string[]): GatewayNote['settings'] =>
  Object.fromEntries(keys.map((key) => [key, config[key as keyof Config]]));

/** Defaults in bytes: what the laptop of a developer survives, and what the heap of a process does. */
const DEFAULT_KEEP_SIZE = 5 * 1_073_741_824;
const DEFAULT_KEEP_SIZE_IN_MEMORY = 1_073_741_824;

export const keepSizeOf = ({ keepSize, store }: Pick<Config, 'keepSize' | 'store'>): number =>
  keepSize ?? (isInMemory(store) ? DEFAULT_KEEP_SIZE_IN_MEMORY : DEFAULT_KEEP_SIZE);

export function settingsOf(config: Config): GatewayNote['settings'] {
  const { upstream, upstreams, upstreamPsu, lendCertificate, bankHabits } = config;
  return {
    ...pick(config, TOLD),
    bankHabits: noteHabits(bankHabits),
    ...judgedBy(config),
    retention: { keepDays: config.keepDays, keepSize: keepSizeOf(config) },
    upstream: upstream?.href,
    upstreams:
      upstreams === undefined
        ? undefined
        : Object.fromEntries(Object.entries(upstreams).map(([of, { href }]) => [of, href])),
    upstreamPsu: upstreamPsu?.href,
    lendCertificate: upstream === undefined ? undefined : lendCertificate,
  };
}

/** Settings by which calls are judged; all that a recording of others notes, which nothing of ours answered. */
export const judgedBy = (config: Config): GatewayNote['settings'] => ({
  ...pick(config, [...JUDGES, 'pseudonymise']),
  catalogue: catalogueDigest(),
});

interface RecordedAt {
  readonly listeners: ListenerOrigins;
  /** undefined where no note says it. */
  readonly dialect: Dialect | undefined;
  /** The program of others that recorded it; undefined where a gateway of ours did. */
  readonly recordedBy: string | undefined;
}

/** A session that was recorded in several runs has all their addresses, each once. */
export function recordedAt({ notes }: Pick<SessionInfo, 'notes'>): RecordedAt {
  const api = new Set<string>();
  const psu = new Set<string>();
  const bank = new Set<string>();
  let dialect: Dialect | undefined;
  let recordedBy: string | undefined;
  for (const { settings } of gatewayNotes(notes)) {
    if (dialect === undefined && settings.segment !== undefined)
      dialect = dialectOf(settings.bankProfile, settings.segment);
    recordedBy ??= settings.recordedBy;
    for (const url of [settings.urls?.api ?? []].flat()) api.add(url);
    for (const url of [settings.urls?.psu ?? []].flat()) psu.add(url);
    for (const origin of originsBehind(settings)) bank.add(origin);
  }
  const behind = bank.size === 0 ? {} : { bank: [...bank] };
  const listeners = { api: [...api], psu: [...psu], ...behind };
  return { listeners, dialect, recordedBy };
}

/** What a session notes of the world that its calls meet. */
export function settingsIn({ name, clock }: RunningWorld): GatewayNote['settings'] {
  return { clock: noteClock(clock.state()), ...(name === COMMON_WORLD ? {} : { world: name }) };
}

/** Only whole sessions are removed for their size: where nothing is said of rotation, ten of them fill the store. */
export function rotateSizeOf({
  sessionRotateSize,
  sessionRotateEvery,
  keepSize,
}: Config): number | undefined {
  if (sessionRotateSize !== undefined || sessionRotateEvery !== undefined || keepSize === undefined)
    return sessionRotateSize;
  return Math.ceil(keepSize / 10);
}

/** The world of a session; undefined: the one of calls that named no session. */
export function worldOf({ notes }: Pick<SessionInfo, 'notes'>): string | undefined {
  return gatewayNotes(notes).find(({ settings }) => settings.world !== undefined)?.settings.world;
}

export function isReplay({ notes }: Pick<SessionInfo, 'notes'>): boolean {
  return gatewayNotes(notes).some(({ settings }) => settings.source?.split(',').includes('replay'));
}

/** Steps of such a session befell no world of this store, or one of its own. */
const isApart = (session: SessionInfo): boolean =>
  isReplay(session) || session.notes.some(({ kind }) => kind === 'imported');

type WorldSteps = ReadonlyMap<string | undefined, readonly StepNote[]>;

export function stepsOfWorlds(sessions: readonly SessionInfo[]): WorldSteps {
  const worlds = new Map<string | undefined, Map<string, StepNote>>();
  for (const session of sessions) {
    const steps = isApart(session) ? [] : session.notes.filter(isStep);
    if (steps.length === 0) continue;
    const world = worldOf(session);
    const known = worlds.get(world) ?? new Map<string, StepNote>();
    worlds.set(world, known);
    for (const step of steps) known.set(stepKey(step), step);
  }
  return new Map([...worlds].map(([world, steps]) => [world, [...steps.values()].sort(byTime)]));
}

/** Without those that came before the first call of the session; `first`: its id. */
export const stepsWithin = (steps: readonly PlacedStep[], first: string | null): PlacedStep[] =>
  steps.filter(({ since = Number.POSITIVE_INFINITY }) => since > (timeOfId(first ?? '') ?? 0));

export async function firstOf(store: Pick<Store, 'read'>, session: string): Promise<string | null> {
  let first: string | null = null;
  const onUnreadable = (id: string): void => {
    first = id;
  };
  for await (const { exchange } of store.read(session, { limit: 1, onUnreadable })) return exchange.call.id;
  return first;
}

const byTime = (one: StepNote, other: StepNote): number => one.at - other.at;

/**
 * The steps that a session notes, where they stand in it; and by the time of the machine the steps that came while no call
 * named it, which other sessions of its world note.
 */
export async function stepsOf(
  store: { readonly chains: Pick<StoredChains, 'steps'> },
  session: SessionInfo,
  worlds: WorldSteps,
): Promise<PlacedStep[]> {
  const noted = session.notes.some(isStep) ? await store.chains.steps(session.name) : [];
  const isOwn = new Set<string>();
  const own = noted.filter(({ note }) => isOwn.size < isOwn.add(stepKey(note)).size);
  const others = isApart(session) ? [] : (worlds.get(worldOf(session)) ?? []);
  const left = others.filter((note) => !isOwn.has(stepKey(note)));
  const steps: PlacedStep[] = [];
  const placeUpTo = (at: number): void => {
    for (let next = left[0]; next !== undefined && next.at <= at; next = left[0]) {
      steps.push({ note: next, before: [], since: next.at });
      left.shift();
    }
  };
  for (const step of own) {
    placeUpTo(step.note.at);
    steps.push(step);
  }
  placeUpTo(Number.POSITIVE_INFINITY);
  return steps;
}
