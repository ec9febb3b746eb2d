/** Every setting of the gateway: one schema for flags, SANDGATE_* variables and sandgate.config.json. */
import * as z from 'zod';
import { AFTER_LAST, COMPARISONS, MATCH_PRESETS, operationsOf } from '../../answer/index.js';
import { FORWARDED_FORM_NAMES } from '../../certificate/index.js';
import type { OwnRules } from '../../rules/own/index.js';
import { BANK_ZONE, EVERY_OPERATION_ID, type OperationId } from '../../spec/index.js';
import { EVENT_TYPES } from '../../telemetry/index.js';
import { bankProfileValue } from './bank-profile.js';
import {
  address,
  baseUrl,
  count,
  file,
  files,
  inFile,
  optional,
  origin,
  size,
  time,
  toggle,
  withDefault,
} from './setting.js';
import { callMatch, stances } from './stances.js';
import { SCA_LINKS, STANCES, severities, values } from './values.js';

/** Lets a known finding pass until a day; see `Waiver` of the rules. */
const waiver = z.strictObject({
  rule: z.string().min(1),
  match: callMatch.optional(),
  reason: z.string().min(1),
  until: z.iso.date({ error: 'a date YYYY-MM-DD is expected' }),
});

/** What makes two calls the same in a replay, where an operation differs from the preset. */
const matching = z.partialRecord(
  z.enum(EVERY_OPERATION_ID as [OperationId, ...OperationId[]]),
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

const byOperation = (given: object, context: z.RefinementCtx) => {
  for (const pattern of Object.keys(given)) {
    if (operationsOf(pattern).length > 0) continue;
    const message = `${pattern} is neither an operation, such as accounts.list, nor a kind of operations, such as accounts.*`;
    context.addIssue({ code: 'custom', message });
  }
};

const sourcesByOperation = z.record(z.string(), values.sources).superRefine(byOperation);
const upstreamsByOperation = z.record(z.string(), values.baseUrl).superRefine(byOperation);

const upstreamCertificate = z.strictObject({
  cert: values.text,
  key: values.text.optional(),
  passphraseFile: values.text.optional(),
});

/** By the heading under which help lists them: what is used most stands first, limits last. */
export const SETTINGS = {
  'Who answers': {
    source: withDefault(
      values.sources,
      'emulator',
      'SOURCE,…',
      'Who answers: emulator, upstream (a bank), replay (a recording), or a chain such as replay,emulator, in which each passes on what it cannot answer. Without this setting, --upstream implies upstream.',
      { brief: 'Who answers: emulator, upstream, replay, or a chain' },
    ),
    sources: inFile(
      sourcesByOperation,
      'Other sources or chains for single operations (accounts.list) or all of a kind (funds-confirmations.*).',
    ),
    upstream: baseUrl('Base URL of the bank’s API, with any path that comes before /stdgroup.', {
      brief: 'Base URL of the bank’s API',
    }),
    upstreams: inFile(
      upstreamsByOperation,
      'Other base URLs for single operations (oauth.token) or all of a kind (payments.*), where the bank has them on other hosts or below other paths.',
    ),
    replay: optional(
      values.text,
      'SESSION|FILE',
      'Recording that source replay answers from: a session of the store, a cassette or a HAR file.',
      { brief: 'Recording that source replay answers from' },
    ),
    faults: file('File of faults (JSON) that calls meet: delays, errors, lost answers and others.', {
      brief: 'File of faults that calls meet',
    }),
    shadow: optional(
      values.oneOf(['emulator']),
      'SOURCE',
      'Source (emulator) that also gets the safe calls that the bank answered, to note where status, fields or types differ.',
    ),
  },
  Judging: {
    stance: withDefault(
      values.oneOf(STANCES),
      'enforce',
      'STANCE',
      'What a violated must rule does: refuse the call (enforce) or only be recorded (observe; the default if the emulator is not the first source).',
      { brief: 'Refuse violating calls (enforce) or only record (observe)' },
    ),
    stances: inFile(
      stances,
      'Another stance for some calls: a list of stance and match (operation, tpp, path). The first entry that fits a call counts.',
    ),
    bankProfile: optional(
      bankProfileValue,
      'NAME|FILE',
      'Interface of the bank, if it is not the built-in one: the name of a profile that comes with Sandgate, or a file (JSON).',
      { brief: 'Interface of the bank, if it is another one', judges: true },
    ),
    profile: withDefault(
      values.oneOf(['sandbox', 'production']),
      'sandbox',
      'PROFILE',
      'sandbox or production: sets the severity of each rule, and whether the literal ids of the sandbox are accepted.',
      { brief: 'Severities: sandbox or production', judges: true },
    ),
    rules: optional(
      severities,
      'ID=SEVERITY,…',
      'Rules whose severity differs from the profile’s: must, should, note or off.',
      { brief: 'Other severities of single rules', judges: true },
    ),
    waivers: inFile(
      z.array(waiver),
      'Known findings that neither refuse a call nor fail a gate: a list of rule, reason, until (a date) and optionally match (operation, tpp, path).',
      { judges: true },
    ),
    ownRules: optional(
      values.ownRules,
      'FILE|PACKAGE,…',
      'Rules of your own: files (.js, .ts) below the working directory, or packages.',
      { brief: 'Rules of your own: files or packages', judges: true },
    ),
    customRulesWorker: toggle(
      'Run own rules in a thread with limits of time (1 s for a call) and memory (64 MiB), for rules that you do not trust.',
    ),
    dailyWindow: withDefault(
      values.oneOf(['calendar-day', 'rolling']),
      'calendar-day',
      'WINDOW',
      'What counts as a day for the daily limit: calendar-day, or rolling (the 24 hours before a call).',
      { judges: true },
    ),
    dailyTimeZone: withDefault(values.timeZone, BANK_ZONE, 'ZONE', 'Time zone of those calendar days.', {
      judges: true,
    }),
    blockedOrganisations: optional(
      values.list,
      'ID,…',
      'Organisations to refuse, by organizationIdentifier.',
      { judges: true },
    ),
  },
  Clock: {
    clock: optional(
      values.clockTime,
      'TIME',
      'Time by which calls are judged and answered: 2026-01-31T09:00Z, a date, +90d or -12h from now, or real (the machine’s). Without this setting: where the store left off, else the machine’s.',
      { brief: 'Time of bank and rules: a date, +90d, real' },
    ),
    clockSpeed: optional(values.speed, 'SPEED', 'Clock speed relative to real time: 1d/1s, 1h/1m or 2.'),
  },
  Listeners: {
    listen: address(
      '127.0.0.1:8443',
      'API listener, for TPPs: HTTPS that asks for a client certificate.',
      'Listener for TPPs, with mutual TLS',
    ),
    psuListen: address(
      '127.0.0.1:8444',
      'PSU listener, for browsers: the authorize endpoint and the SCA page.',
      'Listener for browsers of PSUs',
    ),
    psuHttp: toggle('Use plain HTTP on the PSU listener; allowed on a loopback address only.'),
    adminListen: address(
      '127.0.0.1:8445',
      'Admin listener: plain HTTP, on a loopback address unless an admin token is set.',
      'Listener for operators: live page and API',
    ),
    adminToken: optional(
      values.text,
      'TOKEN',
      'Bearer token that every admin call except health checks must carry; at least 16 characters.',
      {
        secret: true,
      },
    ),
    adminTokenFile: file('File that holds the admin token.', {
      brief: 'File that holds the token for operators',
    }),
    actions: toggle(
      'Let the live page and the admin API change settings, clock, bank and waivers, and send calls again.',
      'Refuse all that changes something, or sends a call, by the live page or the admin API.',
    ),
    keepTokens: toggle(
      'Keep access tokens of the bank in memory, so that the live page can send calls again with them. They are never stored or shown.',
    ),
    apiUrl: origin('Public URL of the API listener, if TPPs reach it by another address.'),
    psuUrl: origin('Public URL of the PSU listener, if browsers reach it by another address.'),
    proxyProtocolFrom: optional(
      values.ranges,
      'CIDR,…',
      'Addresses of load balancers that pass TLS through: their connections must begin with a PROXY protocol header (version 1 or 2), which says the client’s address.',
    ),
  },
  'Client certificates': {
    certs: withDefault(
      values.text,
      'certs',
      'DIR',
      'Folder of the test certificates; created at the first start.',
      { brief: 'Folder of the test certificates' },
    ),
    trustAnchors: files('Further CAs (PEM) whose client certificates are trusted.', {
      brief: 'Further CAs of client certificates',
    }),
    crls: files('Certificate revocation lists (PEM or DER) of those CAs.'),
    revocation: optional(
      values.oneOf(['off', 'soft', 'hard']),
      'MODE',
      'Whether OCSP responders are asked, besides --crls: off; soft (calls do not wait, and pass with a note if none answers); hard (a call whose certificate nobody calls good gets 503, the first one after at most 3 seconds). By default as the bank profile says, else off.',
    ),
    ocspUrl: baseUrl('OCSP responder for certificates that name none.'),
    ocspAllow: optional(
      values.list,
      'CIDR,…',
      'Addresses that are not public and where OCSP responders may be that certificates name.',
    ),
    trustList: file(
      'Snapshot of the EU’s trusted lists (sandgate trust): its CAs are trusted while a list grants them, besides --trust-anchors.',
    ),
    register: file(
      'Register of payment institutions of the EBA (JSON, as its download has it): cards and reports say what it has on a TPP.',
    ),
    trustListKey: file(
      'Key (PEM, public or private) that signed --trust-list; by default --evidence-key, or evidence.pub in the folder of certificates.',
    ),
    strictTls: toggle(
      'End the handshake with an alert, as many banks do, if the client certificate is missing, untrusted, revoked, not for clients or outside its validity, instead of answering 401.',
    ),
    clientCertHeader: optional(
      values.oneOf(FORWARDED_FORM_NAMES),
      'FORM',
      `Behind a load balancer: the form in which it forwards the client certificate: ${FORWARDED_FORM_NAMES.join(', ')}.`,
    ),
    clientCertFrom: optional(
      values.ranges,
      'CIDR,…',
      'Addresses of those load balancers; the header is removed from calls of anyone else.',
    ),
  },
  Recording: {
    store: withDefault(
      values.text,
      'data/sandgate.db',
      'PATH|URL',
      'SQLite file that holds the recordings, or postgres://USER@HOST/DATABASE for several gateways; memory: keeps nothing on disk.',
      { brief: 'Recordings: SQLite file, postgres:// or memory:' },
    ),
    session: optional(
      values.sessionName,
      'NAME',
      'Session in which exchanges are recorded; by default today’s date (UTC), for a replay replay- and the date.',
      { brief: 'Session in which calls are recorded' },
    ),
    sessionHeader: toggle(
      'Let a call name its session in the header Sandgate-Session.',
      'Ignore the header Sandgate-Session.',
    ),
    isolateSessions: toggle(
      'Give each session that calls name an isolated environment: tokens, consents, limits, bank and clock.',
    ),
    pseudonymise: toggle(
      'Record pseudonyms for account numbers, and placeholders for names and remittance texts; equal values stay equal.',
      undefined,
      { brief: 'Record pseudonyms for personal data' },
    ),
    encrypt: toggle(
      'Encipher what is recorded of calls, with a key for each consent and payment, which sandgate erase destroys.',
      undefined,
      { brief: 'Encipher contents of calls' },
    ),
    durability: withDefault(
      values.oneOf(['process', 'power', 'relaxed']),
      'process',
      'LEVEL',
      'What recordings of answered calls survive: a kill -9 (process), also a power cut (power), or neither (relaxed).',
    ),
    index: withDefault(
      values.oneOf(['on', 'off']),
      'on',
      'on|off',
      'Whether serve keeps an index of the store beside it (PATH.index), by which sessions are searched.',
    ),
    workers: withDefault(
      values.count,
      '1',
      'COUNT',
      'Processes that answer calls behind the same listeners, on one store: as many as the machine has cores to spare, up to 64.',
      { brief: 'Processes that answer calls' },
    ),
    sessionRotateSize: optional(
      values.size,
      'SIZE',
      'Size at which a session is continued in a new one (NAME-2, …), approximately.',
    ),
    sessionRotateEvery: optional(
      values.duration,
      'TIME',
      'Age at which a session is continued in a new one (NAME-2, …).',
    ),
    keepDays: optional(values.count, 'DAYS', 'Age in days at which exchanges are removed from the store.', {
      brief: 'Days after which recordings are removed',
    }),
    keepSize: optional(
      values.size,
      'SIZE',
      'Size of the store, with its index, above which its oldest sessions are removed. If given without a rotation, sessions rotate at a tenth of it; if not given, 5GiB (1GiB in memory) without rotation.',
    ),
    storePasswordFile: file(
      'File that holds the password of a PostgreSQL store; only its owner may read it.',
    ),
    storeKeyFile: file(
      'Secret of fingerprints and contents in the store, the same for all its gateways; by default beside an SQLite file (FILE.key, which counts where it is there), of PostgreSQL store.key in the folder of certificates; created at the first start.',
    ),
    storeRead: optional(
      values.text,
      'URL',
      'Replica of a PostgreSQL store, from which reports, searches and the live page read.',
    ),
  },
  Evidence: {
    evidenceKey: file(
      'Private key (PEM) that signs checkpoints of the recording; by default evidence.key in the folder of certificates, created at the first start.',
    ),
    checkpointTo: optional(
      values.text,
      'FILE|COMMAND',
      'Where each signed checkpoint goes besides the store: a file to append to, or | and a command that reads it from standard input.',
    ),
    timestampUrl: baseUrl('Time stamping authority (RFC 3161) that stamps each checkpoint.'),
  },
  Output: {
    headers: toggle(
      'Add the headers Sandgate-Exchange, Sandgate-Source, Sandgate-Findings and Sandgate-Report to every answer of the API and PSU listeners; Sandgate-Report only to callers on the machine itself.',
      'Do not add the headers Sandgate-Exchange, Sandgate-Source, Sandgate-Findings and Sandgate-Report.',
    ),
    json: toggle('Print one line of JSON instead of text when ready.', undefined, {
      brief: 'Print JSON instead of text when ready',
    }),
    callLines: toggle(
      'Print a line for each call, where standard output is a terminal.',
      'Print no line for each call on a terminal.',
    ),
    verbose: toggle('Print all addresses and settings, and more command lines, when ready.'),
    accessLog: optional(
      values.text,
      'FILE',
      'Append a line of JSON for each call to a file (mode 0600); - is standard output, and so is the flag without a value.',
      { alone: '-', brief: 'Append a line of JSON for each call to a file' },
    ),
    logLevel: withDefault(
      values.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
      'info',
      'LEVEL',
      'Level of the log (JSON lines on standard error): fatal, error, warn, info, debug or silent.',
      { brief: 'fatal, error, warn, info, debug or silent' },
    ),
  },
  Telemetry: {
    otlp: baseUrl(
      'Base URL of an OpenTelemetry collector, to which traces of the calls are sent (OTLP over HTTP, to v1/traces below it).',
      { brief: 'OpenTelemetry collector that gets traces' },
    ),
    otlpHeadersFile: file(
      'File of header fields for it (NAME: VALUE on each line), such as an API key; only its owner may read it.',
    ),
    webhook: baseUrl(
      'Address that is told of events (Standard Webhooks): findings, certificates, bank, store.',
      {
        brief: 'Address that is told of events',
      },
    ),
    webhookOn: withDefault(
      values.webhookEvents,
      'finding.must,certificate.ending,bank.down,bank.up,bank.drift,store.failing,store.recovered,limit.reached',
      'EVENT,…',
      `Events that it is told of: ${EVENT_TYPES.join(', ')}.`,
    ),
    webhookAllow: optional(
      values.list,
      'HOST,…',
      'Inner addresses that the webhook may lead to: ranges (10.0.0.0/8) or localhost. Without this setting, it must lead to a public address.',
    ),
    webhookSecretFile: file(
      'File of the secret (whsec_ and base64) that its messages are signed with; only its owner may read it.',
    ),
  },
  Emulator: {
    bank: withDefault(
      values.oneOf(['sandbox', 'living']),
      'sandbox',
      'BANK',
      'Mode of the emulator: sandbox (fixed identifiers, no memory) or living (new ids, and a memory of what happens to them).',
      { brief: 'sandbox (fixed ids) or living (remembers)' },
    ),
    bankSeed: withDefault(
      values.seed,
      '42',
      'NUMBER',
      'Seed of the living bank: its PSUs, accounts and postings follow from it, the same on every machine.',
    ),
    bankPsus: withDefault(
      values.psus,
      '10',
      'COUNT',
      'Number of PSUs of the living bank, up to 1,000,000; the first ten show every kind of account.',
    ),
    bankData: optional(
      values.text,
      'DIR',
      'Folder with PSUs, accounts and postings of the living bank (JSON or CSV), instead of a seed.',
    ),
    bankHabits: withDefault(
      values.text,
      'calm',
      'HABITS',
      'Habits of the living bank: calm (as its page describes), market (a little of every habit of banks) or a JSON file of shares.',
    ),
    bankNotify: withDefault(
      values.oneOf(['instant', 'all']),
      'instant',
      'WHICH',
      'Payments whose statuses the living bank sends to TPPs that ask for it: instant (as in the specification, which has no instant product) or all.',
    ),
    bankScaTime: time(
      '20m',
      'How long an authorisation link of the living bank works; then the authorisation fails.',
    ),
    data: optional(
      values.text,
      'DIR',
      'Folder with the emulator’s accounts and transactions; the built-in ones by default.',
    ),
    scaLink: withDefault(
      values.oneOf(SCA_LINKS),
      'by-profile',
      'FORM',
      'What a scaOAuth link is: discovery (the URL of a discovery document), direct (the authorize URL) or by-profile (discovery under profile sandbox, direct under production).',
    ),
    segment: withDefault(values.segment, 'stdgroup', 'NAME', 'Fixed first segment of every path.', {
      judges: true,
    }),
    notificationAllow: withDefault(
      values.list,
      'localhost',
      'HOST,…',
      'Hosts to which payment status notifications may be sent: addresses, ranges (10.0.0.0/8), names, or all names below one (*.tpp.example); localhost includes the loopback addresses.',
      { judges: true },
    ),
  },
  Bank: {
    upstreamPsu: baseUrl('Base URL of the bank’s pages for PSUs, if it differs from that of its API.'),
    upstreamCert: file(
      'Client certificate (QWAC) for the bank: PEM (leaf first, then its chain) or PKCS#12.',
      { brief: 'Client certificate (QWAC) for the bank' },
    ),
    upstreamKey: file('Private key of that certificate (PEM), if it is not in the same file.', {
      brief: 'Its private key, if it is in another file',
    }),
    upstreamPassphraseFile: file('File that holds the passphrase of that key or PKCS#12 file.'),
    upstreamPassphrase: optional(values.text, 'TEXT', 'Passphrase of that key or PKCS#12 file.', {
      secret: true,
      noFlag: true,
    }),
    upstreamCertificates: inFile(
      z.record(z.string(), upstreamCertificate),
      'Client certificates for the bank (cert, key, passphraseFile) by organizationIdentifier of the calling TPP; upstreamCert is used for all others.',
    ),
    upstreamCa: files('CAs (PEM) trusted for the bank’s server certificate, instead of those of Node.js.'),
    lendCertificate: withDefault(
      values.oneOf(['trusted', 'anyone']),
      'trusted',
      'WHOM',
      'Whose calls are forwarded to the bank, in either stance: trusted (callers whose certificate is trusted, valid and not revoked) or anyone (for a single developer, on a loopback address).',
      { brief: 'Whose calls go to the bank: trusted or anyone' },
    ),
    rewrite: toggle(
      'Rewrite links in the bank’s answers so that they lead through the gateway.',
      'Do not rewrite links in the bank’s answers.',
    ),
    psuProxy: toggle(
      'Show the bank’s pages on the PSU listener (streamed, not recorded) instead of redirecting to them.',
    ),
    recordCap: size(
      '1MiB',
      'With source upstream: largest body that is judged and recorded whole; larger ones are streamed, and recorded in part with length and SHA-256.',
    ),
  },
  Replay: {
    match: withDefault(
      values.oneOf(MATCH_PRESETS),
      'psd2',
      'PRESET',
      'How a call is matched to a recorded one: strict, psd2 (by meaning, in the order of events) or loose.',
    ),
    matching: inFile(
      matching,
      'Matching of single operations in a replay: preset, afterLast, and places (query dateFrom, header accept, body amount) to compare as equal, bind, date, present, free or ignore.',
    ),
    dates: withDefault(
      values.oneOf(['shift', 'keep']),
      'shift',
      'HOW',
      'Recorded dates in a replay: shift (by whole days, to today) or keep.',
    ),
    latency: withDefault(
      values.latency,
      'none',
      'HOW',
      'Delay of answers in a replay: none, recorded, or a factor of the recorded times, such as ×2.',
    ),
    afterLast: withDefault(
      values.oneOf(AFTER_LAST),
      'error',
      'WHAT',
      'What a replay does after the last recorded answer to a call: error, repeat (that answer) or next (ask the next source).',
    ),
  },
  'Limits for clients': {
    limits: z
      .strictObject({
        headers: size('16KiB', 'Size of all header fields of a request together.'),
        body: size('1MiB', 'Size of the body of a request, decompressed.'),
        handshake: time('10s', 'Time for the TLS handshake, and for a PROXY protocol header before it.'),
        headersTime: time('10s', 'Time for the header fields of a request to arrive.'),
        requestTime: time('30s', 'Time for a whole request to arrive.'),
        idle: time('2m', 'Time after which a connection without traffic is closed.'),
        unread: time(
          '15s',
          'Time after which a connection is closed if its client does not read the answer.',
        ),
        keepAlive: time('30s', 'Time that an idle connection is kept open between two requests.'),
        connections: count(
          '2000',
          'Open connections per listener. On the API listener, clients that have not shown a valid certificate get half of them; beyond that, the one that called least recently is closed.',
        ),
        connectionsPerAddress: count(
          '500',
          'Open connections per client address and listener. An IPv6 network of 64 bits counts as one address.',
        ),
        adminConnections: count(
          '250',
          'Open connections of the admin listener; beyond that, the one used least recently is closed. Connections that an operator has used stay open.',
        ),
        sessions: count(
          '2000',
          'Different sessions that calls may name until the next start; a single TPP may name half of them.',
        ),
        stop: time('8s', 'Time for running calls to finish when the gateway stops.'),
      })
      .prefault({}),
  },
  'Limits for the bank': {
    upstreamLimits: z
      .strictObject({
        connect: time('10s', 'Time to open a connection to the bank, TLS included.'),
        firstByte: time('30s', 'Time for the bank to begin its answer.'),
        idle: time('30s', 'Longest pause within the body of an answer.'),
        whole: time('60s', 'Time for a whole call to the bank, its answer included.'),
        stream: time('10m', 'Time for a body that is streamed.'),
        keepAlive: time('4s', 'Time that an idle connection to the bank is kept open.'),
        concurrency: count('256', 'Calls to the bank at one time.'),
        queued: count('1024', 'Calls that may wait for one of them to end.'),
        queue: time('10s', 'Time that a call may wait; then it gets a 503.'),
        websockets: count('64', 'Websockets of the bank’s pages at one time, counted apart from calls.'),
        headers: size('64KiB', 'Size of all header fields of an answer together.'),
        decoded: size('16MiB', 'Size of the body of an answer, decompressed.'),
      })
      .prefault({}),
  },
  'Limits for a PostgreSQL store': {
    storeLimits: z
      .strictObject({
        connect: time('5s', 'Time to open a connection to the server of the store.'),
        statement: time('10s', 'Time for a statement on it, including waiting for a lock.'),
        connections: count('4', 'Connections for reading, at least two; one more records.'),
      })
      .prefault({}),
  },
} as const;

type Merged<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Shape = Merged<(typeof SETTINGS)[keyof typeof SETTINGS]>;

export const configSchema = z.strictObject(Object.assign({}, ...Object.values(SETTINGS)) as Shape);

export type Config = z.infer<typeof configSchema> & {
  /** Own rules that `ownRules` names, if they judge here. */
  readonly loadedRules?: OwnRules;
};
