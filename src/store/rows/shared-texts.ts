/** Parts that entries share, by their columns: texts, which are parts of a chain, and certificates. */
import type { CertificateFacts } from '../../certificate/index.js';
import { createRecentCache } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { createCertificateReader } from '../certificates.js';
import { type Column, isLong, readShared } from '../columns.js';
import { type SharedText, share } from '../shared-text.js';
import { type Steps, wait } from '../steps.js';
import type { Database } from './database.js';

export interface NamingRow {
  readonly chain: number;
  readonly columns: readonly Column[];
  readonly shape: Column;
}

/** In the place of a long text. */
const LEFT_OUT: SharedText = share('');

/** Parts that are remembered, in characters. */
const CACHED = 4_194_304;
/** Enciphered bytes are remembered with their content. */
const DECIPHERED = 3;
/** Certificates that are remembered. */
const REMEMBERED = 1_024;

export function createSharedTexts({ query, dialect }: Database) {
  const parts = createRecentCache<number, SharedText>(
    CACHED,
    ({ text, bytes }) => text.length + DECIPHERED * (bytes?.length ?? 0),
  );
  const certificates = createRecentCache<string, string>(REMEMBERED);
  const certificateOf: (chain: number, reference: string) => CertificateFacts = createCertificateReader(
    (chain, reference) => certificates.get(`${chain} ${reference}`),
  );
  /** By the shapes that name them. */
  const references = new WeakMap<SharedText, readonly string[]>();

  function* fetchParts(rows: readonly NamingRow[]): Steps<never, Map<number, SharedText>> {
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
    const found = yield* wait(
      query('SELECT part, content FROM parts WHERE chain = ANY ($1::int8[]) AND part = ANY ($2::int8[])', [
        [...new Set(missing.values())],
        [...missing.keys()],
      ]),
    );
    for (const [part, content] of found as [number, unknown][]) {
      const shared = orNull(() => readShared(dialect.columnOf(content) as string | Uint8Array));
      if (shared === null) continue;
      held.set(part, shared);
      parts.set(part, shared);
    }
    return held;
  }

  const textIn =
    (held: ReadonlyMap<number, SharedText>) =>
    (column: Column): SharedText | null => {
      if (column === null) return null;
      if (typeof column !== 'number') return readShared(column);
      const part = held.get(column);
      if (part === undefined) throw new SandgateError('record.text-gone', { column });
      return part;
    };

  function referencesOf(shape: SharedText): readonly string[] {
    let named = references.get(shape);
    if (named === undefined) {
      named = certificatesIn(shape.text);
      references.set(shape, named);
    }
    return named;
  }

  function* fetchCertificates(
    rows: readonly NamingRow[],
    textOf: ReturnType<typeof textIn>,
  ): Steps<never, void> {
    const missing = new Map<string, readonly [chain: number, reference: string]>();
    for (const { chain, shape } of rows) {
      const read = orNull(() => textOf(shape));
      for (const reference of read === null ? [] : referencesOf(read)) {
        const name = `${chain} ${reference}`;
        if (certificates.get(name) === undefined) missing.set(name, [chain, reference]);
      }
    }
    if (missing.size === 0) return;
    const found = yield* wait(
      query(
        'SELECT chain, reference, facts FROM certificates WHERE chain = ANY ($1::int8[]) AND reference = ANY ($2::text[])',
        [0, 1].map((i) => [...new Set([...missing.values()].map((one) => one[i]))]),
      ),
    );
    for (const [chain, reference, facts] of found) certificates.set(`${chain} ${reference}`, String(facts));
  }

  return {
    certificateOf,
    forget: () => parts.clear(),
    /** Reads what these rows name; held for as long as one of them is: together it may be more than is remembered. */
    *namedBy(rows: readonly NamingRow[]) {
      const textOf = textIn(yield* fetchParts(rows));
      yield* fetchCertificates(rows, textOf);
      return {
        /** Throws where it is not there. */
        textOf,
        /** Leaves a long body out for a reader who needs none. */
        bodyOf: (column: Column, isBrief: boolean): SharedText | null => {
          if (isBrief && column instanceof Uint8Array) return LEFT_OUT;
          const shared = textOf(column);
          return isBrief && shared !== null && isLong(shared.text) ? LEFT_OUT : shared;
        },
      };
    },
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function certificatesIn(shape: string): string[] {
  const read = orNull(() => JSON.parse(shape) as { certificate?: unknown; seal?: unknown });
  return [read?.certificate, read?.seal]
    .map((name) => String(name ?? ''))
    .filter((name) => name !== '' && name !== 'absent' && name !== 'not-observed');
}
