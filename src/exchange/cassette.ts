/** The cassette, a readable file for git that holds a recording: reads and writes it. */
import type { CertificateFacts } from '../certificate/index.js';
import {
  createRecogniser,
  operationRow,
  type Recognise,
  type Recognition,
  SandgateError,
} from '../spec/index.js';
import { withArrivalIds } from './arrival-ids.js';
import { bankOrigin } from './called-at.js';
import { readBody, readHeaders } from './cassette-body.js';
import { CASSETTE_VERSION, type CassetteExchange, cassetteFile, cassetteHead } from './cassette-schema.js';
import { usualListener } from './cassette-write.js';
import type { Connection, Exchange } from './exchange.js';
import { brokenFile, checkShape } from './file-fault.js';
import { parseJsonText } from './json-text.js';
import { splitTarget } from './link.js';
import { closeCall, openAnswer, openCall } from './open.js';
import type { FileRecord, FileVerdicts } from './record-schema.js';
import type { FileRecording, ListenerOrigins, ReadRecordingOptions } from './recording-file.js';
import { checkHost, isHost } from './wanted-host.js';
import type { HeaderList } from './wire.js';

export { CASSETTE_FORMAT, CASSETTE_VERSION } from './cassette-schema.js';
export { buildCassette, type CassetteMeta } from './cassette-write.js';

/** Steps from each older version to the next, on the parsed file; version 1 is the first. */
const UPGRADES: readonly ((file: Record<string, unknown>) => Record<string, unknown>)[] = [];

/** The exchanges of a cassette. A file that is broken is one SandgateError that names the place. */
export function readCassette(
  source: string | Iterable<string>,
  options: ReadRecordingOptions = {},
): FileRecording {
  const name = options.name ?? 'The cassette';
  return readCassetteValue(parseJsonText(source, name), options);
}

/** As `readCassette`, of a value that is parsed already. */
export function readCassetteValue(value: unknown, options: ReadRecordingOptions = {}): FileRecording {
  const name = options.name ?? 'The cassette';
  const file = checkShape(cassetteFile, upgrade(value, name), [], name);
  const start = file.recorded === undefined ? 0 : Date.parse(file.recorded);
  if (Number.isNaN(start)) throw brokenFile(name, ['recorded'], 'a date and time is expected');
  const recognise = createRecogniser(file.segment);
  const records: FileRecord[] = [];
  const origins = new Set(Object.values(file.origins ?? {}));
  if (options.host !== undefined)
    checkHost(name, new Set(file.exchanges.flatMap((one) => hostOf(one, file.origins) ?? [])), options.host);
  let skipped = 0;
  for (const [index, written] of file.exchanges.entries()) {
    if (options.host !== undefined && !isHost(hostOf(written, file.origins) ?? '', options.host)) {
      skipped++;
      continue;
    }
    const at = start + written.at;
    if (Number.isNaN(new Date(at).getTime())) {
      throw brokenFile(name, ['exchanges', index, 'at'], 'a time in ms from the start is expected');
    }
    const parts = { ...file, at, recognise };
    const exchange = openExchange(written, parts, () =>
      brokenFile(
        name,
        ['exchanges', index, 'certificate'],
        `there is no certificate named ${written.certificate}`,
      ),
    );
    const called = bankOrigin(exchange.call);
    if (called !== undefined) origins.add(called);
    records.push({
      exchange,
      findings: written.findings ?? [],
      ...(written.verdicts === undefined ? {} : { verdicts: spreadVerdicts(written.verdicts) }),
    });
  }
  return {
    format: 'cassette',
    session: file.session,
    segment: file.segment,
    records: withArrivalIds(records),
    skipped: skipped === 0 ? {} : { 'another host': skipped },
    origins,
    listeners: listenersOf(file.origins),
    notes: [],
    recordedBy: file.recordedBy,
  };
}

function listenersOf(origins: Parts['origins']): ListenerOrigins | undefined {
  if (origins === undefined) return undefined;
  const { api, psu } = origins;
  return { api: api === undefined ? [] : [api], psu: psu === undefined ? [] : [psu] };
}

function upgrade(value: unknown, name: string): unknown {
  const { version } = checkShape(cassetteHead, value, [], name);
  if (version > CASSETTE_VERSION) {
    throw new SandgateError(
      'input',
      `${name} has version ${version}; this Sandgate reads up to ${CASSETTE_VERSION}: update it.`,
    );
  }
  return UPGRADES.slice(version - 1).reduce((file, step) => step(file), value as Record<string, unknown>);
}

interface Parts {
  readonly session: string;
  readonly at: number;
  readonly certificates: Readonly<Record<string, CertificateFacts>>;
  readonly origins?: { readonly api?: string; readonly psu?: string };
  readonly recognise: Recognise;
}

function openExchange(written: CassetteExchange, parts: Parts, noCertificate: () => SandgateError): Exchange {
  const { request, answer } = written;
  const recognition = recogniseWritten(written, parts.recognise);
  const operation = recognition.kind === 'operation' ? recognition.operation : null;
  const listener = written.listener ?? usualListener(operation);
  const call = openCall(
    {
      id: '',
      session: parts.session,
      at: parts.at,
      listener,
      connection: connectionOf(written),
      certificate: certificateOf(written.certificate, parts.certificates, noCertificate),
      method: request.method,
      target: request.target,
      headers: withHost(readHeaders(request.headers), parts.origins?.[listener === 'psu' ? 'psu' : 'api']),
      body: readBody(request),
    },
    recognition,
  );
  const opened =
    answer === null
      ? null
      : openAnswer({
          source: answer.source,
          status: answer.status,
          headers: readHeaders(answer.headers),
          body: readBody(answer),
        });
  const elapsed = { total: written.took, answerer: written.bankTook };
  const whole = written.tpp === undefined ? call : call.with({ tpp: written.tpp });
  return closeCall(whole, opened, elapsed, written.fault ?? null);
}

/** What a listener does not offer may well be an operation of the other one. */
function recogniseWritten({ operation, request }: CassetteExchange, recognise: Recognise): Recognition {
  const found = recognise(request.method, splitTarget(request.target).path);
  if (operation !== null || found.kind !== 'operation') return found;
  return { kind: 'path-unknown', nearest: operationRow(found.operation).path };
}

function connectionOf({ tls, address = '127.0.0.1', bank }: CassetteExchange): Connection {
  const to = bank === undefined ? {} : { bank };
  if (tls === null || tls === 'not-observed') return { address, tls, ...to };
  const [version = '', cipher = ''] = tls.split(' ', 2);
  return { address, tls: { version, cipher, resumed: false }, ...to };
}

function certificateOf(
  name: string,
  certificates: Parts['certificates'],
  noCertificate: () => SandgateError,
): CertificateFacts | 'absent' | 'not-observed' {
  if (name === 'absent' || name === 'not-observed') return name;
  const facts = Object.hasOwn(certificates, name) ? certificates[name] : undefined;
  if (facts === undefined) throw noCertificate();
  return facts;
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
