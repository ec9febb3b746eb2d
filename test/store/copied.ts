/** Stores with something of everything, and all that a store says of itself. */
import { onTestFinished } from 'vitest';
import { readStored } from '../../src/bank/index.js';
import {
  type ChainBreak,
  copyBetween,
  type Dependency,
  type KeptChange,
  noteIn,
  openStore,
  type RecordedExchange,
  type Store,
  type VerifiedLink,
} from '../../src/store/index.js';
import { aCertificate, NOW } from '../builders.js';
import { aSchema } from '../postgres/schemas.js';
import { all } from '../rows.js';
import { aPath, recordSource } from './stores.js';

/** Where a store lies; the key is that of a store in a schema. */
export interface Place {
  readonly address: string;
  readonly passwordFile: undefined;
  readonly keyFile: string;
}

export const aFile = (): Place => ({
  address: aPath(),
  passwordFile: undefined,
  keyFile: aPath('store.key'),
});
export const inSchema = (): Place => ({ ...aFile(), address: aSchema() });

export async function opened({ address, keyFile }: Place, readonly = false): Promise<Store> {
  const store = await openStore(address, { readonly, postgres: { keyFile } });
  onTestFinished(async () => store.close());
  return store;
}

export const copied = (from: Place, to: Place, broken = false) =>
  copyBetween(from, to, {
    broken,
    onBreak: () => {},
    onRest: () => {},
    onExpected: () => {},
    onDone: () => undefined,
  });

/** All that can be asked of a store, and means the same in any. */
export async function contentsOf(place: Place) {
  const store = await opened(place, true);
  const sessions = [];
  for (const info of await store.sessions()) {
    const { name } = info;
    const links: Omit<VerifiedLink, 'turn'>[] = [];
    // A file with one chain has no turns: the copy gives it some.
    const onLink = ({ turn: _, ...link }: VerifiedLink) => links.push(link);
    const breaks: ChainBreak[] = await all(store.chains.verify(name, { onLink }));
    const records = await all(store.read(name, { onUnreadable: () => {} }));
    const [middle] = records.slice(Math.floor(records.length / 2));
    const after = middle === undefined ? {} : { after: middle.exchange.call.id };
    sessions.push({
      ...{ info, breaks, links, records },
      back: (await all(store.read(name, { ...after, backwards: true, onUnreadable: () => {} }))).map(idOf),
      on: (await all(store.read(name, { ...after, onUnreadable: () => {} }))).map(idOf),
      ...{ unfinished: await store.calls.unfinished(name), chains: await store.chains.of(name) },
      notes: await store.chains.notes(name),
      steps: (await store.chains.steps(name)).map(({ note, before }) => ({
        note,
        before: before.toSorted(),
      })),
    });
  }
  const worlds = [];
  for (const world of ['', 'june', 'july']) {
    // As its layers make it: a removal of what is not below says nothing.
    const states = new Map<number | null, Map<string, unknown>>();
    const layers = [...(await store.worlds.layers(world))].map(({ id, parent, snapshot, facts }) => {
      const state = new Map(states.get(parent));
      for (const { family, key, fact } of [...facts].map(readStored)) {
        state.delete(`${family} ${key}`);
        if (fact !== null) state.set(`${family} ${key}`, fact);
      }
      states.set(id, state);
      return { parent: [...states.keys()].indexOf(parent), snapshot, facts: [...state] };
    });
    // A world that was only looked at is none.
    if (layers.length === 1 && layers[0]?.facts.length === 0) layers.pop();
    const { epoch, steps, header, versions } = await store.worlds.state(world);
    worlds.push({
      ...{ world, epoch, steps, header },
      versions: [...versions].filter(([, version]) => version > 0).sort(([a], [b]) => (a < b ? -1 : 1)),
      layers,
    });
  }
  const newest = await store.calls.newest();
  await store.close();
  return { sessions, worlds, newest };
}

const idOf = ({ exchange }: RecordedExchange): string => exchange.call.id;

/** What happens in a store that several gateways share. */
export type Event =
  | {
      readonly of: 'exchange' | 'begun';
      readonly session: string;
      readonly gateway: number;
      readonly size: number;
    }
  | { readonly of: 'note' | 'checkpoint' | 'removal'; readonly session: string; readonly gateway: number }
  | { readonly of: 'fact' | 'gone'; readonly world: string; readonly tpp: string }
  | { readonly of: 'header' | 'take' | 'restore' | 'reset'; readonly world: string };

export const GATEWAYS = 2;

