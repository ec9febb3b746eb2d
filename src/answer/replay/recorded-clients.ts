/** The recorded clients: what was recorded of each consent and payment, so that one can be held against another. */
import { isFixedIdentifier } from '../../spec/index.js';
import { type Entry, handedOut, type UnseenFlow } from './entries.js';
import { exactKey } from './field-keys.js';
import { type Journey, stateOf } from './journeys.js';
import { groupKey, type Recording } from './open-recording.js';
import type { TemplateOf } from './template.js';
import { tokenLabel } from './token-scopes.js';

export type Item = Entry | UnseenFlow;

/** What was recorded of one consent or payment. */
export interface RecordedClient {
  /** Those that began with an equal call, itself among them. */
  alike: RecordedClient[];
  readonly items: Item[];
  /** The items by what the client sends, without values that only this client has. */
  readonly bySent: Map<string, Item[]>;
  journey: Journey | null;
}

interface Form {
  /** The answer without headers, times of day, and values that only this client has. */
  readonly answered: string;
  /** Those values of call and answer, by where they stand. */
  readonly own: ReadonlyMap<string, string>;
}

export type RecordedClients = ReturnType<typeof readClients>;

export function readClients(recording: Recording, templateOf: TemplateOf) {
  const { entries, unseen, carried, entryAt } = recording;
  const all: readonly Item[] = [...unseen, ...entries];
  const owners = ownersOf(all, carried);
  const byResource = new Map<string, RecordedClient>();
  const clientOf = new Map<Item, RecordedClient>();
  const beginnings = new Map<string, RecordedClient[]>();
  const sentBy = new Map<Item, string>();
  const forms = new Map<Item, Form>();
  const ownerOf = (values: readonly string[]) =>
    values.map((value) => owners.get(value)).find((owner) => typeof owner === 'string') ?? null;
  const ownResource = (item: Item) => resourceOf(item) ?? ownerOf(boundIn(item));

  /** By the write that a state began with: whoever lacks one that came before it counts otherwise. */
  const stateName = ({ journey, part }: NonNullable<Entry['reads']>): string => {
    const state = stateOf(journey, part);
    const write = state === 0 ? undefined : journey.writes.find((one) => one.state === state);
    const entry = write === undefined ? undefined : entryAt.get(write.index);
    return (entry === undefined ? undefined : sentBy.get(entry)) ?? '';
  };
  const sentOf = (item: Item, resource: string): string => {
    if (!('fields' in item)) return 'unseen';
    const fields = item.fields.map((field) =>
      owners.get(field.value) === resource ? { ...field, value: '*' } : field,
    );
    const state = item.reads === null ? '' : stateName(item.reads);
    return `${groupKey(item.exchange)} ${JSON.stringify(item.flow?.asked ?? {})}\n${state}\n${exactKey(fields)}`;
  };

  for (const item of all) {
    const resource = ownResource(item);
    if (resource === null) continue;
    const client: RecordedClient = byResource.get(resource) ?? {
      alike: [],
      items: [],
      bySent: new Map(),
      journey: null,
    };
    byResource.set(resource, client);
    clientOf.set(item, client);
    client.items.push(item);
    client.journey ??= (item.opens ?? readOf(item))?.journey ?? null;
    const sent = sentOf(item, resource);
    sentBy.set(item, sent);
    addTo(client.bySent, sent, item);
    if ('fields' in item && client.alike.length === 0) client.alike = addTo(beginnings, sent, client);
  }

  return {
    clientOf: (item: Item) => clientOf.get(item),
    /** The one that one of these recorded values is of. */
    named: (values: readonly string[]) => byResource.get(ownerOf(values) ?? ''),
    sentBy: (item: Item | undefined) => (item === undefined ? '' : (sentBy.get(item) ?? '')),
    /** Groups of those that began with an equal call. */
    beginnings,
    formOf: (item: Item): Form => {
      const known = forms.get(item);
      if (known !== undefined) return known;
      const resource = ownResource(item);
      const own = new Map<string, string>();
      const nameOf = (value: string): string => {
        if (resource === null || owners.get(value) !== resource) return value;
        own.set(`answer ${own.size}`, value);
        return '*';
      };
      const isAnswer = 'fields' in item && item.flow === null;
      const answered = isAnswer ? templateOf(item).outline(nameOf) : outcomeOutline(item, nameOf);
      for (const { place, value } of 'fields' in item ? item.fields : [])
        if (resource !== null && owners.get(value) === resource) own.set(place, value);
      const form = { answered, own };
      forms.set(item, form);
      return form;
    },
  };
}

/** Gives the list. */
export function addTo<T>(lists: Map<string, T[]>, key: string, value: T): T[] {
  const list = lists.get(key) ?? [];
  if (list.push(value) === 1) lists.set(key, list);
  return list;
}

/** By value, the resource that alone has it; null: several do, or it means the same everywhere. */
function ownersOf(items: readonly Item[], carried: ReadonlySet<string>): Map<string, string | null> {
  const owners = new Map<string, string | null>();
  const own = (value: string, resource: string | null): void => {
    const isOne = resource !== null && carried.has(value) && !isFixedIdentifier(value);
    const first = owners.get(value);
    owners.set(value, isOne && (first === undefined || first === resource) ? resource : null);
  };
  for (const item of items) {
    const resource = resourceOf(item);
    const id = resource === null ? '' : resource.slice(resource.indexOf(':') + 1);
    if (carried.has(id)) for (const value of [id, tokenLabel(`${resource}`)]) own(value, resource);
    const free = 'fields' in item ? item.fields.filter(({ as }) => as === 'free') : [];
    for (const value of [...handedOut(item), ...free.map(({ value }) => value)]) own(value, resource);
    if (resource !== null) for (const value of boundIn(item)) own(value, resource);
  }
  return owners;
}

/** What it sends of what the bank handed out, also where that was in a link alone. */
function boundIn(item: Item): string[] {
  const fields = 'fields' in item ? item.fields : [];
  return fields.flatMap(({ as, kind, value }) => (as === 'bind' && kind === undefined ? value : []));
}

const resourceOf = (item: Item): string | null => ('fields' in item ? item.resource : item.flow.scope);

export const readOf = (item: Item): Entry['reads'] => ('fields' in item ? item.reads : null);

function outcomeOutline({ flow }: Item, nameOf: (value: string) => string): string {
  if (flow?.outcome.kind === 'code') nameOf(flow.outcome.code);
  if (flow?.outcome.kind !== 'redirect') return `${flow?.outcome.kind}`;
  const { base, parameters } = flow.outcome;
  const said = parameters.filter(([name]) => name !== 'state');
  return JSON.stringify([base, said.map(([name, value]) => [name, nameOf(value)])]);
}
