/** Every setting of the gateway: one schema for flags, SANDGATE_* variables and sandgate.config.json. */
import { z } from 'zod';
import { AFTER_LAST, COMPARISONS, MATCH_PRESETS, operationsOf } from '../answer/index.js';
import { FORWARDED_FORM_NAMES } from '../certificate/index.js';
import { OPERATION_IDS, type OperationId } from '../spec/index.js';
import { severities, values } from './config-values.js';

/** What is said of a setting beside its schema. */
export interface OptionMeta {
  readonly description: string;
  /** What stands for the value in help texts; absent for switches. */
  readonly placeholder?: string;
  /** As a person would type it; absent where there is none. */
  readonly fallback?: string | boolean;
  /** Its value is never printed. */
  readonly secret?: true;
  /** Written in a file only. */
  readonly fileOnly?: true;
  /** Not a flag: what is typed there can be read by everybody on the machine. */
  readonly noFlag?: true;
}

/** A setting with a default, written as a person would type it. */
function withDefault<S extends z.ZodType>(
  schema: S,
  fallback: string,
  placeholder: string,
  description: string,
) {
  const meta: OptionMeta = { description, placeholder, fallback };
  return schema.prefault(fallback as z.input<S> & string).meta({ ...meta });
}

function optional<S extends z.ZodType>(
  schema: S,
  placeholder: string,
  description: string,
  more: Partial<OptionMeta> = {},
) {
  return schema.optional().meta({ description, placeholder, ...more });
}

/** A switch: `--name`, or `--no-name` where it is on by default. */
function toggle(fallback: boolean, description: string) {
  return values.yes.prefault(fallback).meta({ description, fallback });
}

/** Lets a known finding pass until a day; see `Waiver` of the rules. */
const waiver = z.strictObject({
  rule: z.string().min(1),
  match: z
    .strictObject({
      operation: z.string().min(1).optional(),
      tpp: z.string().min(1).optional(),
      path: z.string().min(1).optional(),
    })
    .optional(),
  reason: z.string().min(1),
  until: z.iso.date({ error: 'a date YYYY-MM-DD is expected' }),
});

/** What makes two calls the same in a replay, where an operation differs from the preset. */
const matching = z.partialRecord(
  z.enum(OPERATION_IDS as [OperationId, ...OperationId[]]),
  z.strictObject({
    preset: z.enum(MATCH_PRESETS).optional(),
    afterLast: z.enum(AFTER_LAST).optional(),
    places: z
      .record(
        z.string().regex(/^(?:certificate|(?:path|query|header|form|body) \S+)$/, {
          error: 'a place is expected, such as "query dateFrom" or "body amount"',
        }),
        z.enum(COMPARISONS),
      )
      .optional(),
  }),
);

/** Who answers single operations, or all of a kind. */
const sourcesByOperation = z.record(z.string(), values.sources).superRefine((given, context) => {
  for (const pattern of Object.keys(given)) {
    if (operationsOf(pattern).length > 0) continue;
    const message = `${pattern} is no operation, as accounts.list is, and no kind of them, as accounts.* is`;
    context.addIssue({ code: 'custom', message });
  }
});

/** The gateway's client certificate for one TPP. */
const upstreamCertificate = z.strictObject({
  cert: values.text,
  key: values.text.optional(),
  passphraseFile: values.text.optional(),
});

