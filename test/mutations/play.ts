/** Plays journeys through real gateways in stance observe, and tells what was found at which step. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { FactFamily } from '../../src/ledger/index.js';
import type { Finding, Profile } from '../../src/rules/index.js';
import { bankDateAt } from '../../src/spec/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { DAY_MS, startTestGateway, type TestGateway } from '../e2e/harness.js';
import { all } from '../rows.js';
import { BLOCKED_TPP, mintFaultyCertificates, type TestPair } from './certificates.js';
import { type Change, callsOf, type Sent } from './changes.js';
import { JOURNEYS, type Journey, type JourneyName } from './journeys.js';

export interface Found extends Finding {
  readonly step: string;
}

export interface Played {
  /** Of severity must or should, of TPP and bank, in the order of the calls. */
  readonly findings: readonly Found[];
  /** Of severity note, likewise. */
  readonly notes: readonly Found[];
  readonly records: readonly RecordedExchange[];
}

export interface Stage {
  readonly play: (journey: JourneyName, step?: string, change?: Change) => Promise<Played>;
  /** The gateway that such journeys go through. */
  readonly gatewayOf: (journey: JourneyName) => TestGateway;
  readonly close: () => Promise<void>;
}

/** The TPP of the certificate `tpp`. */
export const CLIENT = 'PSDBE-NBB-0123456789';
const HOUR_MS = 3_600_000;

