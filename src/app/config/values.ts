/** The kinds of values that settings have: as people type them, and as the program uses them. */
import { isIP } from 'node:net';
import * as z from 'zod';
import { MOST_PSUS } from '../../bank/index.js';
import { openAddressRanges } from '../../outgoing/index.js';
import { BANK_ZONE, SandgateError } from '../../spec/index.js';
import { isSessionName, SESSION_NAME_FORM } from '../../store/index.js';
import { EVENT_TYPES, type EventType } from '../../telemetry/index.js';
import { readClockTime, readDuration, readSignedDuration, readSize, readSpeed } from './times.js';

export interface Address {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** What is asked for while the gateway runs. @throws SandgateError with all that is wrong with it */
export function readWanted<T>(schema: z.ZodType<T>, wanted: unknown): T {
  const parsed = schema.safeParse(wanted);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new SandgateError('config.invalid', { problems: problems.join('; ') });
}

/** Parses what is `given` with `read`; undefined is answered with `problem`. */
function readAs<G, T>(given: z.ZodType<G>, read: (value: G) => T | undefined, problem: string) {
  return given.transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });
}

function typed<T>(read: (text: string) => T | undefined, problem: string) {
  const given = z.union([z.string(), z.number()], { error: problem });
  return readAs(given, (value) => read(String(value).trim()), problem);
}

/** Separated by commas on the command line, an array in a file. */
const oneOrMore = (problem: string) => z.union([z.string(), z.array(z.string())], { error: problem });

function readAddress(text: string): Address | undefined {
  const parts = /^(?:(\[[0-9a-fA-F:.]+\]|[^:\s/]*):)?(\d{1,5})$/.exec(text);
  if (parts === null) return undefined;
  const host = (parts[1] ?? '').replace(/^\[|\]$/g, '') || '127.0.0.1';
  const port = Number(parts[2]);
  if (port > 65_535 || (parts[1]?.startsWith('[') === true && isIP(host) !== 6)) return undefined;
  return { host, port };
}

/** Zero is never meant. */
const positive =
  (read: (text: string) => number | undefined) =>
  (text: string): number | undefined =>
    read(text) || undefined;

function readHttpOrigin(text: string): string | undefined {
  const url = readBaseUrl(text);
  return url?.pathname === '/' ? url.origin : undefined;
}

function readTimeZone(text: string): string | undefined {
  if (text === BANK_ZONE) return text;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export const STANCES = ['enforce', 'observe'] as const;
export const SCA_LINKS = ['by-profile', 'discovery', 'direct'] as const;

export const SOURCES = ['emulator', 'upstream', 'replay'] as const;
export type SourceName = (typeof SOURCES)[number];

const SOURCES_EXPECTED = `one of ${SOURCES.join(', ')} is expected, or several in a chain: replay,emulator`;

/** The chain of sources, each at most once: `replay,emulator`. */
function readSources(text: string): string | undefined {
  const names = text.split(',').map((name) => name.trim());
  const known = names.every((name) => (SOURCES as readonly string[]).includes(name));
  return known && new Set(names).size === names.length ? names.join(',') : undefined;
}

export function sourcesOf({ source }: { readonly source: string }): readonly SourceName[] {
  return source.split(',') as SourceName[];
}

/** Sources of all calls, and of single operations. */
export function allSourcesOf(config: {
  readonly source: string;
  readonly sources?: Readonly<Record<string, string>> | undefined;
}): ReadonlySet<SourceName> {
  const chains = [config.source, ...Object.values(config.sources ?? {})];
  return new Set(chains.flatMap((source) => sourcesOf({ source })));
}

function readBaseUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isBare = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isBare && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}

/** `recorded`, `none`, or a factor on the recorded times: `×2`, `x0.5`. */
function readLatency(text: string): number | undefined {
  if (text === 'none') return 0;
  if (text === 'recorded') return 1;
  const factor = /^[×x](\d{1,4}(?:\.\d{1,3})?)$/.exec(text)?.[1];
  return factor === undefined ? undefined : Number(factor);
}

export interface OwnRulesFile {
  readonly name: string;
  readonly digest?: string;
}

export interface AddressRanges {
  readonly entries: readonly string[];
  readonly isOne: (address: string) => boolean;
}
const RANGES_EXPECTED = 'addresses or ranges are expected, as in 10.0.0.5,10.1.0.0/16';

const YES: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);
const NO: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);
const YES_EXPECTED = 'true or false is expected (also 1 or 0, yes or no, on or off)';

function readYes(given: string | boolean): boolean | undefined {
  const text = String(given).trim().toLowerCase();
  return YES.has(text) || NO.has(text) ? YES.has(text) : undefined;
}

function readRanges(given: string | string[]): AddressRanges | undefined {
  const entries = itemsOf(given);
  const isOne = entries.length === 0 ? undefined : openAddressRanges(entries);
  return isOne === undefined ? undefined : { entries, isOne };
}

