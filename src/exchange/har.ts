/** HAR 1.2, both directions: our own exports without loss, and those of browsers and proxies as far as they go. */
import { createRecogniser, type Recognise, type Recognition } from '../spec/index.js';
import { brokenFile, checkShape } from './file-fault.js';
import { type Certificates, foreignExchange, type OpenedEntry, ownExchange } from './har-entry.js';
import { type HarEntry, harAddress, harEntry, harFile } from './har-schema.js';
import { targetOf } from './har-write.js';
import { createIdSource } from './ids.js';
import { parseJsonText } from './json-text.js';
import { splitTarget } from './open.js';
import type { FileRecord } from './record-schema.js';
import type { FileRecording, ReadRecordingOptions, SkipReason } from './recording-file.js';

export { buildHar, type HarMeta } from './har-write.js';

const DEFAULT_SEGMENT = 'stdgroup';

/** The exchanges of a HAR file. A file that is broken is one SandgateError that names the place. */
export function readHar(
  source: string | Iterable<string>,
  options: ReadRecordingOptions = {},
): FileRecording {
  const name = options.name ?? 'The HAR file';
  return readHarValue(parseJsonText(source, name), options);
}

/** As `readHar`, of a value that is parsed already. */
export function readHarValue(value: unknown, options: ReadRecordingOptions = {}): FileRecording {
  const name = options.name ?? 'The HAR file';
  const { log } = checkShape(harFile, value, [], name);
  const own = log._sandgate;
  const segment = own?.segment ?? options.segment ?? DEFAULT_SEGMENT;
  const recognise = createRecogniser(segment);
  const skipped: Partial<Record<SkipReason, number>> = {};
  const origins = new Set<string>(own?.origins);
  const opened: OpenedEntry[] = [];
  for (const [index, raw] of log.entries.entries()) {
    const place = ['log', 'entries', index];
    const { request } = checkShape(harAddress, raw, place, name);
    const recognition = recognise(request.method, splitTarget(targetOf(request.url)).path);
    const reason = reasonToSkip(request.url, recognition, options.host, segment, isOwn(raw));
    if (reason !== undefined) {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
      continue;
    }
    const one = openEntry(checkShape(harEntry, raw, place, name), recognise, place, name);
    // A callback goes the other way round: its origin is the TPP's.
    if (URL.canParse(request.url) && one.entry._sandgate?.listener !== 'callback')
      origins.add(new URL(request.url).origin);
    opened.push(one);
  }
  const records = closeEntries(opened, own?.certificates ?? {});
  const { session, listeners, notes = [] } = own ?? {};
  return { format: 'har', session, segment, records, skipped, origins, listeners, notes };
}

function isOwn(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && Object.hasOwn(raw, '_sandgate');
}

function reasonToSkip(
  url: string,
  recognition: Recognition,
  host: string | undefined,
  segment: string,
  own: boolean,
): SkipReason | undefined {
  if (!/^https?:\/\//i.test(url)) return 'not HTTP';
  if (host !== undefined && !isHost(url, host)) return 'another host';
  // An unknown path of this interface is a finding; any other one is other traffic.
  if (own || recognition.kind !== 'path-unknown') return undefined;
  return targetOf(url).startsWith(`/${segment}/v1/`) ? undefined : 'another path';
}

function isHost(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false;
  const called = new URL(url);
  const wanted = host.toLowerCase();
  return called.host === wanted || called.hostname === wanted;
}

function openEntry(
  entry: HarEntry,
  recognise: Recognise,
  place: readonly PropertyKey[],
  name: string,
): OpenedEntry {
  const at = entry._sandgate?.at ?? Date.parse(entry.startedDateTime);
  if (Number.isNaN(at)) throw brokenFile(name, [...place, 'startedDateTime'], 'a date and time is expected');
  const target = entry._sandgate?.target ?? targetOf(entry.request.url);
  return { entry, at, target, recognition: recognise(entry.request.method, splitTarget(target).path) };
}

function closeEntries(opened: readonly OpenedEntry[], certificates: Certificates): FileRecord[] {
  // Our own files stand in the order of recording; proxies list calls as they ended, or as they please.
  const inOrder = opened.every(({ entry }) => entry._sandgate !== undefined)
    ? opened
    : [...opened].sort((a, b) => a.at - b.at);
  let at = 0;
  const newId = createIdSource({ clock: () => at });
  return inOrder.map((one) => {
    at = Math.max(at, one.at);
    const { _sandgate: note } = one.entry;
    const exchange =
      note === undefined ? foreignExchange(one, newId()) : ownExchange(one, note, certificates);
    return {
      exchange,
      ...(note?.verdicts === undefined ? {} : { verdicts: note.verdicts }),
      ...(note?.findings === undefined ? {} : { findings: note.findings }),
    };
  });
}
