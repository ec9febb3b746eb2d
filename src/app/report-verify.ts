/** Checks that a report follows from its recording: makes it again by its own recipe, and compares. */
import { jsonPath, parseJsonText } from '../exchange/index.js';
import {
  compareReports,
  type EvidenceSource,
  openReport,
  type Report,
  reportSchema,
} from '../report/index.js';
import { inPlainWords, SandgateError } from '../spec/index.js';
import type { Store } from '../store/index.js';
import type { LoadedConfig } from './config-load.js';
import { openFileSource } from './report-file-source.js';
import { type OpenedSource, openSessionSource } from './report-source.js';

export interface Check {
  readonly what: 'signature' | 'chain' | 'contents';
  /** null: not checked. */
  readonly sound: boolean | null;
  /** One sentence. */
  readonly text: string;
  /** What is wrong, one sentence each, with the exchange where it is about one. */
  readonly details: readonly { readonly exchange: string | null; readonly text: string }[];
}

/** `name` begins the sentence of an error. */
export function readReport(text: string, name: string): Report {
  const parsed = reportSchema.safeParse(parseJsonText(text, name), { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${jsonPath(issue.path)}`;
  throw new SandgateError(
    'input',
    `${name} is no report in JSON of this version: ${issue?.message ?? 'another form is expected'}${place}.`,
  );
}

export interface VerifyParts {
  readonly loaded: LoadedConfig;
  /** What the user calls the store. */
  readonly storeName: string;
}

/** The chain of the session, from its beginning to its end now, and the link that the report names. */
export function checkChain(report: Report, store: Store, { storeName }: VerifyParts): Check {
  const { head, last } = report.evidence;
  const { session } = report.head.recording;
  if (session === null || !store.sessions().some(({ name }) => name === session)) {
    const text = `The store ${storeName} holds no session ${session ?? report.head.recording.name}.`;
    return { what: 'chain', sound: false, text, details: [] };
  }
  const details: Check['details'][number][] = [];
  const link = last === null ? null : store.linkOf(last);
  if (link !== head) {
    const text =
      link === null
        ? `Exchange ${last}, the last of the report, is not in the recording.`
        : `The chain has another hash at exchange ${last} than the report says: ${link}, not ${head}.`;
    details.push({ exchange: last, text });
  }
  const ids = report.appendix.exchanges.map(({ id }) => id);
  for (const { kind, seq, exchange, missing } of store.verifyChain(session)) {
    details.push({ exchange, text: breakText(kind, seq, exchange, missing, ids) });
    if (details.length >= MOST) break;
  }
  const sound = details.length === 0;
  const text = sound
    ? `The chain of ${session} is whole, and its hash at exchange ${last ?? '(none)'} is that of the report.`
    : `The chain of ${session} is not that of the report.`;
  return { what: 'chain', sound, text, details };
}

const MOST = 100;

function breakText(
  kind: 'changed' | 'missing' | 'cut',
  seq: number,
  exchange: string | null,
  missing: number,
  ids: readonly string[],
): string {
  if (kind === 'changed')
    return `Exchange ${exchange ?? `number ${seq}`} is not as it was recorded, or not at its place.`;
  if (kind === 'cut') return `${missing} exchanges are gone at the end of the session.`;
  const gone =
    exchange === null ? [] : ids.slice(Math.max(0, ids.indexOf(exchange) - missing), ids.indexOf(exchange));
  const named = gone.length === 0 || gone.length > 5 ? '' : ` (by the report ${gone.join(', ')})`;
  return `${missing} exchanges are gone before ${exchange ?? `number ${seq}`}${named}.`;
}

/** The session as the report saw it: no exchange and no note that came later. */
export function sourceOfReport(report: Report, store: Store, { loaded }: VerifyParts): OpenedSource {
  const name = report.head.recording.session;
  const session = store.sessions().find((one) => one.name === name);
  if (session === undefined) throw new SandgateError('input', `There is no session ${name} in the store.`);
  const notes = session.notes.slice(0, report.head.changes.length);
  return openSessionSource(
    store,
    { ...session, notes },
    {
      loaded,
      today: '',
      recipe: report.recipe,
      limit: report.head.recording.exchanges - (report.recipe.unfinished?.length ?? 0),
    },
  );
}

export function sourceOfFile(report: Report, text: string, { loaded }: VerifyParts): OpenedSource {
  const { name } = report.head.recording;
  return openFileSource(text, { loaded, today: '', name, recipe: report.recipe });
}

/** Makes the report again, a pause at a time. `older`: the report that it calls its baseline; null leaves that unchecked. */
export async function checkContents(
  report: Report,
  { source }: OpenedSource,
  pause: (taken: number) => Promise<void> | undefined,
  older: Report | null,
): Promise<Check> {
  const { evidence } = source;
  const builder = openReport(
    { ...source, evidence: evidence.kind === 'file' ? evidence : asReported(report) },
    {
      version: report.head.gateway.version,
      title: report.head.title,
      caps: report.recipe.caps,
      ...(report.head.madeAt === null ? {} : { madeAt: report.head.madeAt }),
      ...(report.baseline === null || older === null
        ? {}
        : { baseline: { name: report.baseline.name, report: older } }),
    },
  );
  let taken = 0;
  for (const record of source.records) {
    builder.take(record);
    await pause(++taken);
  }
  const isOther = evidence.kind === 'file' && evidence.digest !== report.evidence.fileDigest;
  const details: Check['details'] = [
    ...(isOther ? [{ exchange: null, text: OTHER_FILE }] : []),
    ...compareReports(report, builder.close()),
  ];
  const sound = details.length === 0;
  const text = sound
    ? `The report follows from the recording: made again out of its ${taken} exchanges, it is the same.${baselineText(report, older)}`
    : 'The report does not follow from the recording.';
  return { what: 'contents', sound, text, details };
}

function baselineText({ baseline }: Report, older: Report | null): string {
  if (baseline === null) return '';
  return older === null
    ? ' What it says of a baseline is not checked: add --baseline.'
    : ' What it says of its baseline follows from the older report.';
}

const OTHER_FILE = 'The file is not the one that the report was made of.';

/** The chain is checked by itself, against what the report says of it. */
function asReported({ evidence, head }: Report): EvidenceSource {
  return {
    kind: 'chain',
    head: evidence.head,
    links: head.recording.exchanges,
    breaks: () => evidence.breaks,
  };
}