export const configSchema = z.strictObject({
  listen: withDefault(
    values.address,
    '127.0.0.1:8443',
    'HOST:PORT',
    'Where TPPs call: HTTPS that asks for a client certificate.',
  ),
  psuListen: withDefault(
    values.address,
    '127.0.0.1:8444',
    'HOST:PORT',
    'Where the PSU’s browser goes: authorize and the SCA page.',
  ),
  psuHttp: toggle(false, 'Plain HTTP instead of HTTPS on the PSU listener; on a loopback address only.'),
  adminListen: withDefault(
    values.address,
    '127.0.0.1:8445',
    'HOST:PORT',
    'Where the admin pages are: plain HTTP, on a loopback address unless there is an admin token.',
  ),
  adminToken: optional(
    values.text,
    'TOKEN',
    'Asked as bearer token of every admin call but the health checks; 16 characters or more.',
    {
      secret: true,
    },
  ),
  adminTokenFile: optional(values.text, 'FILE', 'A file that holds the admin token.'),
  apiUrl: optional(
    values.origin,
    'URL',
    'How TPPs reach the API listener, where that is not its own address.',
  ),
  psuUrl: optional(
    values.origin,
    'URL',
    'How browsers reach the PSU listener, where that is not its own address.',
  ),
  source: withDefault(
    values.sources,
    'emulator',
    'SOURCE,…',
    'Who answers: emulator, upstream (a bank), replay (a recording), or a chain in which each hands on what it has no answer to; upstream where a bank is given and nothing is said of it.',
  ),
  sources: sourcesByOperation.optional().meta({
    description:
      'Operations, or all of a kind (funds-confirmations.*), that others answer: a source or a chain each.',
    fileOnly: true,
  }),
  shadow: optional(
    values.oneOf(['emulator']),
    'SOURCE',
    'Puts safe calls that the bank answered to the emulator too, and notes where status, fields or types differ.',
  ),
  stance: withDefault(
    values.oneOf(['enforce', 'observe']),
    'enforce',
    'STANCE',
    'Whether a violated must becomes the answer (enforce) or is only recorded (observe, the default where the emulator is not the first source).',
  ),
  profile: withDefault(
    values.oneOf(['sandbox', 'production']),
    'sandbox',
    'PROFILE',
    'How severe each rule is, and whether the literal ids of the sandbox are acceptable.',
  ),
  upstream: optional(
    values.baseUrl,
    'URL',
    'The bank: base address of its API, with the path below which the interface begins.',
  ),
  upstreamPsu: optional(
    values.baseUrl,
    'URL',
    'Base address of the bank’s pages, where they live elsewhere than its API.',
  ),
  upstreamCert: optional(
    values.text,
    'FILE',
    'The client certificate that the bank is shown: PEM (leaf first, then its chain) or PKCS#12.',
  ),
  upstreamKey: optional(values.text, 'FILE', 'Its key (PEM), where that is not in the same file.'),
  upstreamCa: optional(
    values.list,
    'FILE,…',
    'Who may sign the bank’s server certificate (PEM), in place of the list of Node.',
  ),
  upstreamPassphraseFile: optional(
    values.text,
    'FILE',
    'A file that holds the passphrase of that key or PKCS#12 file.',
  ),
  upstreamPassphrase: optional(values.text, 'TEXT', 'The passphrase itself.', { secret: true, noFlag: true }),
  upstreamCertificates: z.record(z.string(), upstreamCertificate).optional().meta({
    description:
      'Client certificates (cert, key, passphraseFile) by the organizationIdentifier of the TPP that calls; upstreamCert is for all others.',
    fileOnly: true,
  }),
  lendCertificate: withDefault(
    values.oneOf(['trusted', 'anyone']),
    'trusted',
    'WHOM',
    'For whom the bank is asked, in every stance: callers whose certificate is trusted, valid and not revoked, or anyone, which is for one developer on a loopback address.',
  ),
  rewrite: toggle(true, 'The bank’s links are led through the gateway.'),
  psuProxy: toggle(
    false,
    'The bank’s pages appear on the PSU listener, streamed and unrecorded, instead of a redirect to them.',
  ),
  recordCap: withDefault(
    values.size,
    '1MiB',
    'SIZE',
    'With source upstream, bodies up to here are judged and recorded whole; larger ones stream past and are recorded in part, with length and SHA-256.',
  ),
  replay: optional(
    values.text,
    'SESSION|FILE',
    'The recording that the source replay answers from: a session of the store, a cassette or a HAR file.',
  ),
  match: withDefault(
    values.oneOf(MATCH_PRESETS),
    'psd2',
    'PRESET',
    'What makes a call the recorded one: strict, psd2 (by meaning, in the order of what happened) or loose.',
  ),
  matching: matching.optional().meta({
    description:
      'Replay, by operation: another preset, afterLast, and places (query dateFrom, header accept, body amount) that are compared otherwise: equal, bind, date, present, free or ignore.',
    fileOnly: true,
  }),
  dates: withDefault(
    values.oneOf(['shift', 'keep']),
    'shift',
    'HOW',
    'Whether a replay moves the recorded dates by whole days to today (shift), or leaves them (keep).',
  ),
  latency: withDefault(
    values.latency,
    'none',
    'HOW',
    'How long a replay takes to answer: none, recorded, or a factor on the recorded times, such as ×2.',
  ),
  afterLast: withDefault(
    values.oneOf(AFTER_LAST),
    'error',
    'WHAT',
    'What a replay does after the last recorded answer to a call: error, repeat it, or ask the next source.',
  ),
  rules: optional(severities, 'ID=SEVERITY,…', 'Rules with another severity: must, should, note or off.'),
  waivers: z.array(waiver).optional().meta({
    description:
      'Known findings that no longer refuse or fail a gate: a list of rule, reason, until (a date), and perhaps match (operation, tpp, path).',
    fileOnly: true,
  }),
  session: optional(
    values.sessionName,
    'NAME',
    'The session that exchanges are recorded in; by default today’s date in UTC, of a replay replay- and the date.',
  ),
  pseudonymise: toggle(
    false,
    'Records other account numbers, and placeholders for names and remittance texts, the same for the same.',
  ),
  sessionHeader: toggle(true, 'A call may name its session in the header Sandgate-Session.'),
  sessionRotateSize: optional(
    values.size,
    'SIZE',
    'A session that holds about so much is followed by another one, NAME-2 and so on.',
  ),
  sessionRotateEvery: optional(
    values.duration,
    'TIME',
    'A session that is so old is followed by another one, NAME-2 and so on.',
  ),
  keepDays: optional(values.count, 'DAYS', 'What is older than so many days is removed from the store.'),
  keepSize: optional(
    values.size,
    'SIZE',
    'Where the store holds more, its oldest sessions are removed; without a rotation, sessions of a tenth of it. 5 GiB where it is not given, without any rotation.',
  ),
  store: withDefault(
    values.text,
    'data/sandgate.db',
    'PATH',
    'The SQLite file that recordings are kept in; :memory: keeps none on disk.',
  ),
  durability: withDefault(
    values.oneOf(['process', 'power', 'relaxed']),
    'process',
    'LEVEL',
    'What no answered exchange is lost by: a kill -9 (process), a power cut too (power), neither (relaxed).',
  ),
  certs: withDefault(
    values.text,
    'certs',
    'DIR',
    'Where the test certificates lie; made at the first start.',
  ),
  evidenceKey: optional(
    values.text,
    'FILE',
    'The private key (PEM) that signs checkpoints of what is recorded; evidence.key in the folder of certificates by default, made at the first start.',
  ),
  checkpointTo: optional(
    values.text,
    'FILE|COMMAND',
    'Where each signed checkpoint goes besides the store: a file that it is added to, or after a leading | a command that gets it on standard input.',
  ),
  timestampUrl: optional(
    values.baseUrl,
    'URL',
    'A time stamping authority (RFC 3161) that stamps each checkpoint.',
  ),
  trustAnchors: optional(values.list, 'FILE,…', 'Further CAs (PEM) whose client certificates are trusted.'),
  clientCertHeader: optional(
    values.oneOf(FORWARDED_FORM_NAMES),
    'FORM',
    'Behind a load balancer: the form in which it hands on the client certificate.',
  ),
  clientCertFrom: optional(
    values.ranges,
    'CIDR,…',
    'The addresses of those load balancers; from anybody else such a header is taken off the call.',
  ),
  crls: optional(values.list, 'FILE,…', 'Certificate revocation lists (PEM or DER) of those CAs.'),
  data: optional(
    values.text,
    'DIR',
    'The emulator’s accounts and transactions; the built-in ones by default.',
  ),
  scaLink: optional(
    values.oneOf(['discovery', 'direct']),
    'FORM',
    'What a scaOAuth link holds: a discovery address, or the authorize address itself. Where nothing is said, discovery under profile sandbox, direct under production.',
  ),
  segment: withDefault(values.segment, 'stdgroup', 'NAME', 'The fixed segment of every path.'),
  headers: toggle(true, 'Sandgate-Exchange, Sandgate-Source and Sandgate-Findings on every API answer.'),
  dailyWindow: withDefault(
    values.oneOf(['calendar-day', 'rolling']),
    'calendar-day',
    'WINDOW',
    'What a day of the daily limit is: a calendar day, or the 24 hours before a call.',
  ),
  dailyTimeZone: withDefault(
    values.timeZone,
    'Europe/Brussels',
    'ZONE',
    'The time zone whose calendar days count.',
  ),
  blockedOrganisations: optional(
    values.list,
    'ID,…',
    'Organisations that are refused, by organizationIdentifier.',
  ),
  notificationAllow: withDefault(
    values.list,
    'localhost',
    'HOST,…',
    'Where payment notifications may be sent: addresses, ranges (10.0.0.0/8), names, names below one (*.tpp.example); localhost stands for the loopback addresses too.',
  ),
  logLevel: withDefault(
    values.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'info',
    'LEVEL',
    'How much is logged to standard error, as JSON lines.',
  ),
  json: toggle(false, 'One JSON line when ready, instead of text.'),
  upstreamLimits: z
    .strictObject({
      connect: withDefault(values.duration, '10s', 'TIME', 'For a connection to the bank, TLS included.'),
      firstByte: withDefault(values.duration, '30s', 'TIME', 'For the bank to begin its answer.'),
      idle: withDefault(values.duration, '30s', 'TIME', 'For a pause in the body of an answer.'),
      whole: withDefault(values.duration, '60s', 'TIME', 'For a call to the bank, its answer included.'),
      stream: withDefault(values.duration, '10m', 'TIME', 'For a body that streams past.'),
      keepAlive: withDefault(
        values.duration,
        '4s',
        'TIME',
        'For a connection to the bank between two calls.',
      ),
      concurrency: withDefault(values.count, '256', 'COUNT', 'Calls on their way to the bank at one time.'),
      queued: withDefault(values.count, '1024', 'COUNT', 'Calls that wait for one of these to end.'),
      queue: withDefault(values.duration, '10s', 'TIME', 'For a call to wait so; 503 after it.'),
      websockets: withDefault(
        values.count,
        '64',
        'COUNT',
        'Websockets of the bank’s pages at one time, apart from the calls.',
      ),
      headers: withDefault(values.size, '64KiB', 'SIZE', 'Header fields of an answer together.'),
      decoded: withDefault(values.size, '16MiB', 'SIZE', 'Body of an answer, decompressed.'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      headers: withDefault(values.size, '16KiB', 'SIZE', 'Header fields of a request together.'),
      body: withDefault(values.size, '1MiB', 'SIZE', 'Body of a request, decoded.'),
      handshake: withDefault(values.duration, '10s', 'TIME', 'For the TLS handshake.'),
      headersTime: withDefault(
        values.duration,
        '10s',
        'TIME',
        'For the header fields of a request to arrive.',
      ),
      requestTime: withDefault(values.duration, '30s', 'TIME', 'For a whole request to arrive.'),
      idle: withDefault(values.duration, '2m', 'TIME', 'For a connection on which nothing moves.'),
      keepAlive: withDefault(values.duration, '30s', 'TIME', 'For a connection between two requests.'),
      connections: withDefault(values.count, '2000', 'COUNT', 'Open connections of a listener.'),
      connectionsPerAddress: withDefault(
        values.count,
        '500',
        'COUNT',
        'Open connections of one address to a listener.',
      ),
      sessions: withDefault(values.count, '1000', 'COUNT', 'Sessions that calls may name in one run.'),
      stop: withDefault(values.duration, '8s', 'TIME', 'For running calls to finish when the gateway stops.'),
    })
    .prefault({}),
});

export type Config = z.infer<typeof configSchema>;
