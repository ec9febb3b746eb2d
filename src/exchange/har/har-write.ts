/** Writes exchanges as HAR 1.2; what HAR cannot hold stands under `_sandgate`. */

import type { CertificateFacts, CertificateObservation } from '../../certificate/index.js';
import type { Dialect } from '../../spec/index.js';
import { arrivedAt, type Elapsed, EXCHANGE_FORMAT, type Exchange } from '../exchange.js';
import { tppOf } from '../open.js';
import { calledAt } from '../recording/called-at.js';
import { createNotePlaces } from '../recording/file-steps.js';
import type { FileRecord } from '../recording/record-schema.js';
import type { ListenerOrigins } from '../recording/recording-file.js';
import type { SessionNote } from '../recording/session-note.js';
import type { Stage } from '../stage.js';
import type { Body, HeaderIndex, HeaderList } from '../wire.js';
import type { HarBodyNote, HarNote } from './har-schema.js';

export interface HarMeta {
  readonly version: string;
  readonly session: string;
  readonly dialect: Dialect;
  readonly origins?: readonly string[];
  /** The program of others that recorded it; absent where a gateway of ours did. */
  readonly recordedBy?: string;
  readonly listeners?: ListenerOrigins;
  readonly notes?: readonly SessionNote[];
}

export function harText(meta: HarMeta): Stage<FileRecord, string> {
  const certificates = new Map<string, CertificateFacts>();
  const places = createNotePlaces();
  const creator = JSON.stringify({ name: 'Sandgate', version: meta.version });
  const opening = `{"log":{"version":"1.2","creator":${creator},"pages":[],"entries":[`;
  let before = `${opening}\n`;
  return {
    take: (record) => {
      const { certificate, seal } = record.exchange.call;
      for (const one of [certificate, seal])
        if (typeof one === 'object') certificates.set(one.fingerprint256, one);
      places.take(record);
      const entry = before + JSON.stringify(buildEntry(record));
      before = ',\n';
      return [entry];
    },
    close: () => [
      `${before === ',\n' ? '' : opening}${endOf({ ...meta, notes: places.of(meta.notes ?? []) }, certificates)}`,
    ],
  };
}

function endOf(meta: HarMeta, certificates: ReadonlyMap<string, CertificateFacts>): string {
  const { listeners, notes = [], recordedBy } = meta;
  const own = {
    format: EXCHANGE_FORMAT,
    session: meta.session,
    segment: meta.dialect.segment,
    ...(meta.dialect.profile === undefined ? {} : { bankProfile: meta.dialect.profile }),
    ...(recordedBy === undefined ? {} : { recordedBy }),
    origins: meta.origins ?? [listeners?.api ?? [], listeners?.psu ?? [], listeners?.bank ?? []].flat(),
    ...(listeners === undefined ? {} : { listeners }),
    ...(notes.length === 0 ? {} : { notes }),
    certificates: Object.fromEntries(certificates),
  };
  return `\n],"_sandgate":${JSON.stringify(own)}}}\n`;
}

function buildEntry({ exchange, verdicts, findings }: FileRecord) {
  const { call, answer, elapsed } = exchange;
  const { request } = call;
  const arrived = arrivedAt(call);
  const startedDateTime = new Date(arrived).toISOString();
  const url = urlOf(exchange);
  const note: HarNote = {
    ...noteOf(exchange),
    ...(Date.parse(startedDateTime) === arrived ? {} : { at: arrived }),
    ...(call.ahead === 0 ? {} : { ahead: call.ahead }),
    ...(targetOf(url) === request.target ? {} : { target: request.target }),
    ...(verdicts === undefined ? {} : { verdicts }),
    ...(findings === undefined ? {} : { findings: [...findings] }),
  };
  return {
    startedDateTime,
    time: elapsed.total,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: nameValues(request.headers),
      queryString: nameValues(request.query),
      ...(request.body === null ? {} : { postData: postDataOf(request.body, call.header) }),
      headersSize: -1,
      bodySize: request.body?.size ?? 0,
    },
    response: {
      status: answer?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: nameValues(answer?.headers ?? []),
      content: contentOf(answer?.body ?? null, answer?.header ?? {}),
      redirectURL: answer?.header.location ?? '',
      headersSize: -1,
      bodySize: answer?.body?.size ?? 0,
    },
    cache: {},
    timings: timingsOf(elapsed),
    _sandgate: note,
  };
}

function timingsOf({ total, answerer, firstByte = answerer }: Elapsed) {
  return { send: 0, wait: firstByte, receive: Math.max(0, total - firstByte) };
}

function noteOf({ call, answer, fault, elapsed, crossed, injected }: Exchange): HarNote {
  return {
    id: call.id,
    session: call.session,
    listener: call.listener,
    address: call.connection.address,
    tls: call.connection.tls,
    ...(call.connection.bank === undefined ? {} : { bank: call.connection.bank }),
    ...(call.connection.sender === undefined ? {} : { sender: call.connection.sender }),
    certificate: nameOf(call.certificate),
    ...(call.seal === undefined ? {} : { seal: nameOf(call.seal) }),
    ...(call.tpp === tppOf(call.certificate) ? {} : { tpp: call.tpp }),
    ...(call.operation === null && call.allow === undefined ? { nearest: call.nearest ?? null } : {}),
    ...(call.request.body === null ? {} : { requestBody: bodyNote(call.request.body) }),
    answer:
      answer === null
        ? null
        : { source: answer.source, ...(answer.body === null ? {} : { body: bodyNote(answer.body) }) },
    fault,
    elapsed,
    ...(crossed === undefined ? {} : { crossed }),
    ...(injected === undefined ? {} : { injected }),
  };
}

function nameOf(certificate: CertificateObservation): string {
  return typeof certificate === 'string' ? certificate : certificate.fingerprint256;
}

/** The whole URL, as HAR wants it; the host is that of the bank, else the one that the client named. */
function urlOf({ call }: Exchange): string {
  const { target } = call.request;
  if (/^https?:\/\//i.test(target)) return target;
  const scheme = call.connection.tls === null ? 'http' : 'https';
  return (calledAt(call) ?? `${scheme}://localhost`) + target;
}

/** Path and query of a URL, just as they are written; a fragment is not part of a request. */
export function targetOf(url: string): string {
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  return target.startsWith('/') ? target : `/${target}`;
}

function nameValues(pairs: HeaderList): { name: string; value: string }[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function postDataOf(body: Body, header: HeaderIndex) {
  return {
    mimeType: header['content-type'] ?? '',
    text: body.text,
    ...(body.base64 === true ? { encoding: 'base64' } : {}),
  };
}

function contentOf(body: Body | null, header: HeaderIndex) {
  const mimeType = header['content-type'] ?? '';
  if (body === null) return { size: 0, mimeType };
  if (body.base64 === true) {
    return { size: Buffer.byteLength(body.text, 'base64'), mimeType, text: body.text, encoding: 'base64' };
  }
  return { size: Buffer.byteLength(body.text), mimeType, text: body.text };
}

function bodyNote({ text: _, ...note }: Body): HarBodyNote {
  return note;
}
