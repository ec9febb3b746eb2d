/** What befell the worlds of a store, as its sessions note it: each step once, in order. */
import { gatewayNotes, isStep, type StepNote, stepKey, timeOfId } from '../../exchange/index.js';
import type { PlacedStep, SessionInfo, Store, StoredChains } from '../../store/index.js';

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

export type WorldSteps = ReadonlyMap<string | undefined, readonly StepNote[]>;

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
