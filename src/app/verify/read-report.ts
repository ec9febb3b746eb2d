/** Reads a report in JSON out of its bytes. */
import { jsonPath, parseJsonText } from '../../exchange/index.js';
import { type Report, reportSchema } from '../../report/index.js';
import { inPlainWords, SandgateError } from '../../spec/index.js';

/** `name` begins the sentence of an error. */
export function readReport(text: string, name: string): Report {
  const parsed = reportSchema.safeParse(parseJsonText(text, name), { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${jsonPath(issue.path)}`;
  throw new SandgateError('verify.no-report', {
    file: name,
    problem: `${issue?.message ?? 'another form is expected'}${place}`,
  });
}

/** A report as it stands: with its members in their order, and none that it does not hold. */
export interface StandingReport {
  readonly text: string;
  readonly report: Report;
}

/** Bytes that are no UTF-8 are an error: a reader would show others in their place. */
export function readStanding(bytes: Uint8Array, name: string): StandingReport {
  const text = decode(bytes, name);
  readReport(text, name);
  return { text, report: JSON.parse(text.replace(/^\uFEFF/, '')) as Report };
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SandgateError('verify.no-utf-8', { file: name }, { cause });
  }
}
