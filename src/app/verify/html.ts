/** Checks that an HTML report is that of a JSON report, by making it again. */
import { digestOf, type Report, renderReport, type Statement } from '../../report/index.js';
import { type Check, checked } from './check.js';

export interface HtmlParts {
  /** What the reader calls the file. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** `signed`: the statement of the report, where it was signed with the key of the reader. */
export async function checkHtml(
  report: Report,
  { name, bytes }: HtmlParts,
  signed: Statement | null,
): Promise<Check> {
  if (signed !== null && !signed.files.some(({ sha256 }) => sha256 === digestOf(bytes)))
    return checked(
      'html',
      false,
      `${name} is not signed with the report: its digest is not in the statement.`,
    );
  const statement = statementNamedIn(bytes);
  const again = Buffer.from(await renderReport(report, 'html', statement === null ? {} : { statement }));
  if (again.equals(bytes))
    return checked('html', true, `${name} is this report: made again, it is the same.`);
  let at = 0;
  while (again[at] === bytes[at]) at++;
  const line = again.subarray(0, at).toString().split('\n').length;
  return checked('html', false, `${name} is not this report: made again, it differs from line ${line} on.`);
}

const STATEMENT = /<meta name="sandgate-statement" content="([^"]*)"\/>/;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The file of the statement that signs a page, as the page names it. */
export function statementNamedIn(html: Uint8Array): string | null {
  const named = STATEMENT.exec(Buffer.from(html.subarray(0, MOST_HEAD_BYTES)).toString('utf8'))?.[1];
  return named?.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity) ?? null;
}

const MOST_HEAD_BYTES = 4_096;
