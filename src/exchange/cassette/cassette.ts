/** The cassette, a readable file for git that holds a recording: reads and writes it. */
import { createCheck, dialectOf, isSameDialect, SandgateError } from '../../spec/index.js';
import { arrivedAt, type CallTime } from '../exchange.js';
import { createTextMemory } from '../recent-cache.js';
import { type OrderedEntry, type TimedEntry, withArrivalIds } from '../recording/arrival-ids.js';
import { certificateNamed, createSharedTls, originAt } from '../recording/called-at.js';
import { withSteps } from '../recording/file-steps.js';
import { bytesOf, type JsonFile, openJsonFile } from '../recording/json-elements.js';
import type { FileRecord } from '../recording/record-schema.js';
import {
  brokenFile,
  checkHost,
  checkShape,
  dialectToReadBy,
  type FileRecording,
  inMemory,
  isHost,
  type ListenerOrigins,
  type ReadRecordingOptions,
  type RecordedCall,
  type RecordingFile,
} from '../recording/recording-file.js';
import type { FileNote } from '../recording/session-note.js';
import {
  type CassetteParts,
  hostOf,
  openExchange,
  originOf,
  spreadVerdicts,
  timeOf,
} from './cassette-entry.js';
import {
  CASSETTE_VERSION,
  type CassetteExchange,
  type CassetteFile,
  type CassetteStep,
  cassetteExchange,
  cassetteFile,
  cassetteHead,
} from './cassette-schema.js';

export { CASSETTE_FORMAT, CASSETTE_VERSION } from './cassette-schema.js';
export { buildCassette, type CassetteMeta, cassetteText } from './cassette-write.js';

export function readCassette(
  source: string | Iterable<string>,
  { name = 'The cassette', ...options }: ReadRecordingOptions = {},
): FileRecording {
  return inMemory(openCassette(openJsonFile(bytesOf(source), name), { ...options, name }));
}

const isExchange = createCheck(cassetteExchange);

export function openCassette(
  file: JsonFile,
  options: ReadRecordingOptions & { readonly name: string },
): RecordingFile {
  const { name, host } = options;
  checkVersion(file.frame, name);
  const head = checkShape(cassetteFile, file.frame, [], name);
  const { start, dialect, recordedUnder, parts } = partsOf(head, options);
  const elements = file.elements('exchanges');
  const taken: (TimedEntry & Required<Pick<RecordedCall, 'crossed'>>)[] = [];
  const steps: FileNote[] = [];
  const origins = new Set(Object.values(head.origins ?? {}).flat());
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
    for (const member of ['certificate', 'seal'] as const) {
      const named = written[member];
      if (named !== undefined && certificateNamed(named, head.certificates) === undefined)
        throw brokenFile(name, [...place, member], `there is no certificate named ${named}`);
    }
    const origin = originOf(written, parts);
    if (origin !== undefined) origins.add(origin);
    const { took: total, bankTook: answerer, crossed = 0 } = written;
    taken.push({ index, at, total, answerer, crossed });
  }
  hosts.delete('');
  if (host !== undefined) checkHost(name, hosts, host);
  const ordered = withArrivalIds(taken);
  const open = ({ index, id }: OrderedEntry): FileRecord => {
    const written = elements.at(index) as CassetteExchange;
    return {
      exchange: notTooDeep(() => openExchange(written, id, parts), ['exchanges', index], name),
      findings: written.findings ?? [],
      ...(written.verdicts === undefined ? {} : { verdicts: spreadVerdicts(written.verdicts) }),
    };
  };
  const left = elements.length - taken.length;
  return {
    format: 'cassette',
    session: head.session,
    dialect,
    recordedUnder,
    ...withSteps(ordered, steps, open),
    origins,
    skipped: left === 0 ? {} : { 'another host': left },
    listeners: listenersOf(head.origins),
    recordedBy: head.recordedBy,
  };
}

function partsOf(head: CassetteFile, options: ReadRecordingOptions & { readonly name: string }) {
  const at = head.recorded === undefined ? 0 : Date.parse(head.recorded);
  if (Number.isNaN(at)) throw brokenFile(options.name, ['recorded'], 'a date and time is expected');
  const start: CallTime = { at, ahead: head.ahead ?? 0 };
  const recordedUnder = dialectOf(head.bankProfile, head.segment);
  const dialect = dialectToReadBy(recordedUnder, options);
  const { recognise } = dialect;
  const shared = { shareTls: createSharedTls(), originAt: createTextMemory(originAt) };
  const parts: CassetteParts = {
    ...head,
    ...shared,
    start,
    recognise,
    asWritten: isSameDialect(dialect, recordedUnder),
  };
  return { start, dialect, recordedUnder, parts };
}

function noteOf(step: CassetteStep, at: number, behind: number, number: number): FileNote {
  return { at, kind: 'bank', settings: { ...step, step: number }, behind };
}

function listenersOf(origins: CassetteParts['origins']): ListenerOrigins | undefined {
  if (origins === undefined) return undefined;
  const { api = [], psu = [], bank } = origins;
  return { api: [api].flat(), psu: [psu].flat(), ...(bank === undefined ? {} : { bank }) };
}

/** An older version would be lifted here; version 1 is the first. */
function checkVersion(frame: unknown, name: string): void {
  const { version } = checkShape(cassetteHead, frame, [], name);
  if (version > CASSETTE_VERSION) {
    throw new SandgateError('recording.newer-cassette', { file: name, version, most: CASSETTE_VERSION });
  }
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

/** The beginning of an exchange, as cassettes and formatters write it: no other object begins a line so. */
const BEGIN = /^(?: {4}|\t\t)\{/gm;
const LINE_BREAK = 10;

/** The line that each of so many exchanges begins in, from 1; none where the file is written in another way. */
export function cassetteLines(text: string, count: number): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const { index } of text.matchAll(BEGIN)) {
    for (; at < index; at++) if (text.charCodeAt(at) === LINE_BREAK) line++;
    lines.push(line);
  }
  return lines.length === count ? lines : [];
}
