/** The recorded clients: what was recorded of each consent and payment, so that one can be held against another. */
import { isFixedIdentifier } from '../../spec/index.js';
import type { Flow } from './authorization-calls.js';
import { type Entry, handedOut } from './entries.js';
import { exactKey } from './field-keys.js';
import { type Journey, stateOf } from './journeys.js';
import { groupKey, type Recording } from './open-recording.js';
import type { TemplateOf } from './template.js';
import { tokenLabel } from './token-scopes.js';

export interface RecordedClient {
  /** Clients that began with an equal call, with this one. */
  alike: RecordedClient[];
  readonly items: Entry[];
  /** The items by what the client sends, without values that only this client has. */
  readonly bySent: Map<string, Entry[]>;
  journey: Journey | null;
}

interface Form {
  /** The answer without headers, times of day, and values that only this client has. */
  readonly answered: string;
  /** Its own values in calls and answers, by their places. */
  readonly own: ReadonlyMap<string, string>;
}

export type RecordedClients = ReturnType<typeof readClients>;

export function readClients(recording: Recording, templateOf: TemplateOf) {
  const { entries, unseen, carried, entryAt } = recording;
  const all = [...entries, ...unseen];
  const owners = ownersOf(all, carried);
  const byResource = new Map<string, RecordedClient>();
  const clientOf = new Map<Entry, RecordedClient>();
  const beginnings = new Map<string, RecordedClient[]>();
  const sentBy = new Map<Entry, string>();
  const forms = new Map<Entry, Form>();
  const ownerOf = (values: readonly string[]) =>
    values.map((value) => owners.get(value)).find((owner) => typeof owner === 'string') ?? null;
  const ownResource = (item: Entry) => item.resource ?? ownerOf(boundIn(item));

  /** By the write that a state began with: whoever lacks one that came before it counts otherwise. */
  const stateName = ({ journey, part }: NonNullable<Entry['reads']>): string => {
    const state = stateOf(journey, part);
    const write = state === 0 ? undefined : journey.writes.find((one) => one.state === state);
    const entry = write === undefined ? undefined : entryAt.get(write.index);
    return (entry === undefined ? undefined : sentBy.get(entry)) ?? '';
  };
  const sentOf = (item: Entry, resource: string): string => {
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
    client.journey ??= (item.opens ?? item.reads)?.journey ?? null;
    const sent = sentOf(item, resource);
    sentBy.set(item, sent);
    addTo(client.bySent, sent, item);
    if (client.alike.length === 0) client.alike = addTo(beginnings, sent, client);
  }

  return {
    clientOf: (item: Entry) => clientOf.get(item),
    /** The one that one of these recorded values is of. */
    named: (values: readonly string[]) => byResource.get(ownerOf(values) ?? ''),
    sentBy: (item: Entry) => sentBy.get(item) ?? '',
    /** Groups of those that began with an equal call. */
    beginnings,
    formOf: (item: Entry): Form => {
      const known = forms.get(item);
      if (known !== undefined) return known;
      const resource = ownResource(item);
      const own = new Map<string, string>();
      const nameOf = (value: string): string => {
        if (resource === null || owners.get(value) !== resource) return value;
        own.set(`answer ${own.size}`, value);
        return '*';
      };
      const { flow } = item;
      const answered = flow === null ? templateOf(item).outline(nameOf) : outcomeOutline(flow, nameOf);
      for (const { place, value } of item.fields)
        if (resource !== null && owners.get(value) === resource) own.set(place, value);
      const form = { answered, own };
      forms.set(item, form);
      return form;
    },
  };
}

export function addTo<T>(lists: Map<string, T[]>, key: string, value: T): T[] {
  const list = lists.get(key) ?? [];
  if (list.push(value) === 1) lists.set(key, list);
  return list;
}

/** By value, the resource that alone has it; null: several do, or it means the same everywhere. */
function ownersOf(items: readonly Entry[], carried: ReadonlySet<string>): Map<string, string | null> {
  const owners = new Map<string, string | null>();
  const own = (value: string, resource: string | null): void => {
    const isOne = resource !== null && carried.has(value) && !isFixedIdentifier(value);
    const first = owners.get(value);
    owners.set(value, isOne && (first === undefined || first === resource) ? resource : null);
  };
  for (const item of items) {
    const { resource, fields } = item;
    const id = resource === null ? '' : resource.slice(resource.indexOf(':') + 1);
    if (carried.has(id)) for (const value of [id, tokenLabel(`${resource}`)]) own(value, resource);
    const free = fields.flatMap(({ as, value }) => (as === 'free' ? value : []));
    for (const value of [...handedOut(item), ...free]) own(value, resource);
    if (resource !== null) for (const value of boundIn(item)) own(value, resource);
  }
  return owners;
}

/** Values in calls that the bank handed out, even if only in a link. */
function boundIn({ fields }: Entry): string[] {
  return fields.flatMap(({ as, kind, value }) => (as === 'bind' && kind === undefined ? value : []));
}

function outcomeOutline({ outcome }: Flow, nameOf: (value: string) => string): string {
  if (outcome.kind === 'code') nameOf(outcome.code);
  if (outcome.kind !== 'redirect') return outcome.kind;
  const said = outcome.parameters.filter(([name]) => name !== 'state');
  return JSON.stringify([outcome.base, said.map(([name, value]) => [name, nameOf(value)])]);
}