/** A gateway for each form of the scaOAuth link; journeys take turns, each begins with an empty ledger at ten o'clock. */
export async function openStage(profile: Profile): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-mutations-'));
  const faulty = mintFaultyCertificates(Date.now());
  writeFileSync(join(folder, 'ca.pem'), faulty.ca);
  const start = (scaLink: Journey['scaLink']) =>
    startTestGateway({
      profile,
      scaLink,
      stance: 'observe',
      trustAnchors: [join(folder, 'ca.pem')],
      blockedOrganisations: [BLOCKED_TPP],
    });
  const [discovery, direct] = await Promise.all([start('discovery'), start('direct')]);
  const gateways = { discovery, direct };
  const clients = createClients(discovery, faulty.pairs);
  const receiver = await openReceiver();
  const gatewayOf = (name: JourneyName) => gateways[JOURNEYS[name].scaLink];

  return {
    gatewayOf,
    play: async (name, step, change) => {
      const journey: Journey = JOURNEYS[name];
      const gateway = gatewayOf(name);
      beginAnew(gateway);
      const values = createValues(gateway, {
        receiver: receiver.url,
        ...journey.knows?.[profile],
        ...(change !== undefined && 'skip' in change ? change.knows : undefined),
      });
      const after = await gateway.app.store.calls.newest();
      const made: string[] = [];
      for (const sent of callsOf(journey.steps, step, change)) {
        gateway.move(sent.pause);
        if (await send(sent, values, clients)) made.push(sent.name);
      }
      await gateway.app.notificationsDone();
      await gateway.app.recorder.drain();
      const records = await all(gateway.app.store.read('test', after === null ? {} : { after }));
      const found = findingsOf(records, made);
      return {
        records,
        findings: found.filter(({ severity }) => severity !== 'note'),
        notes: found.filter(({ severity }) => severity === 'note'),
      };
    },
    close: async () => {
      await clients.close();
      await Promise.all([discovery.close(), direct.close()]);
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Empties its ledger. */
export function forgetAll({ app }: TestGateway): void {
  for (const facts of Object.values(app.ledger))
    if (facts instanceof FactFamily) for (const key of [...facts.keys()]) facts.drop(key);
  app.ledger.oddLinks.clear();
}

/** Ten o'clock of this day: no journey runs over midnight. */
export function beginAnew(gateway: TestGateway): void {
  forgetAll(gateway);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  gateway.move(today + 10 * HOUR_MS - gateway.now());
}

/** The value of a name, or undefined where nothing gave one yet. */
export interface Values {
  readonly get: (name: string) => string | undefined;
  readonly set: (name: string, value: string) => void;
}

export function createValues(
  gateway: { readonly urls: Pick<TestGateway['urls'], 'api' | 'psu'>; readonly now: () => number },
  known: Readonly<Record<string, string>>,
): Values {
  const values = new Map(
    Object.entries({
      api: gateway.urls.api,
      psu: gateway.urls.psu,
      client: CLIENT,
      ...secretsOf('', randomBytes(32).toString('base64url')),
      ...secretsOf('2', randomBytes(32).toString('base64url')),
      ...known,
    }),
  );
  return {
    get: (name) => {
      if (name === 'uuid') return randomUUID();
      const day = /^day([+-]\d+)?$/.exec(name);
      if (day !== null) return bankDateAt(gateway.now() + Number(day[1] ?? 0) * DAY_MS);
      return values.get(name);
    },
    set: (name, value) => void values.set(name, value),
  };
}

/** State, verifier and challenge of one authorization request. */
function secretsOf(number: string, verifier: string): Record<string, string> {
  return {
    [`state${number}`]: randomBytes(16).toString('hex'),
    [`verifier${number}`]: verifier,
    [`challenge${number}`]: createHash('sha256').update(verifier).digest('base64url'),
  };
}

/** The text with its places filled, or undefined where one cannot be. */
function fill(text: string, values: Values, encode: (value: string) => string = String): string | undefined {
  let stuck = false;
  const filled = text.replace(/\{([a-z][A-Za-z0-9+-]*)\}/g, (_, name: string) => {
    const value = values.get(name);
    const inner = value === undefined ? undefined : fill(value, values);
    if (inner === undefined) stuck = true;
    return encode(inner ?? '');
  });
  return stuck ? undefined : filled;
}

export interface Clients {
  readonly of: (cert: string | null) => Agent;
  readonly close: () => Promise<void>;
}

export function createClients(
  gateway: Pick<TestGateway, 'file'>,
  pairs: Readonly<Record<string, TestPair>>,
): Clients {
  const agents = new Map<string, Agent>();
  const pairOf = (name: string): TestPair =>
    pairs[name] ?? { cert: gateway.file(`${name}.pem`), key: gateway.file(`${name}.key`) };
  return {
    of: (cert) => {
      const name = cert ?? '';
      const known = agents.get(name);
      if (known !== undefined) return known;
      // A client that shows weak keys, too.
      const ciphers = 'DEFAULT@SECLEVEL=1';
      const connect = { ca: gateway.file('ca.pem'), ciphers, ...(cert === null ? {} : pairOf(cert)) };
      const agent = new Agent({ connect, connections: 1 });
      agents.set(name, agent);
      return agent;
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

/** Brings a request to where it belongs, and gives back what is kept of the answer. */
export type Bring = (
  url: string,
  options: {
    readonly dispatcher: Agent;
    readonly method: 'GET';
    readonly headers: string[];
    readonly body: string | null;
  },
) => Promise<{
  readonly headers: { readonly location?: unknown };
  readonly body: { readonly text: () => Promise<string> };
}>;

/** Whether the call was made; a client without what it needs makes none. */
export async function send(
  sent: Sent,
  values: Values,
  clients: Clients,
  bring: Bring = request,
): Promise<boolean> {
  const url = fill(sent.url, values);
  const pairs = (list: Sent['query']) =>
    list.map(([name, value]) => [name, fill(value, values)] as [string, string | undefined]);
  const query = pairs(sent.query);
  const headers = pairs(sent.headers);
  const body =
    sent.body === null
      ? null
      : fill(sent.body, values, sent.type?.includes('form') ? encodeURIComponent : undefined);
  if (
    url === undefined ||
    body === undefined ||
    [...query, ...headers].some(([, value]) => value === undefined)
  )
    return false;
  const search =
    query.length === 0
      ? ''
      : `${url.includes('?') ? '&' : '?'}${new URLSearchParams(query as [string, string][])}`;
  const cert = sent.cert === undefined ? (sent.browser ? null : 'tpp') : sent.cert;
  const response = await bring(url + search, {
    dispatcher: clients.of(cert),
    method: sent.method as 'GET',
    headers: [
      ...(sent.type === undefined ? [] : [['Content-Type', sent.type]]),
      ...(headers as [string, string][]),
    ].flat(),
    body,
  });
  const requestId = headers.find(([name]) => name === 'X-Request-ID')?.[1];
  if (requestId !== undefined) {
    values.set('lastid', requestId);
    values.set('lastidCapitals', requestId.toUpperCase());
  }
  keep(sent, response.headers.location, await response.body.text(), values);
  return true;
}

function keep(sent: Sent, location: unknown, text: string, values: Values): void {
  for (const [name, path] of Object.entries(sent.keeps)) {
    const [place = '', part] = path.split(' ');
    const value =
      place === 'location'
        ? new URL(String(location), 'http://nowhere.invalid').searchParams.get(part ?? '')
        : memberAt(text, place);
    if (part === '/' && typeof value === 'string') values.set(name, value.slice(value.lastIndexOf('/') + 1));
    else if (typeof value === 'string') values.set(name, value);
  }
}

function memberAt(text: string, path: string): unknown {
  if (!text.startsWith('{')) return undefined;
  let here: unknown = JSON.parse(text);
  for (const name of path.split('.')) here = (here as Record<string, unknown> | undefined)?.[name];
  return here;
}

/** A callback has no step of its own: it follows from the last one. */
function findingsOf(records: readonly RecordedExchange[], made: readonly string[]): Found[] {
  let call = -1;
  return records.flatMap(({ exchange, findings }) => {
    const isNotification = exchange.call.listener === 'callback';
    if (!isNotification) call++;
    const step = isNotification ? 'callback' : (made[call] ?? 'unknown');
    return findings.filter(({ waived }) => waived === undefined).map((finding) => ({ ...finding, step }));
  });
}

/** Where notifications are received. The first one to `/slow` is not taken, its repetition is. */
export async function openReceiver() {
  let isSlow = true;
  let received = 0;
  const server = createServer((request, response) => {
    received++;
    const status = request.url === '/slow' && isSlow ? 503 : 204;
    if (request.url === '/slow') isSlow = !isSlow;
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
