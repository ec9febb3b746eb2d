/** JSON as JSON.stringify writes it with two spaces: made in pieces, because in one text it takes six times its size. */
import type { Report } from '../model.js';

/** The rows of the appendix are the third level of a report. */
const LEVELS = 3;
const CHUNK = 65_536;

export const jsonBytes = (report: Report): Buffer => Buffer.concat([...jsonChunks(report)]);

/** Members in the order of the schema, a line end behind the last brace. */
export function* jsonChunks(report: Report): Generator<Buffer> {
  let text = '';
  for (const piece of piecesOf(report, '', LEVELS)) {
    text += piece;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}\n`);
}

function* piecesOf(value: unknown, indent: string, levels: number): Generator<string> {
  const isList = Array.isArray(value);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const written = entries.filter(([, one]) => isList || one !== undefined);
  if (levels === 0 || written.length === 0) {
    yield JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
    return;
  }
  const inner = `${indent}  `;
  let before = isList ? '[' : '{';
  for (const [name, one] of written) {
    yield `${before}\n${inner}${isList ? '' : `${JSON.stringify(name)}: `}`;
    yield* piecesOf(one, inner, levels - 1);
    before = ',';
  }
  yield `\n${indent}${isList ? ']' : '}'}`;
}
