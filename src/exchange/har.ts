/** Reads and writes HAR 1.2: our own without loss, those of browsers and proxies as far as they go. */
import { createRecogniser, type Recognise } from '../spec/index.js';
import { inOrderOfEnds } from './arrival-ids.js';
import { directionOf } from './exchange.js';
import { brokenFile, checkShape } from './file-fault.js';
import { type Certificates, foreignExchange, type OpenedEntry, ownExchange } from './har-entry.js';
import { type HarAddress, type HarEntry, type HarFile, harAddress, harEntry, harFile } from './har-schema.js';
import { targetOf } from './har-write.js';
import { parseJsonText } from './json-text.js';
import { splitTarget } from './link.js';
import type { FileRecord } from './record-schema.js';
import type { FileRecording, ReadRecordingOptions, SkipReason } from './recording-file.js';
import { checkHost, isHost } from './wanted-host.js';

export { buildHar } from './har-write.js';

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
  const bases = new Set<string>();
  for (const raw of log.entries) {
    const { data } = isOwn(raw) ? {} : harAddress.safeParse(raw);
    const base = data === undefined ? null : baseOf(data.request, recognise, segment);
    if (base !== null) bases.add(base);
  }
  if (options.host !== undefined) checkHost(name, hostsOf(log.entries), options.host);
  for (const [index, raw] of log.entries.entries()) {
    const place = ['log', 'entries', index];
    const { request } = checkShape(harAddress, raw, place, name);
    const reason = isOwn(raw)
      ? reasonToSkip(request, options.host)
      : (reasonToSkip(request, options.host) ?? reasonForOthers(request, recognise, segment, bases));
    if (reason !== undefined) {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
      continue;
    }
    const one = openEntry(checkShape(harEntry, raw, place, name), recognise, { segment, place, name });
    // The origin of a notification is the TPP's.
    if (URL.canParse(request.url) && directionOf(one.entry._sandgate?.listener ?? 'api') === 'to-bank')
      origins.add(new URL(request.url).origin);
    opened.push(one);
  }
  const records = closeEntries(opened, own?.certificates ?? {});
  const { session, listeners, notes = [] } = own ?? {};
  const recordedBy = own === undefined ? programOf(log.creator) : own.recordedBy;
  return { format: 'har', session, segment, records, skipped, origins, listeners, notes, recordedBy };
}

const LONGEST_NAME = 100;

/** `mitmproxy 12.1.1` */
function programOf(creator: HarFile['log']['creator']): string {
  const name = `${creator?.name ?? ''} ${creator?.version ?? ''}`.trim();
  return name === '' ? 'unknown' : name.slice(0, LONGEST_NAME);
}

function isOwn(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && Object.hasOwn(raw, '_sandgate');
}

type Address = HarAddress['request'];

function reasonToSkip({ url }: Address, host: string | undefined): SkipReason | undefined {
  if (!/^https?:\/\//i.test(url)) return 'not HTTP';
  return host !== undefined && !isHost(hostOf(url), host) ? 'another host' : undefined;
}

function reasonForOthers(
  request: Address,
  recognise: Recognise,
  segment: string,
  bases: ReadonlySet<string>,
): SkipReason | undefined {
  const { target, base } = belowBase(request.url, segment);
  if (recognise(request.method, splitTarget(target).path).kind === 'path-unknown') {
    // An unknown path of this interface is a finding; any other one is other traffic.
    const isOurs =
      target.startsWith(`/${segment}/v1/`) && (base === originOf(request.url) || bases.has(base));
    if (!isOurs) return 'another path';
  }
  // The interface has no such method: a browser asks before a call from a page of another origin.
  return request.method === 'OPTIONS' ? 'CORS preflight' : undefined;
}

/** Where a call of the interface went: its origin, and the path in front of those of the interface. */
function baseOf({ method, url }: Address, recognise: Recognise, segment: string): string | null {
  const { target, base } = belowBase(url, segment);
  return recognise(method, splitTarget(target).path).kind === 'operation' ? base : null;
}

/** A bank may have the interface below a path of its own: `https://api.bank.example/sandbox/stdgroup/v1/...`. */
function belowBase(url: string, segment: string): { readonly target: string; readonly base: string } {
  const target = targetOf(url);
  const { path } = splitTarget(target);
  for (const start of [`/internal/${segment}/`, `/${segment}/`]) {
    const at = path.indexOf(start);
    if (at >= 0) return { target: target.slice(at), base: originOf(url) + path.slice(0, at) };
  }
  return { target, base: originOf(url) };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

function hostsOf(entries: readonly unknown[]): Set<string> {
  const hosts = entries.map((raw) => hostOf(harAddress.safeParse(raw).data?.request.url ?? ''));
  return new Set(hosts.filter((host) => host !== ''));
}

/** With its port where it is not the usual one; empty where there is none. */
function hostOf(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).host : '';
}

function openEntry(
  entry: HarEntry,
  recognise: Recognise,
  { segment, place, name }: { segment: string; place: readonly PropertyKey[]; name: string },
): OpenedEntry {
  const at = entry._sandgate?.at ?? Date.parse(entry.startedDateTime);
  if (Number.isNaN(at)) throw brokenFile(name, [...place, 'startedDateTime'], 'a date and time is expected');
  const note = entry._sandgate;
  const { url } = entry.request;
  const below = belowBase(url, segment);
  const target = note === undefined ? below.target : (note.target ?? targetOf(url));
  const { base } = below;
  return { entry, at, target, base, recognition: recognise(entry.request.method, splitTarget(target).path) };
}

function closeEntries(opened: readonly OpenedEntry[], certificates: Certificates): FileRecord[] {
  const records = opened.map((one) => {
    const { _sandgate: note } = one.entry;
    const exchange = note === undefined ? foreignExchange(one, '') : ownExchange(one, note, certificates);
    return {
      exchange,
      ...(note?.verdicts === undefined ? {} : { verdicts: note.verdicts }),
      ...(note?.findings === undefined ? {} : { findings: note.findings }),
    };
  });
  // Our own files stand in the order of recording; proxies list calls as they ended, or as they please.
  const areOwn = opened.every(({ entry }) => entry._sandgate !== undefined);
  return areOwn ? records : inOrderOfEnds(records);
}
