/** Reads and writes HAR 1.2: our own without loss, those of browsers and proxies as far as they go. */
import { createCheck, type Dialect, dialectOf } from '../../spec/index.js';
import { directionOf, timeOfFile } from '../exchange.js';
import { splitTarget } from '../link.js';
import { memberOf } from '../members.js';
import { createTextMemory } from '../recent-cache.js';
import { inOrderOfEnds, type OrderedEntry, type TimedEntry } from '../recording/arrival-ids.js';
import { createSharedTls } from '../recording/called-at.js';
import { withSteps } from '../recording/file-steps.js';
import type { JsonElements, JsonFile } from '../recording/json-elements.js';
import type { FileRecord } from '../recording/record-schema.js';
import {
  brokenFile,
  checkHost,
  checkShape,
  dialectToReadBy,
  isHost,
  type ReadRecordingOptions,
  type RecordingFile,
  type SkipReason,
} from '../recording/recording-file.js';
import { bankOriginsIn, gatewayNotes } from '../recording/session-note.js';
import {
  createEntryParser,
  elapsedOf,
  foreignExchange,
  type OpenedEntry,
  ownExchange,
  type SharedFacts,
} from './har-entry.js';
import { type HarAddress, type HarEntry, type HarFile, harAddress, harEntry, harFile } from './har-schema.js';
import { targetOf } from './har-write.js';

export { harText } from './har-write.js';

interface Taken extends TimedEntry {
  /** undefined in files of others. */
  readonly id: string | undefined;
  readonly origin: string | null;
  readonly crossed: number;
}

/**
 * Looks at all entries of a HAR file, and opens them when they are asked for. A file that is broken is one SandgateError
 * that names the place.
 */
export function openHar(
  file: JsonFile,
  options: ReadRecordingOptions & { readonly name: string },
): RecordingFile {
  const { name, host } = options;
  const { log } = checkShape(harFile, file.frame, [], name);
  const own = log._sandgate;
  const recordedUnder = own === undefined ? undefined : dialectOf(own.bankProfile, own.segment);
  const dialect = dialectToReadBy(recordedUnder, options);
  const entries = file.elements('log.entries', createEntryParser());
  const addresses = createAddresses();
  const { taken, skipped, hosts } = survey(entries, { name, host, dialect, addresses });
  if (host !== undefined) checkHost(name, hosts, host);
  const origins = new Set<string>(own?.origins);
  for (const { settings } of gatewayNotes(own?.notes ?? []))
    for (const origin of bankOriginsIn(settings)) origins.add(origin);
  for (const { origin } of taken) if (origin !== null) origins.add(origin);
  // Our own files stand in the order of recording; proxies list calls as they ended, or as they please.
  const areOwn = taken.every(({ id }) => id !== undefined);
  const ordered = areOwn ? (taken as (Taken & OrderedEntry)[]) : inOrderOfEnds(taken);
  const shared = { certificates: own?.certificates ?? {}, shareTls: createSharedTls() };
  const { session, listeners } = own ?? {};
  const open = ({ index, id, at }: OrderedEntry): FileRecord => {
    const entry = entries.at(index) as HarEntry;
    return openRecord(openEntry(entry, at, { dialect, addresses }), id, shared);
  };
  return {
    format: 'har',
    session,
    dialect,
    recordedUnder,
    ...withSteps(ordered, own?.notes ?? [], open),
    skipped,
    origins,
    listeners,
    recordedBy: own === undefined ? programOf(log.creator) : own.recordedBy,
  };
}

const isEntry = createCheck(harEntry);

interface SurveyParts extends Required<Omit<ReadRecordingOptions, 'prevails'>> {
  readonly addresses: Addresses;
}

