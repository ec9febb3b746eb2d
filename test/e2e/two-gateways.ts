/** Two gateways in a row: A leads to B, which is the bank. Walks journeys at either, and puts aside what must differ. */
import { join } from 'node:path';
import type { Agent, Dispatcher } from 'undici';
import type { Profile } from '../../src/rules/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { callsOf } from '../mutations/changes.js';
import { JOURNEYS, type Journey, type JourneyName } from '../mutations/journeys.js';
import { type Bring, beginAnew, createClients, createValues, openReceiver, send } from '../mutations/play.js';
import { all } from '../rows.js';
import { startTestGateway, type TestGateway, testCertificates } from './harness.js';

/** An answer as its client sees it. */
export interface Seen {
  readonly step: string;
  readonly status: number;
  /** In order and letter case as they came. */
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

export interface Walk {
  readonly seen: readonly Seen[];
  /** Of each gateway, calls only. */
  readonly atA: readonly RecordedExchange[];
  readonly atB: readonly RecordedExchange[];
}

export interface TwoGateways {
  readonly a: TestGateway;
  readonly b: TestGateway;
  /** Through both, or at B alone. */
  readonly walk: (journey: JourneyName, from: 'a' | 'b') => Promise<Walk>;
  readonly close: () => Promise<void>;
}

export async function openTwoGateways(parts: {
  readonly profile: Profile;
  readonly scaLink: Journey['scaLink'];
  /** Further settings of A. */
  readonly settings?: Record<string, unknown>;
}): Promise<TwoGateways> {
  const { profile, scaLink, settings } = parts;
  const certs = await testCertificates();
  const b = await startTestGateway({ profile, scaLink });
  const a = await startTestGateway({
    profile,
    upstream: b.urls.api,
    upstreamPsu: b.urls.psu,
    upstreamCert: join(certs, 'tpp.pem'),
    upstreamKey: join(certs, 'tpp.key'),
    upstreamCa: join(certs, 'ca.pem'),
    ...settings,
  });
  const clients = createClients(b, {});
  const receiver = await openReceiver();

  return {
    a,
    b,
    walk: async (name, from) => {
      const journey: Journey = JOURNEYS[name];
      const first = from === 'a' ? a : b;
      const seen: Seen[] = [];
      const after = await Promise.all([a, b].map(({ app }) => app.store.calls.newest()));
      for (const gateway of [a, b]) beginAnew(gateway);
      const values = createValues(first, { receiver: receiver.url, ...journey.knows?.[profile] });
      for (const sent of callsOf(journey.steps, undefined, undefined)) {
        for (const gateway of [a, b]) gateway.move(sent.pause);
        const bring = bringThrough(first, b, (answer) => seen.push({ step: sent.name, ...answer }));
        if (!(await send(sent, values, clients, bring))) throw new Error(`${sent.name} was not made`);
      }
      const [atA, atB] = await Promise.all([callsAt(a, after[0]), callsAt(b, after[1])]);
      return { seen, atA: atA ?? [], atB: atB ?? [] };
    },
    close: async () => {
      await clients.close();
      await a.close();
      await b.close();
      await receiver.close();
    },
  };
}

async function callsAt({ app }: TestGateway, after: string | null | undefined): Promise<RecordedExchange[]> {
  await app.notificationsDone();
  await app.recorder.drain();
  const records = app.store.read('test', after ? { after } : {});
  return (await all(records)).filter(({ exchange }) => exchange.call.listener !== 'callback');
}

/** A browser that is sent on to the bank goes there, as browsers do. */
function bringThrough(
  first: TestGateway,
  bank: TestGateway,
  onSeen: (seen: Omit<Seen, 'step'>) => void,
): Bring {
  const isOnwards = (url: string, location: string | undefined) =>
    first !== bank && url.startsWith(first.urls.psu) && location?.startsWith(bank.urls.psu) === true;
  const bring = async (url: string, options: Parameters<Bring>[1]): ReturnType<Bring> => {
    const answer = await ask(url, options);
    const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
    if (location !== undefined && isOnwards(url, location)) return bring(location, options);
    onSeen(answer);
    return { headers: { location }, body: { text: async () => answer.text } };
  };
  return bring;
}

function ask(
  url: string,
  { dispatcher, method, headers, body }: Parameters<Bring>[1] & { readonly dispatcher: Agent },
): Promise<Omit<Seen, 'step'>> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const seen = { status: 0, headers: [] as [string, string][] };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: (controller, status) => {
        seen.status = status;
        const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders.map(String) : [];
        for (let i = 0; i + 1 < raw.length; i += 2) seen.headers.push([raw[i] ?? '', raw[i + 1] ?? '']);
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ ...seen, text: Buffer.concat(chunks).toString('utf8') }),
      onResponseError: (_, error) => reject(error),
    };
    dispatcher.dispatch({ origin, path: pathname + search, method, headers, body }, handler);
  });
}

/** What differs from one walk to the next, and from one gateway to the other, gets a name: the n-th of its kind. */
export function createNaming({ a, b }: Pick<TwoGateways, 'a' | 'b'>): (text: string) => string {
  const known = new Map<string, string>();
  const name = (kind: string) => (found: string) => {
    const given = known.get(found) ?? `{${kind} ${known.size}}`;
    known.set(found, given);
    return given;
  };
  const places: readonly (readonly [string, string])[] = [a, b].flatMap(({ urls }) => [
    [urls.api, '{api}'] as const,
    [urls.psu, '{psu}'] as const,
  ]);
  return (text) => {
    let named = text;
    for (const [url, place] of places)
      named = named.replaceAll(url, place).replaceAll(encodeURIComponent(url), place);
    return named
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '{time}')
      .replace(/fp_[\w-]+/g, name('secret'))
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, name('uuid'))
      .replace(/(?<![\w-])[\w-]{32,}(?![\w-])/g, name('random'));
  };
}

/** Of one connection, or of one gateway. */
const OF_THE_HOP = new Set(['date', 'connection', 'keep-alive', 'host']);

/** Header fields that must be the same on both sides; a right Content-Length is only right, for links differ in length. */
export function headersThatStay(
  headers: readonly (readonly [string, string])[],
  bodySize: number,
): readonly (readonly [string, string])[] {
  return headers.flatMap(([name, value]): (readonly [string, string])[] => {
    const key = name.toLowerCase();
    if (OF_THE_HOP.has(key) || key.startsWith('sandgate-')) return [];
    return [[name, key === 'content-length' && value === String(bodySize) ? '{right}' : value]];
  });
}
