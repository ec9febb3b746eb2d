/** The lives of all consents and payments of a recording, side by side: what is the same in two has one name in both. */
import { isFixedIdentifier } from '../../spec/index.js';
import type { CandidateIndex } from './candidate-index.js';
import type { Entry, Queue, UnseenFlow } from './entries.js';
import { exactKey } from './field-keys.js';
import { handedOut } from './handed-out.js';
import { type Journey, stateOf } from './journeys.js';
import { groupKey, type Recording } from './open-recording.js';
import { tokenLabel } from './token-scopes.js';

export type Item = Entry | UnseenFlow;

/** What was recorded of one consent or payment. */
export interface Life {
  /** Those that began with an equal call, itself among them. */
  readonly kin: Life[];
  readonly journey: Journey | null;
  /** Equal calls in their order, by what the call is. */
  readonly items: Map<string, Item[]>;
  /** The values that only mean something in this life (ids, codes, tokens, names of the client's), by their role in it. */
  readonly names: Map<string, string>;
  /** The roles by these values. */
  readonly roles: Map<string, string>;
  readonly places: Set<Place>;
}

/** Where an entry is found. */
interface Place {
  readonly queue: Queue;
  readonly candidates: CandidateIndex;
}

type Draft = { -readonly [Member in keyof Life]: Life[Member] };

export interface Lives {
  readonly of: (item: Item) => Life | undefined;
  /** The life that one of these recorded values names. */
  readonly named: (values: readonly string[]) => Life | undefined;
}

export function readLives(recording: Recording): Lives {
  const places = placesOf(recording);
  const items: readonly Item[] = [...recording.unseen, ...recording.entries];
  const owners = ownersOf(items, recording.carried);
  const lives = new Map<string, Draft>();
  const lifeOf = new Map<Item, Life>();
  const kins = new Map<string, Life[]>();
  const shapes = new Map<string, number>();
  /** What an item is in its life: equal ones stand for each other. */
  const marks = new Map<Item, string>();

  const ownerOf = (values: readonly string[]): string | null =>
    values.map((value) => owners.get(value)).find((owner) => typeof owner === 'string') ?? null;
  const name = (life: Life, value: string, role: string): void => {
    if (life.roles.has(value)) return;
    life.roles.set(value, role);
    life.names.set(role, value);
  };
  const open = (resource: string): Draft => {
    const life = {
      kin: [],
      journey: null,
      items: new Map(),
      names: new Map(),
      roles: new Map(),
      places: new Set(),
    } as Draft;
    lives.set(resource, life);
    for (const [role, value] of [
      ['id', idOf(resource)],
      ['token', tokenLabel(resource)],
    ] as const)
      if (owners.get(value) === resource) name(life, value, role);
    return life;
  };

  /** By the write that a state began with: lives without one that came before it have other numbers. */
  const stateName = ({ journey, part }: NonNullable<Entry['reads']>): string => {
    const state = stateOf(journey, part);
    const write = journey.writes.find((one) => one.state === state);
    const entry = write === undefined || state === 0 ? undefined : recording.entryAt.get(write.index);
    return (entry === undefined ? undefined : marks.get(entry)) ?? '';
  };
  /** The same for the same call in the same state of another life. */
  const keyOf = (item: Item, { roles }: Life): string => {
    if (!('fields' in item)) return 'unseen';
    const fields = item.fields.map((field) => ({ ...field, value: roles.get(field.value) ?? field.value }));
    const state = item.reads === null ? '' : stateName(item.reads);
    const asked = JSON.stringify(item.flow?.asked ?? {});
    return `${groupKey(item.exchange)} ${asked}\n${state}\n${exactKey(fields)}`;
  };

  for (const item of items) {
    const resource = resourceOf(item) ?? ownerOf(boundIn(item).map(([, value]) => value));
    if (resource === null) continue;
    const life = lives.get(resource) ?? open(resource);
    lifeOf.set(item, life);
    for (const [place, value] of boundIn(item)) {
      if (owners.get(value) !== resource) continue;
      let count = 0;
      while (life.names.has(`${place} ${count}`)) count++;
      name(life, value, `${place} ${count}`);
    }
    const key = keyOf(item, life);
    const alike = life.items.get(key) ?? [];
    if (alike.push(item) === 1) life.items.set(key, alike);
    if ('fields' in item && life.kin.length === 0) {
      life.kin = kins.get(key) ?? [];
      if (life.kin.push(life) === 1) kins.set(key, life.kin);
    }
    const shape = shapes.get(key) ?? shapes.size;
    shapes.set(key, shape);
    const mark = `${shape}.${alike.length}`;
    marks.set(item, mark);
    for (const [what, value] of namesIn(item))
      if (owners.get(value) === resource) name(life, value, `${mark} ${what}`);
    life.journey ??= (item.opens ?? readOf(item))?.journey ?? null;
    const place = places.get(item);
    if (place !== undefined) life.places.add(place);
  }
  return {
    of: (item) => lifeOf.get(item),
    named: (values) => {
      const owner = ownerOf(values);
      return owner === null ? undefined : lives.get(owner);
    },
  };
}

function placesOf({ groups }: Recording): Map<Item, Place> {
  const places = new Map<Item, Place>();
  for (const { coarse } of groups.values())
    for (const candidates of coarse.values())
      for (const queue of candidates.queues) {
        const place = { queue, candidates };
        for (const entry of queue.all.entries) places.set(entry, place);
      }
  return places;
}

/** By value, the resource that alone has it; null: several do, or it means the same everywhere. */
function ownersOf(items: readonly Item[], carried: ReadonlySet<string>): Map<string, string | null> {
  const owners = new Map<string, string | null>();
  const own = (value: string, resource: string | null): void => {
    const first = owners.get(value);
    owners.set(value, first === undefined || first === resource ? resource : null);
  };
  for (const item of items) {
    const resource = resourceOf(item);
    if (resource !== null) {
      const id = idOf(resource);
      if (carried.has(id) && !isFixedIdentifier(id)) {
        own(id, resource);
        own(tokenLabel(resource), resource);
      }
    }
    const bound = resource === null ? [] : boundIn(item);
    for (const [, value] of [...namesIn(item), ...bound])
      own(value, carried.has(value) && !isFixedIdentifier(value) ? resource : null);
  }
  return owners;
}

/** What the bank handed out, and what the client called something. */
function namesIn(item: Item): (readonly [what: string, value: string])[] {
  const given = handedOut(item).map((value, i) => [`${i}`, value] as const);
  if (!('fields' in item)) return given;
  const own = item.fields.filter(({ as }) => as === 'free');
  return [...given, ...own.map(({ place, value }) => [place, value] as const)];
}

/** What it sends of what the bank handed out, also where that was in a link alone. */
function boundIn(item: Item): (readonly [place: string, value: string])[] {
  if (!('fields' in item)) return [];
  return item.fields.flatMap(({ as, kind, place, value }) =>
    as === 'bind' && kind === undefined ? [[place, value] as const] : [],
  );
}

/** Of `AIS:<id>` or `PIS:<id>`. */
const idOf = (resource: string): string => resource.slice(resource.indexOf(':') + 1);

const resourceOf = (item: Item): string | null => ('fields' in item ? item.resource : item.flow.scope);

export const readOf = (item: Item): Entry['reads'] => ('fields' in item ? item.reads : null);