const EVENTS_EXPECTED = `events are expected, of ${EVENT_TYPES.join(', ')}`;

function readEvents(given: string | string[]): EventType[] | undefined {
  const events = itemsOf(given).map((name) => EVENT_TYPES.find((type) => type === name));
  return events.length > 0 && events.every((type) => type !== undefined) ? events : undefined;
}

function itemsOf(given: string | string[]): string[] {
  return (typeof given === 'string' ? given.split(',') : given).map((item) => item.trim()).filter(Boolean);
}

export const values = {
  address: typed(readAddress, 'an address is expected, as in 127.0.0.1:8443 (port 0 to 65535)'),
  /** In ms. */
  duration: typed(
    positive(readDuration),
    'a duration with its unit is expected, as in 500ms, 10s, 5m, 2h or 1d',
  ),
  clockTime: typed(
    readClockTime,
    'a time is expected, as in 2026-01-31T09:00Z, 2026-01-31, +90d or -12h, or real (that of the machine)',
  ),
  /** In ms, backwards too. */
  advance: typed(readSignedDuration, 'a duration with its unit is expected, as in 90d, 12h or -1d'),
  speed: typed(
    readSpeed,
    'a speed is expected, as in 1d/1s (a day in each second), 1h/1m or 2, of 0.001 to 31536000',
  ),
  /** In bytes. */
  size: typed(positive(readSize), 'a size is expected, as in 65536 (bytes), 16KiB, 1MiB or 1GiB'),
  count: typed(
    (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
    'a whole number of 1 or more is expected',
  ),
  seed: typed(
    (text) => (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : undefined),
    'a whole number from 0 to 4294967295 is expected',
  ),
  psus: typed(
    (text) => (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= MOST_PSUS ? Number(text) : undefined),
    `a whole number from 1 to ${MOST_PSUS} is expected`,
  ),
  origin: typed(readHttpOrigin, 'an origin is expected, as in https://bank.example:8443'),
  baseUrl: typed(
    readBaseUrl,
    'a URL is expected, as in https://api.bank.example/sandbox, without user, query or fragment',
  ),
  timeZone: typed(readTimeZone, 'a time zone is expected, as in Europe/Brussels or UTC'),
  sources: readAs(oneOrMore(SOURCES_EXPECTED), (given) => readSources(String(given)), SOURCES_EXPECTED),
  latency: typed(readLatency, 'recorded, none or a factor such as ×2 is expected'),
  text: z.string({ error: 'a text is expected' }).trim().min(1, { error: 'a text is expected' }),
  sessionName: typed((text) => (isSessionName(text) ? text : undefined), `${SESSION_NAME_FORM}, is expected`),
  segment: z
    .string({ error: 'a path segment is expected' })
    .regex(/^[A-Za-z0-9._~-]{1,64}$/, { error: 'a path segment of letters, digits, dot, dash is expected' }),
  yes: readAs(z.union([z.boolean(), z.string()], { error: YES_EXPECTED }), readYes, YES_EXPECTED),
  list: oneOrMore('a list is expected, separated by commas').transform(itemsOf),
  webhookEvents: readAs(oneOrMore(EVENTS_EXPECTED), readEvents, EVENTS_EXPECTED),
  /** With the digest once they are loaded, and in notes of sessions. */
  ownRules: oneOrMore('a list of files or packages is expected').transform((given): OwnRulesFile[] =>
    itemsOf(given).map((name) => ({ name })),
  ),
  ranges: readAs(oneOrMore(RANGES_EXPECTED), readRanges, RANGES_EXPECTED),
  oneOf: <const T extends readonly [string, ...string[]]>(choices: T) =>
    z.enum(choices, { error: `one of ${choices.join(', ')} is expected` }),
} as const;

/** `id=severity` pairs, separated by commas, or an object. */
export const severities = z
  .union([z.string(), z.array(z.string()), z.record(z.string(), z.string())], {
    error: 'rules are expected as ID=SEVERITY',
  })
  .transform((given, context) => {
    const pairs = pairsOf(given);
    const wrong = pairs.find(([id, severity]) => id === '' || !isSeverity(severity));
    if (wrong === undefined) return Object.fromEntries(pairs) as Record<string, Severity>;
    context.addIssue({
      code: 'custom',
      message: `ID=SEVERITY is expected with must, should, note or off, not ${wrong.filter(Boolean).join('=')}`,
    });
    return z.NEVER;
  });

type Severity = 'must' | 'should' | 'note' | 'off';
const isSeverity = (text: string): text is Severity => /^(?:must|should|note|off)$/.test(text);

function pairsOf(given: string | string[] | Record<string, string>): [string, string][] {
  if (typeof given === 'object' && !Array.isArray(given)) return Object.entries(given);
  return itemsOf(given).map((pair) => {
    const equals = pair.indexOf('=');
    return equals < 0 ? [pair, ''] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
  });
}

/** Whether an address binds to this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
