/** The cassette, a readable file for git that holds a recording: reads and writes it. */
import type { CertificateFacts, CertificateObservation } from '../../certificate/index.js';
import {
  createCheck,
  createRecogniser,
  operationRow,
  type Recognise,
  type Recognition,
  SandgateError,
} from '../../spec/index.js';
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
import { type OrderedEntry, type TimedEntry, withArrivalIds } from '../recording/arrival-ids.js';
import { calledAt, originAt } from '../recording/called-at.js';
import { bytesOf } from '../recording/file-bytes.js';
import { brokenFile, checkShape } from '../recording/file-fault.js';
import { placeNotes, precededBy, stepsByPlace } from '../recording/file-steps.js';
import { type JsonFile, openJsonFile } from '../recording/json-elements.js';
import type { FileRecord, FileVerdicts } from '../recording/record-schema.js';
import {
  type FileRecording,
  inMemory,
  type ListenerOrigins,
  mapped,
  type ReadRecordingOptions,
  type RecordedCall,
  type RecordingFile,
} from '../recording/recording-file.js';
import type { FileNote } from '../recording/session-note.js';
import { createSharedTls, type ShareTls } from '../recording/shared-tls.js';
import { checkHost, isHost } from '../recording/wanted-host.js';
import { createTextMemory, type TextMemory } from '../text-memory.js';
import type { HeaderList } from '../wire.js';
import { readBody, readHeaders } from './cassette-body.js';
import {
  CASSETTE_VERSION,
  type CassetteExchange,
  type CassetteStep,
  cassetteExchange,
  cassetteFile,
  cassetteHead,
} from './cassette-schema.js';
import { usualListener } from './cassette-write.js';

export { CASSETTE_FORMAT, CASSETTE_VERSION } from './cassette-schema.js';
export { buildCassette, type CassetteMeta, cassetteText } from './cassette-write.js';

/** The exchanges of a cassette. A file that is broken is one SandgateError that names the place. */
export function readCassette(
  source: string | Iterable<string>,
  { name = 'The cassette', ...options }: ReadRecordingOptions = {},
): FileRecording {
  return inMemory(openCassette(openJsonFile(bytesOf(source), name), { ...options, name }));
}

const isExchange = createCheck(cassetteExchange);

/** Looks at all exchanges of a cassette, and opens them when they are asked for. */
export function openCassette(
  file: JsonFile,
  { name, host }: ReadRecordingOptions & { readonly name: string },
): RecordingFile {
  checkVersion(file.frame, name);
  const head = checkShape(cassetteFile, file.frame, [], name);
  const at = head.recorded === undefined ? 0 : Date.parse(head.recorded);
  if (Number.isNaN(at)) throw brokenFile(name, ['recorded'], 'a date and time is expected');
  const start: CallTime = { at, ahead: head.ahead ?? 0 };
  const recognise = createRecogniser(head.segment);
  const shared = { shareTls: createSharedTls(), originAt: createTextMemory(originAt) };
  const parts: Parts = { ...head, ...shared, start, recognise };
  const elements = file.elements('exchanges');
  const taken: (TimedEntry & Required<Pick<RecordedCall, 'crossed'>>)[] = [];
  const steps: FileNote[] = [];
  const origins = new Set(Object.values(head.origins ?? {}));
  const hosts = new Set<string>();
  for (let index = 0; index < elements.length; index++) {
    const place = ['exchanges', index];
    const raw = elements.at(index);
    const written = isExchange(raw)
      ? (raw as CassetteExchange)
      : checkShape(cassetteExchange, raw, place, name);
    const time = timeOf(written, start);
    const at = arrivedAt(time);
    for (const step of written.steps ?? []) steps.push(noteOf(step, at, index, steps.length + 1));
    if (host !== undefined) {
      const called = hostOf(written, head.origins) ?? '';
      hosts.add(called);
      if (!isHost(called, host)) continue;
    }
    if ([at, time.at].some((one) => Number.isNaN(new Date(one).getTime())))
      throw brokenFile(name, [...place, 'at'], 'a time in ms from the start is expected');
    if (certificateOf(written.certificate, head.certificates) === undefined)
      throw brokenFile(
        name,
        [...place, 'certificate'],
        `there is no certificate named ${written.certificate}`,
      );
    const origin = originOf(written, parts);
    if (origin !== undefined) origins.add(origin);
    const { took: total, bankTook: answerer, crossed = 0 } = written;
    taken.push({ index, at, total, answerer, crossed });
  }
  hosts.delete('');
  if (host !== undefined) checkHost(name, hosts, host);
  const ordered = withArrivalIds(taken);
  const notes = placeNotes(steps, ordered);
  const byPlace = stepsByPlace(notes);
  const calls = ordered.map((call, place) => precededBy(call, byPlace.get(place)?.length));
  const open = ({ index, id }: OrderedEntry, place: number): FileRecord => {
    const written = elements.at(index) as CassetteExchange;
    const record = {
      exchange: notTooDeep(() => openExchange(written, id, parts), ['exchanges', index], name),
      findings: written.findings ?? [],
      ...(written.verdicts === undefined ? {} : { verdicts: spreadVerdicts(written.verdicts) }),
    };
    return precededBy(record, byPlace.get(place));
  };
  const left = elements.length - taken.length;
  return {
    format: 'cassette',
    session: head.session,
    segment: head.segment,
    calls,
    origins,
    notes,
    records: () => mapped(calls, open),
    skipped: left === 0 ? {} : { 'another host': left },
    listeners: listenersOf(head.origins),
    recordedBy: head.recordedBy,
  };
}

