/** One exchange as a cassette has it: read with what all of the file share. */
import type { CertificateFacts } from '../../certificate/index.js';
import { operationRow, type Recognise, type Recognition } from '../../spec/index.js';
import {
  arrivedAt,
  type CallTime,
  type Connection,
  directionOf,
  type Exchange,
  timeOfFile,
} from '../exchange.js';
import { indexHeaders } from '../headers.js';
import { splitTarget } from '../link.js';
import { closeCall, openAnswer, openCall } from '../open.js';
import type { TextMemory } from '../recent-cache.js';
import { calledAt, certificateNamed, type ShareTls } from '../recording/called-at.js';
import type { FileVerdicts } from '../recording/record-schema.js';
import type { HeaderList } from '../wire.js';
import { readBody, readHeaders } from './cassette-body.js';
import type { CassetteExchange, CassetteFile } from './cassette-schema.js';
import { usualListener } from './cassette-write.js';

export interface CassetteParts {
  readonly session: string;
  readonly start: CallTime;
  readonly certificates: Readonly<Record<string, CertificateFacts>>;
  readonly origins?: CassetteFile['origins'];
  readonly recognise: Recognise;
  /** Whether it is read by the interface that it was recorded under. */
  readonly asWritten: boolean;
  readonly shareTls: ShareTls;
  readonly originAt: TextMemory<string | undefined>;
}

export function timeOf({ at, moved = 0 }: CassetteExchange, start: CallTime): CallTime {
  return timeOfFile(arrivedAt(start) + at, start.ahead + moved);
}

function sentOf(written: CassetteExchange, parts: CassetteParts) {
  const { origins, shareTls } = parts;
  const recognition = recogniseWritten(written, parts);
  const operation = recognition.kind === 'operation' ? recognition.operation : null;
  const listener = written.listener ?? usualListener(operation);
  const own = origins?.[listener === 'psu' ? 'psu' : 'api'];
  const headers = withHost(readHeaders(written.request.headers), own);
  return { recognition, listener, headers, connection: connectionOf(written, shareTls) };
}

/** undefined of a notification, which goes to the TPP. */
export function originOf(written: CassetteExchange, parts: CassetteParts): string | undefined {
  const { listener, headers, connection } = sentOf(written, parts);
  if (directionOf(listener) !== 'to-bank') return undefined;
  const address = calledAt({ connection, header: indexHeaders(headers) });
  return address === undefined ? undefined : parts.originAt(address);
}

export function openExchange(written: CassetteExchange, id: string, parts: CassetteParts): Exchange {
  const { request, answer, took: total, bankTook: answerer, firstByte } = written;
  const { recognition, listener, headers, connection } = sentOf(written, parts);
  const call = openCall(
    {
      id,
      session: parts.session,
      listener,
      connection,
      headers,
      ...timeOf(written, parts.start),
      certificate: certificateNamed(written.certificate, parts.certificates) ?? 'not-observed',
      seal: written.seal === undefined ? undefined : certificateNamed(written.seal, parts.certificates),
      method: request.method,
      target: request.target,
      body: readBody(request),
    },
    recognition,
  );
  const opened =
    answer &&
    openAnswer({
      source: answer.source,
      status: answer.status,
      headers: readHeaders(answer.headers),
      body: readBody(answer),
    });
  const elapsed = firstByte === undefined ? { total, answerer } : { total, answerer, firstByte };
  const named = written.tpp === undefined ? call : call.with({ tpp: written.tpp });
  const whole = written.page === true ? named.with({ nearest: undefined }) : named;
  return closeCall(whole, opened, elapsed, written.fault ?? null, written.crossed, written.injected);
}

function recogniseWritten(
  { operation, request, page }: CassetteExchange,
  { recognise, asWritten }: Pick<CassetteParts, 'recognise' | 'asWritten'>,
): Recognition {
  if (page === true) return { kind: 'path-unknown', nearest: '' };
  const found = recognise(request.method, splitTarget(request.target).path);
  if (!asWritten || operation !== null || found.kind !== 'operation') return found;
  return { kind: 'path-unknown', nearest: operationRow(found.operation).path };
}

function connectionOf(written: CassetteExchange, shareTls: ShareTls): Connection {
  const { certificate, tls, address = '127.0.0.1', bank, sender } = written;
  const ends = { ...(bank === undefined ? {} : { bank }), ...(sender === undefined ? {} : { sender }) };
  if (tls === null || tls === 'not-observed') return { address, tls, ...ends };
  const [version = '', cipher = ''] = tls.split(' ', 2);
  return { address, tls: shareTls(certificate, { version, cipher, resumed: false }), ...ends };
}

/** The Host of the listener is not written, because its port is of one run. */
function withHost(headers: HeaderList, origin: string | undefined): HeaderList {
  if (origin === undefined || headers.some(([name]) => name.toLowerCase() === 'host')) return headers;
  return [['host', origin.replace(/^https?:\/\//, '')], ...headers];
}

export function hostOf(
  { request, bank }: CassetteExchange,
  origins: CassetteParts['origins'],
): string | undefined {
  if (bank !== undefined && URL.canParse(bank)) return new URL(bank).host;
  const headers = withHost(readHeaders(request.headers), origins?.api);
  return headers.find(([name]) => name.toLowerCase() === 'host')?.[1].toLowerCase();
}

export function spreadVerdicts(groups: NonNullable<CassetteExchange['verdicts']>): FileVerdicts {
  const verdicts: Record<string, FileVerdicts[string]> = {};
  for (const [verdict, rules] of Object.entries(groups)) {
    for (const rule of rules.split(' ')) {
      if (rule !== '') verdicts[rule] = verdict as FileVerdicts[string];
    }
  }
  return verdicts;
}
