/** A recording in the bank's place: the same client, with values of its own, on another day, gets the same journey. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { buildHar } from '../exchange/har/build-har.js';
import { callsOf } from '../mutations/changes.js';
import { JOURNEY_NAMES, JOURNEYS, type Journey, type JourneyName } from '../mutations/journeys.js';
import { createClients, createValues, openReceiver, send } from '../mutations/play.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { openTwoGateways } from './two-gateways.js';

const FORMS = ['discovery', 'direct'] as const satisfies Journey['scaLink'][];
const META = { session: 'journey', version: '0', dialect: dialectOf() } as const;

interface Recorded {
  readonly records: readonly RecordedExchange[];
  readonly origins: { readonly api: string; readonly psu: string };
}

/** Where the recording was made: at the bank itself, or at a gateway on the way to it. */
type Place = 'b' | 'a';

async function recordAll(form: Journey['scaLink'], place: Place): Promise<Map<JourneyName, Recorded>> {
  const two = await openTwoGateways({ profile: 'sandbox', scaLink: form });
  const recorded = new Map<JourneyName, Recorded>();
  for (const name of JOURNEY_NAMES) {
    if (JOURNEYS[name].scaLink !== form) continue;
    const { atA, atB } = await two.walk(name, place);
    const { api, psu } = two[place].urls;
    const records =
      place === 'b'
        ? atB
        : atA.filter(({ exchange: { call } }) => isSeen(call.operation, call.request.target));
    recorded.set(name, { records, origins: { api, psu } });
  }
  await two.close();
  return recorded;
}

/** A gateway on the way sees one authorization request: the browser then stays at the bank, to come back with the code. */
const isSeen = (operation: string | null, target: string) =>
  operation !== 'oauth.authorize' || target.includes('scenario=');
const stepsSeen = (steps: Journey['steps']) =>
  steps.filter(({ browser, query }) => !browser || query?.scenario !== undefined);

/** The bank is gone: nothing but the file answers. */
async function replay(name: JourneyName, file: string, place: Place): Promise<TestGateway> {
  const gateway = await startTestGateway({ source: 'replay', replay: file, stance: 'observe' });
  const journey: Journey = JOURNEYS[name];
  const clients = createClients(gateway, {});
  const receiver = await openReceiver();
  const values = createValues(gateway, { receiver: receiver.url, ...journey.knows?.sandbox });
  const steps = place === 'b' ? journey.steps : stepsSeen(journey.steps);
  for (const sent of callsOf(steps, undefined, undefined)) {
    gateway.move(sent.pause);
    expect(await send(sent, values, clients), `${sent.name} is made`).toBe(true);
  }
  await clients.close();
  await receiver.close();
  return gateway;
}

const PLACES = { b: 'at the bank itself', a: 'at a gateway before the bank' } as const;
const KINDS = FORMS.flatMap((form) =>
  (['b', 'a'] as const).map((place) => ({ form, place, where: PLACES[place] })),
);

describe.each(KINDS)('a recording with $form links, made $where', ({ form, place }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-replay-'));
  let recorded: Map<JourneyName, Recorded>;
  beforeAll(async () => {
    recorded = await recordAll(form, place);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const names = JOURNEY_NAMES.filter((name) => JOURNEYS[name].scaLink === form);
  it.each(names)(
    'replays the journey %s from a cassette and from a HAR: all used, none missed',
    async (name) => {
      const { records, origins } = recorded.get(name) as Recorded;
      const files = {
        cassette: buildCassette(records, { ...META, origins }),
        har: buildHar(records, { ...META, origins: [origins.api, origins.psu] }),
      };
      for (const [kind, text] of Object.entries(files)) {
        const file = join(folder, `${name.replaceAll(/\W/g, '-')}.${kind}.json`);
        writeFileSync(file, [...text].join(''));
        const gateway = await replay(name, file, place);
        const asked = await gateway.call('/api/replay', { side: 'admin' });
        await gateway.close();
        const { missed, unused, used, exchanges } = asked.json;
        expect(missed.map(({ text }: { text: string }) => text)).toEqual([]);
        expect(unused).toEqual([]);
        expect(used).toHaveLength(exchanges);
        expect(exchanges).toBeGreaterThan(0);
      }
    },
  );
});

describe('GET /api/replay', () => {
  it('says that no recording answers where the emulator does', async () => {
    const gateway = await startTestGateway();
    expect((await gateway.call('/api/replay', { side: 'admin' })).status).toBe(404);
    await gateway.close();
  });
});
