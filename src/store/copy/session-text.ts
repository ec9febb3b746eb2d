/**
 * One session apart from its store: as lines of text, each a row of one of its chains, and as a store in a file of its own.
 * All that its links are made of goes over as it stands, and no secret: the key of the fingerprints stays with the store.
 */
import { hash } from 'node:crypto';
import { SandgateError } from '../../spec/index.js';
import { readText } from '../columns.js';
import { openSqliteTarget } from '../sqlite/copying.js';
import { publishing } from '../vault.js';
import { type Page, putPage, sessionPages } from './copy.js';
import { type CopyPlace, soundRow, TABLES, type Table } from './tables.js';

/** Fingerprints stand in the session already; whoever reads it apart from its store makes none that must be secret. */
const KEY = hash('sha256', 'sandgate-session', 'buffer');

/** How many keys of contents a session has, and how many of them whoever has the copy can use. */
export interface CopiedKeys {
  readonly all: number;
  readonly open: number;
}

/** Another store, with this session alone. `withKeys`: whoever has it can decipher its contents. @throws SandgateError */
export async function copySession(
  from: CopyPlace,
  session: string,
  file: string,
  withKeys = false,
): Promise<CopiedKeys> {
  let [all, open] = [0, 0];
  const opened = (key: Uint8Array | null) => {
    const publish = withKeys && key !== null ? publishing(key, KEY) : () => null;
    return (id: string, wrapped: string): string | null => {
      all += 1;
      const published = publish(id, wrapped);
      if (published !== null) open += 1;
      return published;
    };
  };
  await fill(file, sessionPages(from, session, opened));
  return { all, open };
}

async function fill(file: string, pages: AsyncIterable<Page>): Promise<void> {
  const target = openSqliteTarget(file);
  try {
    await target.begin(KEY);
    for await (const page of pages) await putPage(target, page);
    await target.finish();
  } finally {
    await target.close();
  }
}

/** Each line is a JSON list: the name of the table, and the row. @throws SandgateError */
export async function* sessionLines(from: CopyPlace, session: string): AsyncGenerator<string> {
  for await (const page of sessionPages(from, session)) {
    let text = '';
    for (const [table, row] of page) {
      const types = Object.values(TABLES[table]);
      const values = soundRow(table, row).map((value, i) => (types[i] === 'bytea' ? textIn(value) : value));
      text += `${JSON.stringify([table, ...values])}\n`;
    }
    yield text;
  }
}

/** Texts are written plain; bytes that hold none, which somebody put there, in base64. */
function textIn(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  try {
    return readText(value);
  } catch {
    return { base64: Buffer.from(value).toString('base64') };
  }
}

const TAKEN: readonly Table[] = [
  'chains',
  'parts',
  'certificates',
  'keys',
  'exchanges',
  'beginnings',
  'notes',
];

const isTaken = (name: unknown): name is Table => TAKEN.some((table) => table === name);

/** Lines of a transaction, and their characters. */
const ROWS = 1_000;
const LENGTH = 4_194_304;

/**
 * A new store out of such lines, which may come from anybody. `file`: what an error calls them.
 * @throws SandgateError where a line is no row of the session, or two are of one entry
 */
export async function readSession(
  lines: AsyncIterable<string>,
  { session, file }: { readonly session: string; readonly file: string },
  path: string,
): Promise<void> {
  async function* pages(): AsyncGenerator<Page> {
    let page: (readonly [Table, readonly unknown[]])[] = [];
    let [line, length] = [0, 0];
    for await (const text of lines) {
      line += 1;
      const read = rowIn(text);
      if (read === null || (read[0] === 'chains' && read[1][1] !== session))
        throw new SandgateError('bundle.line', { file, line, session });
      page.push(read);
      length += text.length;
      if (page.length < ROWS && length < LENGTH) continue;
      yield page;
      [page, length] = [[], 0];
    }
    yield page;
  }
  try {
    await fill(path, pages());
  } catch (error) {
    throw error instanceof Error && isTwice(error)
      ? new SandgateError('bundle.twice', { file }, { cause: error })
      : error;
  }
}

const isTwice = ({ cause }: { readonly cause?: unknown }): boolean =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_CONSTRAINT');

const CHAIN_COLUMNS = Object.keys(TABLES.chains);

function rowIn(text: string): Page[number] | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const [table, ...row] = Array.isArray(read) ? read : [];
  if (!isTaken(table)) return null;
  const types: readonly string[] = Object.values(TABLES[table]);
  if (row.length !== types.length) return null;
  // Turns order all entries of a chain, or none.
  const hasNo = (name: string): boolean => row[CHAIN_COLUMNS.indexOf(name)] === null;
  if (table === 'chains' && hasNo('first_turn') !== hasNo('turn')) return null;
  return [table, row.map((value, i) => (types[i] === 'bytea' ? columnIn(value) : value))];
}

function columnIn(value: unknown): unknown {
  if (typeof value === 'string' || Number.isSafeInteger(value)) return value;
  const { base64 = null } = { ...(value as { base64?: unknown } | null) };
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null;
}