function noteOf(step: CassetteStep, at: number, behind: number, number: number): FileNote {
  return { at, kind: 'bank', settings: { ...step, step: number }, behind };
}

function listenersOf(origins: Parts['origins']): ListenerOrigins | undefined {
  if (origins === undefined) return undefined;
  const { api, psu } = origins;
  return { api: api === undefined ? [] : [api], psu: psu === undefined ? [] : [psu] };
}

/** An older version would be lifted here; version 1 is the first. */
function checkVersion(frame: unknown, name: string): void {
  const { version } = checkShape(cassetteHead, frame, [], name);
  if (version > CASSETTE_VERSION) {
    throw new SandgateError('recording.newer-cassette', { file: name, version, most: CASSETTE_VERSION });
  }
}

interface Parts {
  readonly session: string;
  /** When the recording began. */
  readonly start: CallTime;
  readonly certificates: Readonly<Record<string, CertificateFacts>>;
  readonly origins?: { readonly api?: string; readonly psu?: string };
  readonly recognise: Recognise;
  readonly shareTls: ShareTls;
  /** Few addresses are called. */
  readonly originAt: TextMemory<string | undefined>;
}

function timeOf({ at, moved = 0 }: CassetteExchange, start: CallTime): CallTime {
  return timeOfFile(arrivedAt(start) + at, start.ahead + moved);
}

/** What tells where a call went and which one it is. */
function sentOf(written: CassetteExchange, { recognise, origins, shareTls }: Parts) {
  const recognition = recogniseWritten(written, recognise);
  const operation = recognition.kind === 'operation' ? recognition.operation : null;
  const listener = written.listener ?? usualListener(operation);
  const own = origins?.[listener === 'psu' ? 'psu' : 'api'];
  const headers = withHost(readHeaders(written.request.headers), own);
  return { recognition, listener, headers, connection: connectionOf(written, shareTls) };
}

/** undefined of a notification, which goes to the TPP. */
function originOf(written: CassetteExchange, parts: Parts): string | undefined {
  const { listener, headers, connection } = sentOf(written, parts);
  if (directionOf(listener) !== 'to-bank') return undefined;
  const address = calledAt({ connection, header: indexHeaders(headers) });
  return address === undefined ? undefined : parts.originAt(address);
}

function openExchange(written: CassetteExchange, id: string, parts: Parts): Exchange {
  const { request, answer } = written;
  const { recognition, listener, headers, connection } = sentOf(written, parts);
  const call = openCall(
    {
      id,
      session: parts.session,
      listener,
      connection,
      headers,
      ...timeOf(written, parts.start),
      certificate: certificateOf(written.certificate, parts.certificates) ?? 'not-observed',
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
  const elapsed = { total: written.took, answerer: written.bankTook };
  const named = written.tpp === undefined ? call : call.with({ tpp: written.tpp });
  const whole = written.page === true ? named.with({ nearest: undefined }) : named;
  return closeCall(whole, opened, elapsed, written.fault ?? null, written.crossed);
}

/** Bodies of JSON are written as text again, each level on the stack. */
function notTooDeep<T>(open: () => T, place: readonly PropertyKey[], name: string): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof RangeError) throw brokenFile(name, place, 'a body is nested too deep');
    throw error;
  }
}

/** What a listener does not offer may well be an operation of the other one. */
function recogniseWritten({ operation, request, page }: CassetteExchange, recognise: Recognise): Recognition {
  if (page === true) return { kind: 'path-unknown', nearest: '' };
  const found = recognise(request.method, splitTarget(request.target).path);
  if (operation !== null || found.kind !== 'operation') return found;
  return { kind: 'path-unknown', nearest: operationRow(found.operation).path };
}

function connectionOf(written: CassetteExchange, shareTls: ShareTls): Connection {
  const { certificate, tls, address = '127.0.0.1', bank } = written;
  const to = bank === undefined ? {} : { bank };
  if (tls === null || tls === 'not-observed') return { address, tls, ...to };
  const [version = '', cipher = ''] = tls.split(' ', 2);
  return { address, tls: shareTls(certificate, { version, cipher, resumed: false }), ...to };
}

/** undefined where there is none of the name. */
function certificateOf(
  name: string,
  certificates: Parts['certificates'],
): CertificateObservation | undefined {
  if (name === 'absent' || name === 'not-observed') return name;
  return Object.hasOwn(certificates, name) ? certificates[name] : undefined;
}

/** The Host of the listener is not written, because its port is of one run. */
function withHost(headers: HeaderList, origin: string | undefined): HeaderList {
  if (origin === undefined || headers.some(([name]) => name.toLowerCase() === 'host')) return headers;
  return [['host', origin.replace(/^https?:\/\//, '')], ...headers];
}

function hostOf({ request, bank }: CassetteExchange, origins: Parts['origins']): string | undefined {
  if (bank !== undefined && URL.canParse(bank)) return new URL(bank).host;
  const headers = withHost(readHeaders(request.headers), origins?.api);
  return headers.find(([name]) => name.toLowerCase() === 'host')?.[1].toLowerCase();
}

function spreadVerdicts(groups: NonNullable<CassetteExchange['verdicts']>): FileVerdicts {
  const verdicts: Record<string, FileVerdicts[string]> = {};
  for (const [verdict, rules] of Object.entries(groups)) {
    for (const rule of rules.split(' ')) {
      if (rule !== '') verdicts[rule] = verdict as FileVerdicts[string];
    }
  }
  return verdicts;
}
