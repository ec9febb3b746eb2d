/** Reads one HAR entry as an exchange: without loss if it is ours, else as far as it goes. */
import type { CertificateFacts } from '../../certificate/index.js';
import { operationRow, type Recognition } from '../../spec/index.js';
import type { Elapsed, Exchange, ListenerName } from '../exchange.js';
import { indexHeaders } from '../headers.js';
import { isObject } from '../members.js';
import type { Answer, AnswerSource } from '../message.js';
import { closeCall, openAnswer, openCall } from '../open.js';
import { createTextMemory, type TextMemory } from '../recent-cache.js';
import { calledAt, certificateNamed, type ShareTls } from '../recording/called-at.js';
import type { HeaderList } from '../wire.js';
import { answerBodyOf, requestBodyOf } from './har-body.js';
import type { HarEntry, HarNote } from './har-schema.js';

export interface OpenedEntry {
  readonly entry: HarEntry;
  readonly at: number;
  readonly ahead: number;
  readonly recognition: Recognition;
  readonly target: string;
  readonly base: string;
  readonly originOf: (url: string) => string;
}

export interface SharedFacts {
  readonly certificates: Readonly<Record<string, CertificateFacts>>;
  readonly shareTls: ShareTls;
}

export function ownExchange(
  { entry, at, ahead, target, recognition }: OpenedEntry,
  note: HarNote,
  id: string,
  { certificates, shareTls }: SharedFacts,
): Exchange {
  const { session, listener, nearest } = note;
  const headers = pairsOf(entry.request.headers);
  const body = requestBodyOf(entry, indexHeaders(headers));
  const call = openCall(
    {
      id,
      session,
      at,
      ahead,
      listener,
      method: entry.request.method,
      target,
      headers,
      body,
      connection: {
        address: note.address,
        tls: shareTls(note.certificate, note.tls),
        ...bankOf(note.bank),
        ...(note.sender === undefined ? {} : { sender: note.sender }),
      },
      certificate: certificateNamed(note.certificate, certificates) ?? 'not-observed',
      seal: note.seal === undefined ? undefined : certificateNamed(note.seal, certificates),
    },
    // An operation missing on one listener may be one of the other.
    nearest === undefined ? recognition : { kind: 'path-unknown', nearest: nearest ?? '' },
  );
  const whole = call.with({
    ...(nearest === null ? { nearest: undefined } : {}),
    tpp: note.tpp === undefined ? call.tpp : note.tpp,
  });
  return closeCall(
    whole,
    note.answer && answerOf(entry, note.answer.source),
    note.elapsed,
    note.fault,
    note.crossed,
    note.injected,
  );
}

/** An exchange out of a browser or a proxy: no certificate, no TLS facts, the bank as the one who answered. */
export function foreignExchange(
  { entry, at, target, recognition, base, originOf }: OpenedEntry,
  id: string,
): Exchange {
  const headers = requestHeaders(entry);
  const header = indexHeaders(headers);
  const connection = { address: 'unknown', tls: 'not-observed' } as const;
  const called = calledAt({ connection, header });
  const call = openCall(
    {
      id,
      session: 'import',
      at,
      target,
      headers,
      method: entry.request.method,
      listener: listenerOf(recognition),
      // A proxy in reverse mode is called by another name than the bank has.
      connection: {
        ...connection,
        ...bankOf(called !== undefined && base === originOf(called) ? undefined : base),
      },
      certificate: 'not-observed',
      body: requestBodyOf(entry, header),
    },
    recognition,
  );
  // Status 0 is how browsers write a call that was not answered.
  const answer = entry.response.status === 0 ? null : answerOf(entry, 'upstream');
  return closeCall(call, answer, elapsedOf(entry.time, entry.timings?.wait));
}

/** `time` and `wait` as a HAR has them: -1, or nothing, where they are not known. */
export function elapsedOf(time: number | null | undefined, wait: number | null | undefined): Elapsed {
  const total = Math.max(0, time ?? 0);
  // A program that leaves nothing for the body did not look at the first byte.
  if (wait == null || wait < 0 || wait >= total) return { total, answerer: total };
  return { total, answerer: wait, firstByte: wait };
}

function bankOf(bank: string | undefined): { readonly bank?: string } {
  return bank === undefined || bank === '' ? {} : { bank };
}

function listenerOf(recognition: Recognition): ListenerName {
  return recognition.kind === 'operation' ? operationRow(recognition.operation).listener : 'api';
}

function answerOf(entry: HarEntry, source: AnswerSource): Answer {
  const headers = withoutPseudo(pairsOf(entry.response.headers));
  return openAnswer({
    source,
    status: entry.response.status,
    headers,
    body: answerBodyOf(entry, indexHeaders(headers)),
  });
}

/** HTTP/2 has no Host header, but `:authority`; some files have neither, and the URL tells. */
function requestHeaders(entry: HarEntry): HeaderList {
  const all = pairsOf(entry.request.headers);
  const headers = withoutPseudo(all);
  if (headers.some(([name]) => name.toLowerCase() === 'host')) return headers;
  const authority = all.find(([name]) => name === ':authority')?.[1] ?? hostOf(entry.request.url);
  return authority === '' ? headers : [['host', authority], ...headers];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function withoutPseudo(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !name.startsWith(':'));
}

function pairsOf(list: readonly { readonly name: string; readonly value: string }[]): HeaderList {
  return list.map(({ name, value }) => [name, value]);
}

/** Without the quote in front, which is frequent: a search jumps from one first character to the next. */
const OURS = '_sandgate":{';
const MEMBER = '"verdicts":{';

/**
 * As JSON.parse. Two thirds of an entry of ours are its verdicts, a word for each rule, and those of like calls are the
 * same: equal ones are parsed once, and the entries share them.
 */
export function createEntryParser(): (text: string) => unknown {
  const parseVerdicts = createTextMemory((text): unknown => JSON.parse(text));
  return (text) => {
    const ours = text.indexOf(OURS);
    const name = ours < 0 ? -1 : text.indexOf(MEMBER, ours);
    // Behind a backslash it is a part of a text.
    if (name < 0 || text[name - 1] === '\\') return JSON.parse(text);
    const from = name + MEMBER.length - 1;
    const to = text.indexOf('}', from) + 1;
    const verdicts = parsedOrNull(parseVerdicts, text.slice(from, to));
    if (verdicts === null) return JSON.parse(text);
    const entry = JSON.parse(`${text.slice(0, from)}0${text.slice(to)}`);
    const note = isObject(entry) ? entry._sandgate : undefined;
    if (!isObject(note) || note.verdicts !== 0) return JSON.parse(text);
    Object.assign(note, { verdicts });
    return entry;
  };
}

/** null: it does not end at its first brace. */
function parsedOrNull(parse: TextMemory<unknown>, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
