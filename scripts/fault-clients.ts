/**
 * Makes one read under each fault that meets one, by three clients, and writes what each client sees to fault-clients.json,
 * for docs/faults.md: `npx tsx scripts/fault-clients.ts`, then `npm run generate`. Only this script needs python3: documents
 * and tests do without.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { type Gateway, startGateway, type TestFault } from '../src/testing/index.js';

type Effect = TestFault['do'];

const EFFECTS: readonly Effect[] = [
  { kind: 'transport/delay', ms: 100 },
  { kind: 'transport/hang' },
  { kind: 'transport/cut', at: 'before' },
  { kind: 'transport/cut', at: 'body' },
  { kind: 'transport/cut', at: 'after' },
  { kind: 'transport/reset' },
  { kind: 'transport/slow-body', bytes: 10_000 },
  { kind: 'answer/status', status: 429 },
  { kind: 'answer/status', status: 502, form: 'html' },
  { kind: 'answer/status', status: 502, form: 'empty' },
  { kind: 'answer/maintenance' },
  { kind: 'done/lost' },
  { kind: 'done/status-after' },
  { kind: 'done/late' },
  { kind: 'content/truncate' },
  { kind: 'content/html' },
  { kind: 'content/media-type' },
  { kind: 'content/numbers' },
  { kind: 'content/no-offset' },
  { kind: 'content/member', member: 'balances' },
  { kind: 'content/unknown-member' },
  { kind: 'content/unknown-status' },
  { kind: 'certificate/server-expired' },
  { kind: 'certificate/server-unknown-ca' },
  { kind: 'certificate/server-renewed' },
  { kind: 'certificate/client-refused' },
  { kind: 'certificate/client-revoked' },
  { kind: 'limit/early' },
  { kind: 'limit/by-ip' },
  { kind: 'limit/without-retry-after' },
];

interface Read {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
  /** Time limit of the client. */
  readonly ms: number;
}

/** Gives the status and the form of the answer, or the client's name for its error. */
type Client = (read: Read) => Promise<string>;

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly isEmpty: boolean;
  readonly isJson: boolean;
}

function answered({ status, type, isEmpty, isJson }: Answered): string {
  if (isEmpty) return `${status}, no body`;
  const [media] = type.split(';');
  return `${status}, ${isJson ? 'JSON' : 'not JSON'}${media === 'application/json' ? '' : ` (${media})`}`;
}

/** OpenSSL has renamed its codes of alerts, but not their texts. */
function failed({ code, message, name }: NodeJS.ErrnoException): string {
  const [alert] = /alert [a-z ]*[a-z]/.exec(message) ?? [];
  return alert ?? code ?? name;
}

function read(status: number, type: unknown, body: string): string {
  return answered({ status, type: String(type ?? ''), isEmpty: body === '', isJson: isJson(body) });
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

const byUndici: Client = async ({ url, headers, tls, ms }) => {
  const agent = new Agent({ connect: tls, headersTimeout: ms, bodyTimeout: ms });
  try {
    const answer = await request(url, { dispatcher: agent, headers });
    return read(answer.statusCode, answer.headers['content-type'], await answer.body.text());
  } catch (error) {
    return failed(error as Error);
  } finally {
    await agent.destroy();
  }
};

const byHttps: Client = ({ url, headers, tls, ms }) =>
  new Promise((resolve) => {
    const fail = (error: Error) => resolve(failed(error));
    const signal = AbortSignal.timeout(ms);
    get(url, { ...tls, headers, agent: false, signal }, (answer) => {
      const { statusCode = 0, headers: fields } = answer;
      text(answer).then((body) => resolve(read(statusCode, fields['content-type'], body)), fail);
    }).on('error', fail);
  });

export const NODE_CLIENTS = { undici: byUndici, https: byHttps } as const;

/** @param folder for the certificates, which Python reads from files */
function byPython(folder: string): Client {
  const script = fileURLToPath(new URL('fault-client.py', import.meta.url));
  return async ({ url, headers, tls, ms }) => {
    const files = Object.entries(tls).map(([name, pem]) => {
      const file = join(folder, `${name}.pem`);
      writeFileSync(file, pem);
      return [name, file];
    });
    const call = {
      ...{ host: url.hostname, port: Number(url.port), path: url.pathname, headers, seconds: ms / 1_000 },
      ...Object.fromEntries(files),
    };
    const { stdout } = await promisify(execFile)('python3', [script, JSON.stringify(call)]);
    const seen = JSON.parse(stdout);
    return seen.code === undefined ? answered(seen) : failed(seen);
  };
}

type Seen<Name extends string> = { readonly do: Effect } & Readonly<Record<Name, string>>;

/** What each client sees of each effect; all clients call at once. */
export async function seenBy<Name extends string>(
  gateway: Gateway,
  clients: Readonly<Record<Name, Client>>,
): Promise<Seen<Name>[]> {
  const readUnder = await authorised(gateway);
  const names = Object.keys(clients) as Name[];
  const rows: Seen<Name>[] = [];
  for (const effect of EFFECTS) {
    await gateway.faults.add({ do: effect, count: names.length });
    const outcomes = await Promise.all(
      names.map(async (name) => [name, await clients[name](readUnder(effect))] as const),
    );
    const [fault] = gateway.faults.list();
    if (fault?.times !== names.length)
      throw new Error(`${effect.kind} met ${fault?.times} of ${names.length} calls`);
    await gateway.faults.clear();
    rows.push({ do: effect, ...Object.fromEntries(outcomes) } as Seen<Name>);
  }
  return rows;
}

const CONSENT = 'VALID_CONSENT_ID';

/** With a token of the sandbox bank; gives the read that an effect meets. */
async function authorised({ tpp, urls, certificates }: Gateway) {
  const client = tpp();
  const form = { client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE', code_verifier: 'x'.repeat(43) };
  const given = await client.call('POST /token', { form: { grant_type: 'authorization_code', ...form } });
  const token: string = given.json.access_token;
  const access = { scope: `AIS:${CONSENT}`, token, refreshToken: undefined };
  const list = await client.call('GET /accounts', { access });
  const balances = `accounts/${list.json.accounts[0].resourceId}/balances`;
  const unattended = {
    ...{ Authorization: `Bearer ${token}`, 'Consent-Id': CONSENT },
    'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  };
  const attended = { ...unattended, 'PSU-IP-Address': '192.0.2.1' };
  return ({ kind }: Effect): Read => ({
    url: new URL(
      `/stdgroup/v1/${kind === 'content/unknown-status' ? `consents/${CONSENT}/status` : balances}`,
      urls.api,
    ),
    headers: kind === 'limit/early' ? unattended : attended,
    tls: { ca: certificates.ca, ...certificates.tpp },
    // A slow machine must not make other calls end by their time limit.
    ms: kind === 'transport/hang' || kind === 'done/late' ? 2_000 : 60_000,
  });
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-fault-clients-'));
  const gateway = await startGateway();
  try {
    const rows = await seenBy(gateway, { ...NODE_CLIENTS, python: byPython(folder) });
    const file = fileURLToPath(new URL('fault-clients.json', import.meta.url));
    writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    await gateway.close();
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
