/**
 * Asks a running gateway by its admin listener, for commands that read or change something in it. Not with `fetch`: once
 * the garbage collector has run, that may not hear its signal any more, and is waited for for ever.
 */
import type { IncomingMessage } from 'node:http';
import { type Config, loadConfig } from '../app/config/index.js';
import { readStream } from '../files/index.js';
import { answerTo } from '../outgoing/index.js';
import { SandgateError } from '../spec/index.js';
import type { CliContext } from './context.js';
import { type FlagsOf, PRINT_JSON, SETTINGS_FILE } from './options.js';

export const ADMIN_OPTIONS = [
  [
    '--admin <URL>',
    'Admin listener of the gateway (default: that of serve with the same settings). Its token is read from SANDGATE_ADMIN_TOKEN.',
  ],
  SETTINGS_FILE,
] as const;
export type AdminFlags = FlagsOf<typeof ADMIN_OPTIONS>;

export const WORLD_OPTIONS = [
  ...ADMIN_OPTIONS,
  ['--session <NAME>', 'The world of this session, with --isolate-sessions.'],
  PRINT_JSON,
] as const;
export type WorldFlags = FlagsOf<typeof WORLD_OPTIONS>;

/** The path with the world that is meant. */
export const inWorld = (path: string, { session }: WorldFlags): string =>
  session === undefined ? path : `${path}?${new URLSearchParams({ session })}`;

interface AdminRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly timeout?: number;
}

export type AdminClient = ReturnType<typeof openAdminClient>;

const ANSWER_MS = 10_000;
const LONGEST_ANSWER = 16_777_216;

export function openAdminClient({ admin, config: file }: AdminFlags, { env, signal }: CliContext) {
  const { config } = loadConfig({ env, file });
  const url = admin === undefined ? addressOf(config.adminListen) : originOf(admin);
  if (url === null) throw new SandgateError('admin.any-port', {});
  const headers = config.adminToken === undefined ? {} : { Authorization: `Bearer ${config.adminToken}` };
  return {
    url,
    /** Asks the gateway for JSON. Throws a SandgateError if there is no gateway, or if it refuses. */
    ask: (request: AdminRequest) => ask(url, headers, request, signal),
    /** Server-sent events of `path`, behind the one with this id. Throws as `ask`; each of the signals cuts the stream off. */
    events: async (path: string, after: string | null, ...ends: AbortSignal[]): Promise<IncomingMessage> => {
      const behind = after === null ? {} : { 'Last-Event-ID': after };
      const response = await answerOf(url, () =>
        answerTo(
          new URL(`${url}${path}`),
          { method: 'GET', headers: { ...headers, ...behind }, isOwn: true },
          ...ends,
        ),
      );
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
      if (isOk(response) && isStream) return response;
      throw refusalOf(url, response, await answerOf(url, () => readJson(response)));
    },
  };
}

/** null: any free port, which nobody can tell from the settings. */
export function addressOf({ host, port }: Config['adminListen']): string | null {
  if (port === 0) return null;
  // The address of all interfaces is none to connect to.
  const reached = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new SandgateError('admin.address', { text });
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  { method, path, body, timeout = ANSWER_MS }: AdminRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const given =
    text === undefined
      ? { method, headers, isOwn: true }
      : {
          ...{ method, isOwn: true, body: text },
          // Node leaves the length out where a DELETE has a body.
          headers: {
            ...headers,
            'Content-Type': 'application/json',
            'Content-Length': String(Buffer.byteLength(text)),
          },
        };
  const late = AbortSignal.timeout(timeout);
  const [response, value] = await answerOf(url, async () => {
    try {
      const answer = await answerTo(new URL(`${url}${path}`), given, signal, late);
      return [answer, await readJson(answer)] as const;
    } catch (error) {
      if (signal.aborted) throw new SandgateError('admin.interrupted', { url });
      throw late.aborted ? late.reason : error;
    }
  });
  if (isOk(response) && value !== null) return value;
  throw refusalOf(url, response, value);
}

const isOk = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

function refusalOf(
  url: string,
  { statusCode: status = 0 }: IncomingMessage,
  value: Readonly<Record<string, unknown>> | null,
): SandgateError {
  if (status === 401) return new SandgateError('admin.token', { url });
  const { error } = value ?? {};
  if (typeof error !== 'string') return new SandgateError('admin.no-gateway', { url, status });
  return new SandgateError('admin.refused', { url, why: error.replace(/\.$/, '') });
}

async function answerOf<T>(url: string, get: () => Promise<T>): Promise<T> {
  try {
    return await get();
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    throw new SandgateError('admin.none', { url, why: whyOf(cause) }, { cause });
  }
}

export async function readJson(response: IncomingMessage): Promise<Readonly<Record<string, unknown>> | null> {
  const text = String((await readStream(response, LONGEST_ANSWER)) ?? '');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}

export function whyOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Events are given up by an AbortError where nothing comes.
  if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return 'it does not answer';
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  return code === 'ECONNRESET' ? 'the connection was cut' : message || (code ?? cause.name);
}