/** Which entries are of interest, in their order. A broken one of these is an error, before any of them is opened. */
function survey(entries: JsonElements, { name, host, dialect, addresses }: SurveyParts) {
  const { hostOf, originOf } = addresses;
  const taken: Taken[] = [];
  const skipped: Partial<Record<SkipReason, number>> = {};
  const hosts = new Set<string>();
  const bases = new Set<string>();
  /** An unknown path, and where it would have to be for one of this interface. */
  const doubtful: { readonly index: number; readonly method: string; readonly base: string }[] = [];
  const skip = (reason: SkipReason): void => {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const take = (index: number, raw: unknown): void => {
    const entry = isEntry(raw) ? (raw as HarEntry) : checkShape(harEntry, raw, placeOf(index), name);
    taken.push(takenOf(entry, index, name, addresses));
  };
  for (let index = 0; index < entries.length; index++) {
    const raw = entries.at(index);
    const { url, method } = addressOf(raw, index, name);
    hosts.add(hostOf(url));
    const others = isOwn(raw) ? null : belowBase(url, dialect, addresses);
    const kind =
      others === null ? 'operation' : dialect.recognise(method, splitTarget(others.target).path).kind;
    if (others !== null && kind === 'operation') bases.add(others.base);
    if (!/^https?:\/\//i.test(url)) skip('not HTTP');
    else if (host !== undefined && !isHost(hostOf(url), host)) skip('another host');
    else if (others !== null && kind === 'path-unknown') {
      // An unknown path of this interface is a finding; any other one is other traffic.
      if (isOfInterface(others.target, dialect, raw)) doubtful.push({ index, method, base: others.base });
      else skip('another path');
    } else if (others !== null && method === 'OPTIONS') skip('CORS preflight');
    else take(index, raw);
  }
  for (const { index, method, base } of doubtful) {
    const raw = entries.at(index);
    if (!bases.has(base) && base !== originOf((raw as HarAddress).request.url)) skip('another path');
    // The interface has no such method: a browser asks before a call from a page of another origin.
    else if (method === 'OPTIONS') skip('CORS preflight');
    else take(index, raw);
  }
  hosts.delete('');
  return { taken: taken.sort((a, b) => a.index - b.index), skipped, hosts };
}

/** Without the version a bank may have pages there; clients of the interface are no browsers. */
const isOfInterface = (target: string, { segment, profile, startOf }: Dialect, entry: unknown): boolean =>
  (profile === undefined && target.startsWith(`/${segment}/v1/`)) ||
  (startOf(target) === 0 && !isOfBrowser(entry));

function isOfBrowser(entry: unknown): boolean {
  const headers = memberOf(memberOf(entry, 'request'), 'headers');
  return (
    Array.isArray(headers) && headers.some((one) => isBrowsers(memberOf(one, 'name'), memberOf(one, 'value')))
  );
}

/** Only browsers send these, with what they fetch for a page. */
function isBrowsers(name: unknown, value: unknown): boolean {
  const key = String(name).toLowerCase();
  return (
    key === 'sec-fetch-dest' || key === 'referer' || (key === 'accept' && String(value).includes('text/html'))
  );
}

function addressOf(raw: unknown, index: number, name: string): HarAddress['request'] {
  const request = memberOf(raw, 'request');
  const [url, method] = [memberOf(request, 'url'), memberOf(request, 'method')];
  if (typeof url === 'string' && typeof method === 'string') return { url, method };
  return checkShape(harAddress, raw, placeOf(index), name).request;
}

const placeOf = (index: number): readonly PropertyKey[] => ['log', 'entries', index];

function takenOf(entry: HarEntry, index: number, name: string, { originOf }: Addresses): Taken {
  const { _sandgate: note, request, time, timings } = entry;
  const at = timeOf(entry);
  if (Number.isNaN(at))
    throw brokenFile(name, [...placeOf(index), 'startedDateTime'], 'a date and time is expected');
  const { total, answerer } = note?.elapsed ?? elapsedOf(time, timings?.wait);
  // The origin of a notification is the TPP's.
  const isToBank = directionOf(note?.listener ?? 'api') === 'to-bank';
  const origin = isToBank ? originOf(request.url) || null : null;
  return { index, at, total, answerer, id: note?.id, origin, crossed: note?.crossed ?? 0 };
}

const timeOf = ({ _sandgate, startedDateTime }: HarEntry): number =>
  Math.floor(_sandgate?.at ?? Date.parse(startedDateTime));

const LONGEST_NAME = 100;

/** `mitmproxy 12.1.1` */
function programOf(creator: HarFile['log']['creator']): string {
  const name = `${creator?.name ?? ''} ${creator?.version ?? ''}`.trim();
  return name === '' ? 'unknown' : name.slice(0, LONGEST_NAME);
}

function isOwn(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && Object.hasOwn(raw, '_sandgate');
}

/** A bank may have the interface below a path of its own: `https://api.bank.example/sandbox/stdgroup/v1/...`. */
function belowBase(
  url: string,
  { startOf }: Dialect,
  { originOf }: Addresses,
): { readonly target: string; readonly base: string } {
  const target = targetOf(url);
  const { path } = splitTarget(target);
  const at = startOf(path);
  if (at < 0) return { target, base: originOf(url) };
  return { target: target.slice(at), base: originOf(url) + path.slice(0, at) };
}

function createAddresses() {
  const read = createTextMemory((url) => {
    if (!URL.canParse(url)) return { origin: '', host: '' };
    const { origin, host } = new URL(url);
    return { origin, host };
  });
  const addressOf = (url: string) => read(/^https?:\/\/[^/?#\\]*/i.exec(url)?.[0] ?? url);
  return {
    originOf: (url: string): string => addressOf(url).origin,
    hostOf: (url: string): string => (/^https?:/i.test(url) ? addressOf(url).host : ''),
  };
}
type Addresses = ReturnType<typeof createAddresses>;

function openEntry(
  entry: HarEntry,
  at: number,
  { dialect, addresses }: Pick<SurveyParts, 'dialect' | 'addresses'>,
): OpenedEntry {
  const { _sandgate: note, request } = entry;
  const { target, base } =
    note === undefined
      ? belowBase(request.url, dialect, addresses)
      : { target: note.target ?? targetOf(request.url), base: '' };
  const recognition = dialect.recognise(request.method, splitTarget(target).path);
  const time = timeOfFile(at, note?.ahead ?? 0);
  const { originOf } = addresses;
  return { entry, ...time, target, base, recognition, originOf };
}

function openRecord(opened: OpenedEntry, id: string, shared: SharedFacts): FileRecord {
  const { _sandgate: note } = opened.entry;
  const exchange = note === undefined ? foreignExchange(opened, id) : ownExchange(opened, note, id, shared);
  return {
    exchange,
    ...(note?.verdicts === undefined ? {} : { verdicts: note.verdicts }),
    ...(note?.findings === undefined ? {} : { findings: note.findings }),
  };
}
