/** Sends calls over TLS, each with its certificate, and reads the answers whole. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent } from 'node:https';
import { addAbortSignal } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import {
  type Answer,
  type Body,
  bodyOfBytes,
  codingsOf,
  decodeBody,
  type HeaderList,
  indexHeaders,
  openAnswer,
  pairHeaders,
} from '../../exchange/index.js';
import { readStream } from '../../files/index.js';
import { openRequest } from '../../outgoing/index.js';
import { SandgateError } from '../../spec/index.js';

export interface Identity {
  readonly name: string;
  /** The organizationIdentifier, which is the client_id too; null where it has none. */
  readonly organisation: string | null;
  readonly pem: string;
  readonly keyPem: string;
}

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  /** Without Host and Content-Length. */
  readonly headers: HeaderList;
  readonly body: Uint8Array | null;
  /** null: none is presented. */
  readonly identity: Identity | null;
  /** Whether it may be sent once more where its connection is cut: a plain read, never a POST. */
  readonly repeatable: boolean;
}

/**
 * `problem`: why there is no answer, in a few words; `sent` is false where the call could not even be written.
 * `repeated`: the first connection was cut before an answer came, so that the bank may have got the call twice.
 */
export type Received = (
  | { readonly answer: Answer }
  | { readonly problem: string; readonly sent: boolean }
) & { readonly repeated: boolean };

export interface SenderParts {
  /** CAs in PEM that are believed. */
  readonly ca: readonly string[];
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Only the gateway's own listeners are asked. */
  readonly isOwn?: boolean;
  /** Goes with each call, beside its own headers. */
  readonly mark?: HeaderList[number] | undefined;
}

export type Sender = ReturnType<typeof createSender>;

/** What Node refuses to put on the wire. */
const UNWRITABLE: ReadonlySet<string> = new Set([
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_UNESCAPED_CHARACTERS',
]);
const MOST_BYTES = 16 * 1024 * 1024;

export function createSender({ ca, timeout, signal, isOwn = false, mark }: SenderParts) {
  const agents = new Map<string, Agent>();
  const contexts = new Map<string, SecureContext>();
  /** One for all connections with the certificate: reading all authorities takes longer than a call. */
  const contextOf = (identity: Identity | null): SecureContext => {
    const name = identity?.name ?? '';
    const own = identity === null ? {} : { cert: identity.pem, key: identity.keyPem };
    const context = contexts.get(name) ?? createSecureContext({ ca: [...ca], ...own });
    contexts.set(name, context);
    return context;
  };
  /** What may not be repeated gets a connection of its own: nobody closes that just as it is used again. */
  const agentOf = ({ identity, repeatable }: Outgoing): Agent => {
    const name = `${repeatable} ${identity?.name ?? ''}`;
    const known = agents.get(name);
    if (known !== undefined) return known;
    const secureContext = contextOf(identity);
    const agent = new Agent({ keepAlive: repeatable, maxSockets: 1, secureContext });
    agents.set(name, agent);
    return agent;
  };
  const once = async (outgoing: Outgoing): Promise<Answer> => {
    const { method, url } = outgoing;
    const agent = url.protocol === 'http:' ? {} : { agent: agentOf(outgoing) };
    const request = openRequest(url, {
      method,
      headers: wireHeaders(outgoing, mark),
      signal,
      isOwn,
      ...agent,
    });
    // A signal of its own: as a part of another one it may be forgotten before its time has come.
    const late = AbortSignal.timeout(timeout);
    try {
      return await exchangeOver(addAbortSignal(late, request), outgoing.body);
    } catch (error) {
      throw late.aborted ? late.reason : error;
    }
  };
  return {
    /** @throws SandgateError where nothing listens there, or what listens is not believed */
    send: async (outgoing: Outgoing): Promise<Received> => {
      let repeated = false;
      /** The other side may close a connection just as it is used again. */
      const again = (error: NodeJS.ErrnoException): Promise<Answer> => {
        if (error.code !== 'ECONNRESET' || !outgoing.repeatable) throw error;
        repeated = true;
        return once(outgoing);
      };
      try {
        return { answer: await once(outgoing).catch(again), repeated };
      } catch (error) {
        if (signal.aborted) throw new SandgateError('run.interrupted', { what: 'not all calls were sent' });
        const fault = unreachable(error, outgoing.url);
        if (fault !== null) throw fault;
        const sent = !UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '');
        return { problem: problemOf(error, timeout), sent, repeated };
      }
    },
    close: (): void => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** A flat list, so that order and letter case stay as recorded. */
function wireHeaders({ headers, url, body, method }: Outgoing, mark: SenderParts['mark']): string[] {
  const size = body === null && WITHOUT_BODY.has(method) ? [] : ['Content-Length', String(body?.length ?? 0)];
  // Beside another of its name the mark would be no mark, but a header that is recorded.
  const others = headers.filter(([name]) => name.toLowerCase() !== mark?.[0].toLowerCase());
  return ['Host', url.host, ...others.flat(), ...(mark ?? []), ...size];
}

function exchangeOver(request: ClientRequest, body: Uint8Array | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      readAnswer(response).then(resolve, reject);
    });
    request.end(body ?? undefined);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const headers = pairHeaders(response.rawHeaders);
  const bytes = await readStream(response, MOST_BYTES);
  const coding = indexHeaders(headers)['content-encoding'];
  const body = bytes === null ? cutOff(MOST_BYTES) : await bodyOf(bytes, coding);
  return openAnswer({ source: 'upstream', status: response.statusCode ?? 0, headers, body });
}

/** `size`: of what was read of it. */
const cutOff = (size: number): Body => ({ text: '', size, truncated: true });

/** Nothing was asked for; some send it all the same. */
async function bodyOf(bytes: Buffer, coding: string | undefined): Promise<Body | null> {
  if (bytes.length === 0) return null;
  const decoded = await decodeBody(bytes, codingsOf(coding), MOST_BYTES);
  return decoded.kind === 'plain' ? bodyOfBytes(decoded.bytes, bytes.length) : cutOff(bytes.length);
}

function problemOf(error: unknown, timeout: number): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return `no answer within ${timeout / 1000} s`;
  if (code === 'ECONNRESET') return 'the connection was cut';
  return message;
}

/** Failures that end a rerun: nobody answers at the target, or the wrong host does. */
const ENDS = {
  'rerun.nobody-listens': ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  'rerun.unknown-host': ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'],
  'rerun.unknown-ca': [
    ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ...[
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'CERT_SIGNATURE_FAILURE',
      'CERT_UNTRUSTED',
    ],
  ],
  'rerun.invalid-certificate': ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
} as const;

/** null for failures of one call. */
function unreachable(cause: unknown, url: URL): SandgateError | null {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const ids = Object.keys(ENDS) as (keyof typeof ENDS)[];
  const id = ids.find((one) => (ENDS[one] as readonly string[]).includes(code));
  if (id === undefined) return null;
  const host = id === 'rerun.unknown-host' ? url.hostname : url.host;
  return new SandgateError(id, { host, code, why: message.replace(/\.$/, '') }, { cause });
}
