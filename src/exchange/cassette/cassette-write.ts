/** Writes a cassette, stable from run to run, so that a diff in git shows real changes only. */
import type { CertificateFacts, CertificateObservation } from '../../certificate/index.js';
import { type Dialect, operationRow } from '../../spec/index.js';
import { arrivedAt, type Call, type CallTime, type Exchange, type OwnListener } from '../exchange.js';
import { changeHeaders } from '../headers.js';
import { tppOf } from '../open.js';
import type { FileRecord, FileVerdicts } from '../recording/record-schema.js';
import type { NoteSettings, StepAction } from '../recording/session-note.js';
import { coveredHeaders, sendingSealed } from '../sealed.js';
import { type Stage, through } from '../stage.js';
import type { HeaderList } from '../wire.js';
import { writeBody, writeHeaders } from './cassette-body.js';
import {
  CASSETTE_FORMAT,
  CASSETTE_VERSION,
  type CassetteExchange,
  type CassetteStep,
} from './cassette-schema.js';

export interface CassetteMeta {
  readonly session: string;
  readonly dialect: Dialect;
  /** The program of others that recorded it; absent where a gateway of ours did. */
  readonly recordedBy?: string;
  readonly origins?: RunOrigins;
  /** Writes the verdicts too; findings are written always. */
  readonly verdicts?: boolean;
}

/** Headers that belong to one run, or to the connection; `sandgate-` ones are ours. */
const VOLATILE = new Set(['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding']);

export function cassetteText(meta: CassetteMeta): Stage<FileRecord, string> {
  const stabilise = createStabiliser(meta.origins);
  const names = createCertificateNames();
  const head: Record<string, unknown> = { format: CASSETTE_FORMAT, version: CASSETTE_VERSION };
  const { segment, profile } = meta.dialect;
  Object.assign(head, {
    session: meta.session,
    segment,
    ...(profile === undefined ? {} : { bankProfile: profile }),
  });
  if (meta.recordedBy !== undefined) head.recordedBy = meta.recordedBy;
  let start: CallTime | undefined;
  return {
    take: (record) => {
      let before = ',';
      const steps = stepsOf(record, start === undefined);
      if (start === undefined) {
        const { at, ahead } = record.exchange.call;
        start = { at: Math.floor(at), ahead };
        head.recorded = new Date(start.at).toISOString();
        if (ahead !== 0) head.ahead = ahead;
        before = openFile(head, meta);
      }
      const written = JSON.stringify(
        { ...steps, ...writeExchange(record, start, names.of, meta, stabilise) },
        null,
        2,
      );
      return [`${before}\n    ${stabilise(written).replaceAll('\n', '\n    ')}`];
    },
    close: () => {
      const before = start === undefined ? openFile(head, meta) : '\n  ';
      const certificates = JSON.stringify(names.facts(), null, 2).replaceAll('\n', '\n  ');
      return [`${before}],\n  "certificates": ${certificates}\n}\n`];
    },
  };
}

export const buildCassette = (records: Iterable<FileRecord>, meta: CassetteMeta): Iterable<string> =>
  through(records, cassetteText(meta));

function openFile(head: Readonly<Record<string, unknown>>, { origins }: CassetteMeta): string {
  const { bank } = origins ?? {};
  const stable = { ...stableOrigins(origins), ...(bank === undefined ? {} : { bank }) };
  const whole = Object.keys(stable).length === 0 ? head : { ...head, origins: stable };
  return `${JSON.stringify(whole, null, 2).slice(0, -2)},\n  "exchanges": [`;
}

/** A replay begins with nothing: before the first exchange that says nothing. */
function stepsOf({ steps = [] }: FileRecord, isFirst: boolean): Pick<CassetteExchange, 'steps'> {
  const all = steps.flatMap(({ kind, settings }): CassetteStep[] => {
    if (kind === 'started') return isFirst ? [] : [{ action: 'reset' }];
    const { action, name } = settings as NoteSettings<'bank'>;
    return [{ action: action as StepAction, ...(typeof name === 'string' ? { name } : {}) }];
  });
  return all.length === 0 ? {} : { steps: all };
}

function writeExchange(
  { exchange, findings, verdicts }: FileRecord,
  start: CallTime,
  nameOf: (certificate: CertificateObservation) => string,
  meta: CassetteMeta,
  stabilise: (text: string) => string,
): CassetteExchange {
  const { answer, fault, elapsed, crossed, injected } = exchange;
  const call = stableSeal(exchange.call, stabilise);
  const { request } = call;
  const covered = coveredHeaders(call.header);
  return {
    ...(crossed === undefined ? {} : { crossed }),
    at: rounded(arrivedAt(call) - arrivedAt(start)),
    ...(call.ahead === start.ahead ? {} : { moved: call.ahead - start.ahead }),
    operation: call.operation,
    ...(call.listener === usualListener(call.operation) ? {} : { listener: call.listener }),
    ...(isPage(call) ? { page: true } : {}),
    certificate: nameOf(call.certificate),
    ...(call.seal === undefined ? {} : { seal: nameOf(call.seal) }),
    ...(call.tpp === tppOf(call.certificate) ? {} : { tpp: call.tpp }),
    tls: tlsText(exchange),
    ...(isLoopback(call.connection.address) ? {} : { address: call.connection.address }),
    ...(call.connection.bank === undefined ? {} : { bank: call.connection.bank }),
    ...(call.connection.sender === undefined ? {} : { sender: call.connection.sender }),
    request: {
      method: request.method,
      target: request.target,
      headers: writeHeaders(stableHeaders(request.headers, hostsOf(meta.origins), covered)),
      ...writeBody(request.body, call.content, covered !== null),
    },
    answer:
      answer === null
        ? null
        : {
            status: answer.status,
            source: answer.source,
            headers: writeHeaders(stableHeaders(answer.headers, [], null)),
            ...writeBody(answer.body, answer.content),
          },
    ...(fault === null ? {} : { fault }),
    ...(injected === undefined ? {} : { injected }),
    took: rounded(elapsed.total),
    bankTook: rounded(elapsed.answerer),
    ...(elapsed.firstByte === undefined ? {} : { firstByte: rounded(elapsed.firstByte) }),
    ...(findings === undefined || findings.length === 0 ? {} : { findings: [...findings] }),
    ...(meta.verdicts === true && verdicts !== undefined ? { verdicts: groupVerdicts(verdicts) } : {}),
  };
}

