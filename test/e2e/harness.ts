/** A gateway over real sockets for tests: certificates made once per run, a clock that can be moved, short verbs. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { type Certificates, ensureCertificates } from '../../src/app/certificates/ensure.js';
import { makeKeyPair } from '../../src/app/certificates/key-pairs.js';
import {
  loadConfig,
  type Sandgate,
  type StartOptions,
  startSandgate,
  systemParts,
} from '../../src/app/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { OF_TESTS } from '../../src/testing/start-gateway.js';
import expectedViolations from '../expected-violations.json' with { type: 'json' };
import { all } from '../rows.js';
import { SHARED_CERTIFICATES } from '../shared-certificates.js';

export const REQUEST_ID = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
/** RFC 7636 appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const DAY_MS = 86_400_000;

export interface CallOptions {
  method?: string;
  /** Name of a certificate of the set; null: none. */
  cert?: string | null;
  headers?: Record<string, string | undefined>;
  /** Sent as JSON. */
  json?: unknown;
  form?: Record<string, string>;
  /** Sent as it is. */
  body?: string | Uint8Array;
  side?: 'api' | 'psu' | 'admin';
  signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by path; a wrong path fails the assertion.
  readonly json: any;
  /** Codes of tppMessages. */
  readonly codes: readonly string[];
}

export interface TestGateway {
  readonly app: Sandgate;
  readonly urls: Sandgate['urls'];
  readonly certs: string;
  readonly file: (name: string) => string;
  /** Takes a path, or a whole address. */
  readonly call: (target: string, options?: CallOptions) => Promise<Reply>;
  /** Fetches an access token. */
  readonly token: (code?: string, cert?: string) => Promise<string>;
  /** Headers of an account call. */
  readonly accountHeaders: (
    token: string,
    headers?: Record<string, string | undefined>,
  ) => Record<string, string | undefined>;
  readonly move: (ms: number) => void;
  readonly now: () => number;
  /** What the store holds, in order. */
  readonly records: () => Promise<readonly RecordedExchange[]>;
  /** Lines of the log so far. */
  readonly logged: () => readonly Record<string, unknown>[];
  readonly close: () => Promise<void>;
}

let certificates: Promise<string> | undefined;

/**
 * The folder of the run's certificates: whoever comes first makes them, under the name of the run's main process. Their keys
 * are EC where a user's are RSA, which take as long for a handshake as a call: those are used by what src/testing starts.
 */
export function testCertificates(): Promise<string> {
  certificates ??= makeCertificates();
  return certificates;
}

const certificatesBy = new Map<number, Promise<string>>();

/** A folder of certificates that are good now and at a time (epoch ms), for tests on a certain day. */
export function certificatesAt(judgedAt: number): Promise<string> {
  const known = certificatesBy.get(judgedAt) ?? makeFor(judgedAt);
  certificatesBy.set(judgedAt, known);
  return known;
}

async function makeFor(judgedAt: number): Promise<string> {
  const own = mkdtempSync(join(tmpdir(), 'sandgate-certificates-'));
  await ensureCertificates(own, Date.now(), undefined, judgedAt, (type) =>
    makeKeyPair(type === 'rsa-2048' ? 'ec-p256' : type),
  );
  return own;
}

async function makeCertificates(): Promise<string> {
  if (existsSync(SHARED_CERTIFICATES)) return SHARED_CERTIFICATES;
  const own = mkdtempSync(join(tmpdir(), 'sandgate-certificates-new-'));
  const now = Date.now();
  await ensureCertificates(own, now, undefined, now, (type) =>
    makeKeyPair(type === 'rsa-2048' ? 'ec-p256' : type),
  );
  try {
    renameSync(own, SHARED_CERTIFICATES);
  } catch {
    // Another worker was faster.
    rmSync(own, { recursive: true, force: true });
  }
  return SHARED_CERTIFICATES;
}

let shared: Promise<Certificates> | undefined;

/** They are looked through once: that takes as long as all else at the start of a gateway. */
async function sharedSet(): Promise<Certificates> {
  shared ??= ensureCertificates(await testCertificates(), Date.now());
  return shared;
}

const contexts = new Map<string, SecureContext>();

/** Of a client with a certificate of the set, or with none. Keys are read once: that takes longer than a call. */
export function contextOf(certs: string, cert: string | null): SecureContext {
  const known = contexts.get(`${certs} ${cert}`);
  if (known !== undefined) return known;
  const file = (name: string) => readFileSync(join(certs, name), 'utf8');
  const own = cert === null ? {} : { cert: file(`${cert}.pem`), key: file(`${cert}.key`) };
  const context = createSecureContext({ ca: file('ca.pem'), ...own });
  contexts.set(`${certs} ${cert}`, context);
  return context;
}

/** In a test, until it is over; see `startTestGateway`. */
export async function started(settings: Record<string, unknown> = {}, slot?: number): Promise<TestGateway> {
  const gateway = await startTestGateway(settings, slot);
  onTestFinished(gateway.close);
  return gateway;
}

