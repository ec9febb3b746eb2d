/** Journeys of the session, those with the newest call first, by the time of the machine. */
import { computed, signal } from '@preact/signals';
import type { Journey } from '../../admin/index.js';
import { range } from './timeline.js';

const MOST = 500;
const COLOURS = 6;

const byId = signal<ReadonlyMap<string, Journey>>(new Map());

export const arePartial = signal(false);

export const journeys = computed(() =>
  [...byId.value.values()].sort((a, b) => (a.newest < b.newest ? 1 : -1)),
);

/** Ids of which several TPPs have a journey. */
export const areShared = computed(() => {
  const owners = new Map<string | null, string | null>();
  const isAnothers = ({ resource, tpp }: Journey): boolean => {
    const first = owners.has(resource) ? owners.get(resource) : tpp;
    owners.set(resource, first ?? null);
    return resource !== null && first !== tpp;
  };
  return new Set(journeys.value.filter(isAnothers).map(({ resource }) => resource));
});

/** Journeys with a call in the range that is looked at, or with calls on both sides of it. */
export const journeysInRange = computed(() => {
  const within = range.value;
  if (within === null) return journeys.value;
  return journeys.value.filter(({ recorded: { from, to } }) => from < within.to && to >= within.from);
});

export function setJourneys(all: readonly Journey[]): void {
  arePartial.value = all.some(({ isPartial }) => isPartial);
  byId.value = new Map(all.map((one) => [one.id, one]));
}

export function takeJourneys(changed: readonly Journey[]): void {
  const newest = changed.at(-1);
  if (newest === undefined) return;
  arePartial.value = newest.isPartial === true;
  const next = new Map(byId.value);
  for (const one of changed) {
    next.delete(one.id);
    next.set(one.id, one);
  }
  for (const id of next.keys()) {
    if (next.size <= MOST) break;
    next.delete(id);
  }
  byId.value = next;
}

/** Gives an id its colour: the same one, whatever comes and goes beside it. */
export function colourOf(id: string): { readonly color: string } {
  let sum = 0;
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) % 9_973;
  return { color: `var(--lane-${sum % COLOURS})` };
}

export function filterOf({ resource }: Pick<Journey, 'resource'>): string | null {
  return resource === null
    ? null
    : `journey:${/[\s()"]/.test(resource) ? JSON.stringify(resource) : resource}`;
}