const isPage = ({ listener, operation, allow, nearest }: Call): boolean =>
  listener === 'psu' && operation === null && allow === undefined && nearest === undefined;

export function usualListener(operation: Call['operation']): OwnListener {
  return operation === null ? 'api' : operationRow(operation).listener;
}

function tlsText({ call: { connection } }: Exchange): string | null {
  const { tls } = connection;
  return tls === null || tls === 'not-observed' ? tls : `${tls.version} ${tls.cipher}`;
}

function isLoopback(address: string): boolean {
  return address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1';
}

/** A tenth of a millisecond is finer than any use of it. */
export function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** A signature over an address of this run cannot be verified once the stable address stands in its place. */
function stableSeal(call: Call, stabilise: (text: string) => string): Call {
  if (coveredHeaders(call.header) === null) return call;
  const { target, headers, body } = call.request;
  const text = stabilise(body?.text ?? '');
  const stable = call.request.with(
    stabilise(target),
    changeHeaders(headers, stabilise),
    body === null || body.text === text ? body : { ...body, text },
  );
  const sealed = sendingSealed(call, call.sending(stable), (value) => value);
  return sealed.seal === call.seal ? call : call.with({ seal: sealed.seal });
}

function stableHeaders(
  headers: HeaderList,
  ownHosts: readonly string[],
  covered: ReadonlySet<string> | null,
): HeaderList {
  return headers.filter(([name, value]) => {
    const key = name.toLowerCase();
    if (covered?.has(key)) return true;
    if (VOLATILE.has(key) || key.startsWith('sandgate-')) return false;
    return key !== 'host' || !ownHosts.includes(value);
  });
}

function groupVerdicts(verdicts: FileVerdicts): NonNullable<CassetteExchange['verdicts']> {
  const groups: Partial<Record<FileVerdicts[string], string>> = {};
  for (const rule of Object.keys(verdicts).sort()) {
    const verdict = verdicts[rule];
    if (verdict === undefined) continue;
    const known = groups[verdict];
    groups[verdict] = known === undefined ? rule : `${known} ${rule}`;
  }
  return groups;
}

/** They mean something else where a certificate is named, or are a name that not every reader of JSON keeps. */
const NO_NAMES = new Set(['', 'absent', 'not-observed', '__proto__']);

/** Certificates stand once, by a name that a person knows them by. */
function createCertificateNames() {
  const byFingerprint = new Map<string, string>();
  const facts = new Map<string, CertificateFacts>();
  return {
    of(certificate: CertificateObservation): string {
      if (typeof certificate === 'string') return certificate;
      const known = byFingerprint.get(certificate.fingerprint256);
      if (known !== undefined) return known;
      const wish = certificate.commonName ?? certificate.organizationIdentifier?.text ?? 'certificate';
      const base = wish.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
      let name = base;
      for (let n = 2; NO_NAMES.has(name) || facts.has(name); n++) name = `${base}-${n}`;
      byFingerprint.set(certificate.fingerprint256, name);
      facts.set(name, certificate);
      return name;
    },
    facts: () => Object.fromEntries(facts),
  };
}

/** Addresses of each listener; several if several gateways recorded. The bank behind them stays the same. */
type RunOrigins = { readonly [L in OwnListener]?: string | readonly string[] } & {
  readonly bank?: readonly string[];
};

const STABLE = { api: 'https://localhost:8443', psu: 'https://localhost:8444' } as const;
const LISTENERS = ['api', 'psu'] as const;

function originsOf(origins: RunOrigins, listener: OwnListener): readonly string[] {
  const given = origins[listener] ?? [];
  return typeof given === 'string' ? [given] : given;
}

function stableOrigins(origins: RunOrigins = {}): Partial<Record<OwnListener, string>> {
  const used = LISTENERS.filter((listener) => originsOf(origins, listener).length > 0);
  return Object.fromEntries(used.map((listener) => [listener, STABLE[listener]]));
}

function hostsOf(origins: RunOrigins = {}): string[] {
  const stable = Object.values(stableOrigins(origins));
  const all = [...LISTENERS.flatMap((listener) => originsOf(origins, listener)), ...stable];
  return all.map((origin) => origin.replace(/^https?:\/\//, ''));
}

/** Writes the origins of the run as the stable ones, plain and percent-encoded. */
function createStabiliser(origins: RunOrigins = {}): (text: string) => string {
  const swaps = LISTENERS.flatMap((listener) =>
    originsOf(origins, listener)
      .filter((origin) => origin !== STABLE[listener])
      .flatMap(
        (origin) =>
          [
            [exactly(origin), STABLE[listener]],
            [exactly(encodeURIComponent(origin)), encodeURIComponent(STABLE[listener])],
          ] as const,
      ),
  );
  return (text) => swaps.reduce((stable, [pattern, by]) => stable.replace(pattern, by), text);
}

/** The text where no digit of a longer port follows. */
function exactly(text: string): RegExp {
  return new RegExp(`${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\d)`, 'g');
}