/**
 * `settings` as in the configuration file, flat: `{ 'limits.body': 1024 }`. With a slot it is one of several on a store; see
 * `Store.serve`.
 */
export async function startTestGateway(
  settings: Record<string, unknown> = {},
  slot?: number,
  options: StartOptions = {},
): Promise<TestGateway> {
  const certs = await testCertificates();
  const { config } = loadConfig({
    flags: { ...OF_TESTS, certs, ...settings },
  });
  let moved = 0;
  const now = () => Date.now() + moved;
  const log: string[] = [];
  const app = await startSandgate(
    config,
    systemParts(config.logLevel, (line) => log.push(line), now),
    {
      ...(config.certs === certs ? { certificates: await sharedSet() } : {}),
      ...(slot === undefined ? {} : { member: { slot } }),
      ...options,
    },
  );
  const file = (name: string) => readFileSync(join(config.certs, name), 'utf8');
  const agents = new Map<string, Agent>();
  const agentOf = (cert: string | null): Agent => {
    const name = cert ?? '';
    const known = agents.get(name);
    if (known !== undefined) return known;
    const agent = new Agent({ connect: { secureContext: contextOf(config.certs, cert) }, connections: 20 });
    agents.set(name, agent);
    return agent;
  };

  const call: TestGateway['call'] = async (target, options = {}) => {
    const { side = 'api', cert = side === 'api' ? 'tpp' : null, method, form, json } = options;
    const text = form
      ? new URLSearchParams(form).toString()
      : json === undefined
        ? options.body
        : JSON.stringify(json);
    const type = form
      ? 'application/x-www-form-urlencoded'
      : json === undefined
        ? undefined
        : 'application/json';
    const headers = {
      'X-Request-ID': REQUEST_ID,
      ...(type ? { 'Content-Type': type } : {}),
      ...options.headers,
    };
    const url = target.startsWith('http') ? target : `${app.urls[side]}${target}`;
    const response = await request(url, {
      dispatcher: agentOf(cert),
      method: (method ?? (text === undefined ? 'GET' : 'POST')) as 'GET',
      headers: Object.fromEntries(
        Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined),
      ),
      body: text ?? null,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return replyOf(response.statusCode, response.headers, await response.body.text());
  };

  const token: TestGateway['token'] = async (code = 'AIS_VALID_CODE', cert = 'tpp') => {
    const form = {
      grant_type: 'authorization_code',
      client_id: 'VALID_CLIENT_ID',
      code,
      code_verifier: VERIFIER,
    };
    const answer = await call('/stdgroup/v1/token', { form, cert });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.access_token;
  };

  const records: TestGateway['records'] = async () => {
    await app.notificationsDone();
    await app.recorder.drain();
    return await all(app.store.read('test'));
  };

  return {
    app,
    urls: app.urls,
    certs: config.certs,
    file,
    call,
    token,
    accountHeaders: (bearer, headers) => ({
      Authorization: `Bearer ${bearer}`,
      'Consent-Id': 'VALID_CONSENT_ID',
      'PSU-IP-Address': '192.0.2.1',
      ...headers,
    }),
    move: (ms) => {
      moved += ms;
    },
    now,
    records,
    logged: () => log.map((line) => JSON.parse(line)),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
      const all = await records();
      await app.close();
      expect(unexpectedViolations(all), 'the emulator must comply with the rules for banks').toEqual([]);
      expect(
        log.filter((line) => line.includes('could not')),
        'nothing may go wrong inside',
      ).toEqual([]);
    },
  };
}

function replyOf(status: number, raw: Record<string, string | string[] | undefined>, text: string): Reply {
  const headers = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]));
  const json = text !== '' && /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : undefined;
  const codes = (json?.tppMessages ?? []).map(({ code }: { code: string }) => code);
  return { status, headers, text, json, codes };
}

interface BankViolation {
  readonly rule: string;
  readonly operation: string | null;
}

/** What the rules for banks say of the emulator, notes apart. */
export function bankViolations(records: readonly RecordedExchange[]): (BankViolation & { found: string })[] {
  return records.flatMap(({ exchange, findings }) =>
    findings
      .filter(({ judges, severity }) => judges === 'aspsp' && severity !== 'note')
      .map(({ rule, place, expected, actual }) => ({
        rule,
        operation: exchange.call.operation,
        found: `${place}: ${expected}, not ${actual}`,
      })),
  );
}

export const EXPECTED_VIOLATIONS: readonly (BankViolation & { readonly reason: string })[] =
  expectedViolations;

function unexpectedViolations(records: readonly RecordedExchange[]) {
  return bankViolations(records).filter(
    ({ rule, operation }) =>
      !EXPECTED_VIOLATIONS.some((one) => one.rule === rule && one.operation === operation),
  );
}

/** A value once a condition holds; fails where it hangs, before the test does, so that it is told what did not come. */
export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 100_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