/** `start`: epoch ms of the first exchange. */
export async function happen(place: Place, events: readonly Event[], start = NOW): Promise<void> {
  const gateways: Store[] = [];
  for (let i = 0; i < GATEWAYS; i++) {
    gateways.push(await opened(place));
    await gateways[i]?.serve(i);
  }
  const next = recordSource('june', start);
  const certificates = [aCertificate(), aCertificate({ commonName: 'other' })];
  let at = start;
  for (const event of events) {
    at += 1;
    const gateway = gateways['gateway' in event ? event.gateway : 0] as Store;
    if ('world' in event) await change(gateway, event, at);
    else if (event.of === 'note') {
      await noteIn(gateway, event.session, { at, kind: 'mark', settings: { text: `\0 ${at}` } });
      await noteIn(gateway, event.session, { at, kind: 'bank', settings: { action: 'reset', step: at } });
    } else if (event.of === 'checkpoint')
      await gateway.append({
        notes: [{ session: event.session, note: { at, kind: 'checkpoint', settings: { jws: `${at}` } } }],
        ...{ records: [], changes: [], dependsOn: [] },
      });
    else if (event.of === 'removal') {
      const ids = (await all(gateway.read(event.session))).map(idOf);
      if (ids.length > 2)
        for await (const _ of gateway.remove(event.session, { before: ids[1] as string, at }));
    } else if ('size' in event) {
      const { exchange, ...judged } = next({
        call: { certificate: certificates[event.size % 2] as never, body: { text: 'r'.repeat(event.size) } },
        answer: { body: { text: 'x'.repeat(event.size), odd: event.size % 3 } },
      });
      const record = {
        ...judged,
        exchange: {
          ...exchange,
          call: exchange.call.with({ session: event.session }),
          elapsed: event.size % 2 === 0 ? exchange.elapsed : { ...exchange.elapsed, firstByte: 0.5 },
        },
      };
      const fault = { kind: 'unfinished', message: 'Sent to the bank.' } as const;
      const begun = { ...record, exchange: { ...record.exchange, answer: null, fault } };
      // An answer that is cut off has a beginning alone, one of a bank has both.
      if (event.of === 'begun' || event.size % 4 === 0)
        await gateway.append({ begun: [begun], records: [], changes: [], dependsOn: [] });
      if (event.of === 'exchange') await gateway.append({ records: [record], changes: [], dependsOn: [] });
    }
  }
  for (const gateway of gateways) await gateway.close();
}

async function change(store: Store, event: Event & { readonly world: string }, at: number): Promise<void> {
  const { world } = event;
  const named = world === '' ? {} : { world };
  const { epoch, versions } = await store.worlds.state(world);
  const dependOn = (...names: readonly string[]): Dependency[] => [
    { world, epoch, versions: new Map(names.map((name) => [name, versions.get(name) ?? 0])) },
  ];
  const batch = (changes: readonly KeptChange[], ...names: readonly string[]) =>
    store.append({ records: [], changes, dependsOn: dependOn(...names) });
  if (event.of === 'header') {
    const headers = [{ world, header: { clock: { mode: 'frozen', now: at } } }];
    await store.append({ records: [], changes: [], dependsOn: dependOn(), headers });
  } else if ('tpp' in event) {
    const { tpp } = event;
    const fact = { tpp, consentId: 'c', operation: 'accounts.list', accountId: '', times: [at] };
    const put = { family: 'accesses', key: `${tpp} c`, fact: event.of === 'gone' ? null : fact, home: tpp };
    await batch([{ ...put, ...named } as KeptChange], tpp);
  } else if (event.of === 'take')
    await batch([{ step: 'take', name: 'one', at, clock: { mode: 'frozen' }, ...named }]);
  else if (event.of === 'restore') await batch([{ step: 'restore', name: 'one', ...named }]);
  else await batch([{ step: 'reset', ...named }]);
}

/** Something of all that a copy has to take over. */
export const SOME: readonly Event[] = [
  ...Array.from(
    { length: 12 },
    (_, i) => ({ of: 'exchange', session: 'june', gateway: i % 2, size: i * 800 }) as const,
  ),
  { of: 'begun', session: 'june', gateway: 1, size: 7 },
  { of: 'note', session: 'june', gateway: 0 },
  { of: 'checkpoint', session: 'june', gateway: 1 },
  { of: 'exchange', session: 'july', gateway: 1, size: 300 },
  { of: 'fact', world: '', tpp: 'A' },
  { of: 'take', world: '' },
  { of: 'gone', world: '', tpp: 'A' },
  { of: 'fact', world: 'june', tpp: 'B' },
];
