/** What entries share with others, by what their columns say: texts, which are parts of a chain, and certificates. */
import type { CertificateFacts } from '../../certificate/index.js';
import { createRecentCache } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { createCertificateReader } from '../certificates.js';
import { type Column, LEFT_OUT, readText } from '../columns.js';
import { type SharedText, share } from '../shared-text.js';
import { arrayOf, arraysOf } from './arrays.js';
import type { Connection } from './client.js';
import { contentOf } from './column-bytes.js';

export interface Columns {
  readonly chain: number;
  readonly columns: readonly Column[];
  readonly shape: Column;
}

export interface SharedTexts {
  /** Reads what these name, where it is not known. */
  readonly fetch: (rows: readonly Columns[]) => Promise<NamedTexts>;
  readonly certificateOf: (chain: number, reference: string) => CertificateFacts;
}

/** What the rows of a page name, held for as long as one of them is: together it may be more than is remembered. */
export interface NamedTexts {
  /** Throws where it is not there. */
  readonly textOf: (column: Column) => SharedText | null;
  /** Leaves a long body out for a reader who needs none. */
  readonly bodyOf: (column: Column, isBrief: boolean) => SharedText | null;
}

/** Parts that are remembered, in characters. */
const CACHED = 4_194_304;
/** Certificates that are remembered. */
const REMEMBERED = 1_024;

export function createSharedTexts(query: Connection['query']): SharedTexts {
  const parts = createRecentCache<number, SharedText>(CACHED, ({ text }) => text.length);
  const certificates = createRecentCache<string, string>(REMEMBERED);
  const certificateOf = createCertificateReader((chain, reference) =>
    certificates.get(`${chain} ${reference}`),
  );
  /** By the shapes that name them. */
  const references = new WeakMap<SharedText, string>();

  async function fetchParts(rows: readonly Columns[]): Promise<Map<number, SharedText>> {
    const held = new Map<number, SharedText>();
    const missing = new Map<number, number>();
    for (const { chain, columns } of rows)
      for (const column of columns) {
        if (typeof column !== 'number' || held.has(column)) continue;
        const known = parts.get(column);
        if (known === undefined) missing.set(column, chain);
        else held.set(column, known);
      }
    if (missing.size === 0) return held;
    const found = await query(
      `SELECT part, content FROM unnest($1::int8[], $2::int8[]) AS given (chain_, part_)
         JOIN parts ON chain = chain_ AND part = part_`,
      [arrayOf('int8', [...missing.values()]), arrayOf('int8', [...missing.keys()])],
    );
    for (const [part, content] of found as unknown as [number, Buffer][]) {
      const shared = sharedIfReadable(contentOf(content));
      if (shared === null) continue;
      held.set(part, shared);
      parts.set(part, shared);
    }
    return held;
  }

  const namedIn = (held: ReadonlyMap<number, SharedText>): NamedTexts => {
    const textOf = (column: Column): SharedText | null => {
      if (column === null) return null;
      if (typeof column !== 'number') return share(readText(column));
      const part = held.get(column);
      if (part === undefined) throw new SandgateError('record.text-gone', { column });
      return part;
    };
    const isLeftOut = (column: Column, isBrief: boolean) => isBrief && column instanceof Uint8Array;
    return { textOf, bodyOf: (column, isBrief) => (isLeftOut(column, isBrief) ? LEFT_OUT : textOf(column)) };
  };

  function referenceOf(shape: SharedText): string {
    let reference = references.get(shape);
    if (reference === undefined) {
      reference = certificateIn(shape.text);
      references.set(shape, reference);
    }
    return reference;
  }

  async function fetchCertificates(rows: readonly Columns[], { textOf }: NamedTexts): Promise<void> {
    const missing = new Map<string, readonly [chain: number, reference: string]>();
    for (const { chain, shape } of rows) {
      const read = readOrNull(() => textOf(shape));
      const reference = read === null ? '' : referenceOf(read);
      const name = `${chain} ${reference}`;
      if (reference !== '' && certificates.get(name) === undefined) missing.set(name, [chain, reference]);
    }
    if (missing.size === 0) return;
    const found = await query(
      `SELECT chain, reference, facts FROM unnest($1::int8[], $2::text[]) AS given (chain_, reference_)
         JOIN certificates ON chain = chain_ AND reference = reference_`,
      arraysOf(['int8', 'text'], [...missing.values()]),
    );
    for (const [chain, reference, facts] of found) certificates.set(`${chain} ${reference}`, String(facts));
  }

  return {
    fetch: async (rows) => {
      const named = namedIn(await fetchParts(rows));
      await fetchCertificates(rows, named);
      return named;
    },
    certificateOf,
  };
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const sharedIfReadable = (content: string | Uint8Array): SharedText | null =>
  readOrNull(() => share(readText(content)));

/** Empty where it names none. */
function certificateIn(shape: string): string {
  const read = readOrNull(() => JSON.parse(shape) as { certificate?: unknown });
  const name = String(read?.certificate ?? '');
  return name === 'absent' || name === 'not-observed' ? '' : name;
}
