/** Notes beside the exchanges of a session, by kind, in stores and in files. */
import * as z from 'zod';
import { counted, inPlainWords, notedProfile, plural } from '../../spec/index.js';
import { memberOf } from '../members.js';

const text = z.string();
const texts = z.array(text).readonly();
const iso = z.iso.datetime();
const origins = z.union([text, texts]);

/** Absent: no certificate is set for this TPP. */
const shownCertificate = z
  .strictObject({ subject: text, issuer: text, serialNumber: text, fingerprint: text, notAfter: iso })
  .nullable();

/** The settings that are read again; a note holds all of them. */
const gateway = z
  .object({
    profile: z.enum(['sandbox', 'production']),
    stance: text,
    source: text,
    segment: text,
    bankProfile: notedProfile,
    /** In place of a bank profile that this version cannot read: its name. */
    laterProfile: text,
    dailyWindow: text,
    dailyTimeZone: text,
    blockedOrganisations: texts,
    notificationAllow: texts,
    rules: z.record(text, text),
    /** Files of own rules, with their SHA-256 (hex). A recording never leads to one that is run. */
    ownRules: z.array(z.object({ name: text, digest: text })).readonly(),
    waivers: z.array(z.unknown()).readonly(),
    /** Rows of the faults in force. */
    faults: z.array(z.unknown()).readonly(),
    retention: z.object({ keepDays: z.number().optional(), keepSize: z.number() }),
    /** Digest of the rules that were judged by. */
    catalogue: text,
    upstream: text,
    /** By operation. */
    upstreams: z.record(text, text),
    upstreamPsu: text,
    lendCertificate: text,
    /** By TPP, or under `default`. */
    upstreamShown: z.record(text, shownCertificate),
    /** The program of others that recorded it. */
    recordedBy: text,
    /** `bank`: where it stood behind a gateway whose recording was imported. */
    urls: z.object({ api: origins, psu: origins, bank: origins, admin: text }).partial(),
    importedAt: iso,
    /** One that is not the machine's; `since` is by that of the machine. */
    clock: z.object({ now: iso, mode: text, speed: text, since: iso }),
    /** Absent: the common one. */
    world: text,
    /** A name, or the shares; absent: calm. */
    bankHabits: z.unknown(),
  })
  .partial();

const SETTINGS = {
  started: gateway,
  /** Only what has another value now. */
  changed: gateway,
  imported: gateway,
  stopped: z.object({ followedBy: text }).partial(),
  clock: z.object({ from: iso, to: iso, mode: text, speed: text }),
  bank: z
    .object({ action: text, /** Of the world, counted. */ step: z.int().exactOptional() })
    .catchall(z.union([text, z.number(), z.boolean(), z.null()])),
  /** An answer of the emulator that differs from the bank's. It holds no value, so nothing needs redaction. */
  shadow: z.object({
    exchange: text,
    operation: text,
    /** Statuses and types only; empty for fields. */
    differences: z.array(z.object({ class: text, what: text, place: text, bank: text, emulator: text })),
  }),
  mark: z.object({ text }),
  /** Calls that were answered and could not be recorded, as far as this gateway counted them; by the machine's clock. */
  unrecorded: z.object({ calls: z.int().min(1), from: iso, to: iso }),
  /** An event that a webhook is told of once, also after a restart. */
  told: z.object({ event: text, about: text, /** Its first one. */ exchange: text.exactOptional() }),
} as const;

export type NoteKind = keyof typeof SETTINGS;
export const NOTE_KINDS = Object.keys(SETTINGS) as NoteKind[];

export type NoteSettings<K extends NoteKind> = Readonly<z.infer<(typeof SETTINGS)[K]>>;
type NoteOf<K extends NoteKind> = {
  /** Epoch ms. */
  readonly at: number;
  readonly kind: K;
  readonly settings: NoteSettings<K>;
};
export type SessionNote = { [K in NoteKind]: NoteOf<K> }[NoteKind];

export type GatewayNote = NoteOf<'started' | 'changed' | 'imported'>;

export const gatewayNotes = (notes: readonly SessionNote[]): GatewayNote[] =>
  notes.filter((note): note is GatewayNote => SETTINGS[note.kind] === gateway);

/** Under what a bank is reached by those settings: the listeners of the gateway, and the bank behind it. */
export function bankOriginsIn(settings: GatewayNote['settings']): string[] {
  const { urls } = settings;
  return [...new Set([urls?.api ?? [], urls?.psu ?? [], originsBehind(settings)].flat())].sort();
}

