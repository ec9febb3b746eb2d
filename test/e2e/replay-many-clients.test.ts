/** A hundred clients that create the same and then go mixed ways, recorded and replayed side by side and one after the other. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { folderOfFile } from '../folder.js';
import { type Reply, startTestGateway } from './harness.js';
import { JOURNEYS, type JourneyName, openNarrowBank, type WalkParts, walk } from './many-clients.js';

const CLIENTS = 100;
const clients = Array.from({ length: CLIENTS }, (_, number) => ({
  number,
  journey: JOURNEYS[number % JOURNEYS.length] as JourneyName,
}));
const ORDERS = ['side by side', 'one after the other'] as const;
type Order = (typeof ORDERS)[number];

/** What each client saw, step by step. */
type Views = readonly (readonly (readonly [step: string, reply: Reply])[])[];

/** The same order for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const sortKey = (i: number) => createHash('sha256').update(`${seed} ${i}`).digest('hex');
  return items
    .map((item, i) => ({ item, key: sortKey(i) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);
}

async function walkAll(
  order: Order,
  seed: number,
  parts: Pick<WalkParts, 'gateway' | 'psu'>,
): Promise<Views> {
  const views = clients.map((): [string, Reply][] => []);
  const inTurn = shuffled(clients, seed);
  const one = ({ number, journey }: (typeof clients)[number]) =>
    walk(journey, {
      ...parts,
      turn: order === 'side by side' ? inTurn.findIndex((client) => client.number === number) : null,
      seen: (step, reply) => views[number]?.push([step, reply]),
    });
  if (order === 'side by side') await Promise.all(inTurn.map(one));
  else for (const client of inTurn) await one(client);
  return views;
}

/** The marks of the consents and payments whose data a client saw, and the ids of accounts that it was given. */
const marksIn = (view: Views[number]) =>
  new Set(
    view.flatMap(([, { text }]) => text.match(/(?<="(?:resourceId|name)":")(?:acc-)?[0-9a-f]{12}/g) ?? []),
  );

const folder = folderOfFile();

describe.each(ORDERS)('a hundred clients recorded %s', (recorded) => {
  const file = join(folder, `${recorded}.json`);
  let expected: Views;
  beforeAll(async () => {
    const bank = await openNarrowBank();
    expected = await walkAll(recorded, 1, { gateway: bank.gateway, psu: bank });
    const meta = { session: 's', dialect: dialectOf(), origins: bank.gateway.urls };
    writeFileSync(file, [...buildCassette(await bank.gateway.records(), meta)].join(''));
    await bank.close();
  });

  it.each(ORDERS)('replay %s without a miss, and each sees only what is its own', async (order) => {
    const gateway = await startTestGateway({
      ...{ source: 'replay', replay: file, stance: 'observe', logLevel: 'fatal' },
    });
    const views = await walkAll(order, 2, { gateway, psu: null });
    const { json } = await gateway.call('/api/replay', { side: 'admin' });
    await gateway.app.close();
    expect(json.missed.map(({ text }: { text: string }) => text)).toEqual([]);
    expect(json.unused).toEqual([]);
    for (const { number } of clients) {
      const [then, now] = [expected[number] ?? [], views[number] ?? []];
      const told = (view: Views[number]) =>
        view.map(([step, { status, json }]) => [step, status, json?.consentStatus, json?.transactionStatus]);
      expect(told(now)).toEqual(told(then));
      expect(marksIn(now).size).toBe(marksIn(then).size);
    }
    const all = views.flatMap((view) => [...marksIn(view)]);
    expect(new Set(all).size).toBe(all.length);
  });
});