export function originsBehind({
  urls,
  upstream,
  upstreams = {},
  upstreamPsu,
}: GatewayNote['settings']): string[] {
  const hrefs = [upstream ?? [], upstreamPsu ?? [], Object.values(upstreams)]
    .flat()
    .filter((href) => URL.canParse(href));
  return [urls?.bank ?? [], hrefs.map((href) => new URL(href).origin)].flat();
}

export type Unrecorded = NoteSettings<'unrecorded'>;

/** All such notes together; null where there are none. */
export function unrecordedIn(notes: readonly SessionNote[]): Unrecorded | null {
  const all = notes.flatMap((note) => (note.kind === 'unrecorded' ? [note.settings] : []));
  const [from] = all.map((one) => one.from).sort();
  const to = all
    .map((one) => one.to)
    .sort()
    .at(-1);
  if (from === undefined || to === undefined) return null;
  return { calls: all.reduce((sum, { calls }) => sum + calls, 0), from, to };
}

export const unrecordedText = ({ calls, from, to }: Unrecorded): string =>
  `${counted(calls, 'call')} between ${from} and ${to} could not be recorded: ${plural(calls, 'it was answered, but is', 'they were answered, but are')} not in this session.`;

export const STEP_ACTIONS = ['snapshot', 'restore', 'drop', 'reset'] as const;
export type StepAction = (typeof STEP_ACTIONS)[number];

/** A note behind which a gateway knew something else than before. */
export type StepNote = NoteOf<'bank'> | NoteOf<'started'>;

/** A replay knows nothing when it starts, whatever its session holds. */
export function isStep(note: SessionNote): note is StepNote {
  if (note.kind === 'started') return note.settings.source?.split(',').includes('replay') === true;
  return note.kind === 'bank' && (STEP_ACTIONS as readonly string[]).includes(note.settings.action);
}

/** Equal for notes of the same step: each session whose calls meet the world has one, or each gateway one in it. */
export function stepKey({ at, kind, settings }: StepNote): string {
  if (kind === 'started') return `${at} started`;
  const { step = null, action, name = null } = settings as Record<string, unknown>;
  return JSON.stringify([at, step, action, name]);
}

/** The newest note decides on each setting. */
export const lastSettings = (notes: readonly SessionNote[]): GatewayNote['settings'] =>
  Object.assign({}, ...gatewayNotes(notes).map(({ settings }) => settings));

/** Members that are not what they should be are left out; none comes of it where its kind cannot do without them. */
export function readNote(
  at: number,
  kind: unknown,
  settings: Readonly<Record<string, unknown>>,
): SessionNote[] {
  const schema = Object.hasOwn(SETTINGS, String(kind)) ? SETTINGS[kind as NoteKind] : undefined;
  const wrong = schema?.safeParse(settings).error?.issues;
  if (schema === undefined) return [];
  // Notes are kept as written, with unknown members: another order would change the bytes of reports and files.
  if (wrong === undefined) return [{ at, kind, settings } as SessionNote];
  const amiss = new Set(wrong.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(settings).filter(([key]) => !amiss.has(key)));
  if (amiss.has('bankProfile')) rest.laterProfile = nameIn(settings.bankProfile);
  return schema.safeParse(rest).success ? [{ at, kind, settings: rest } as SessionNote] : [];
}

const LONGEST_NAME = 64;

function nameIn(profile: unknown): string {
  const name = memberOf(profile, 'name');
  return typeof name === 'string' ? name.slice(0, LONGEST_NAME) : 'without a name';
}

/** In a file; that a session came out of one is no part of what was recorded. */
export const fileNote = z
  .object({
    at: z.number(),
    kind: z.enum(NOTE_KINDS).exclude(['imported']),
    settings: z.record(text, z.unknown()),
    behind: z.int().min(0).exactOptional(),
  })
  .superRefine(({ kind, settings }, { addIssue }) => {
    const wrong = SETTINGS[kind].safeParse(settings, { error: inPlainWords }).error?.issues ?? [];
    for (const { path, message } of wrong) addIssue({ code: 'custom', path: ['settings', ...path], message });
  })
  .transform((note) => ({ ...note, at: Math.floor(note.at) }) as FileNote);

export type FileNote = SessionNote & {
  /** The number of exchanges recorded before this step. */
  readonly behind?: number;
};
