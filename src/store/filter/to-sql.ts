/**
 * Turns a filter into a condition on the rows of a driver, as far as its columns tell what is asked. What they do not
 * tell is NULL, and SQL's own logic of three values does the rest: only a row for which the filter is certainly false
 * is passed over.
 */
import type { FilterField, FilterTerm, FilterTree } from './tree.js';

export interface Condition {
  /** True for rows that may match; neither NULL nor false for any that does. */
  readonly sql: string;
  /** True for rows that match, false for those that do not, NULL where it does not tell; with the same values. */
  readonly told: string;
  /** In the order of their placeholders. */
  readonly values: readonly (string | number)[];
  /** What the records of these rows are still to be held against; null: nothing, they match. */
  readonly rest: FilterTree | null;
}

/** What a column tells of a term: `sql` is true, false, or NULL where it does not tell. */
interface Told {
  readonly sql: string;
  /** It tells it of every row. */
  readonly isSure?: true;
}

/** `bind` gives the placeholder of a value; in the order in which they stand in what is returned. */
export type TermToSql = (term: FilterTerm, bind: (value: string | number) => string) => Told | undefined;

export interface Dialect {
  /** Without a column nothing is told of a field, and where it returns undefined, nothing of the term. */
  readonly columns: Readonly<Partial<Record<FilterField, TermToSql>>>;
  /** Of the value at a place, from 1 on: `?`, or `$1`. */
  readonly placeholder: (place: number) => string;
}

export function toSql(tree: FilterTree, { columns, placeholder }: Dialect): Condition {
  const values: (string | number)[] = [];
  const bind = (value: string | number) => placeholder(values.push(value));

  function partOf(part: FilterTree): Omit<Condition, 'told' | 'values'> {
    if ('and' in part) {
      const { sql, rests } = joined(part.and, ' AND ', 'TRUE');
      return { sql, rest: rests.length > 1 ? { and: rests } : (rests[0] ?? null) };
    }
    if ('or' in part) {
      const { sql, rests } = joined(part.or, ' OR ', 'FALSE');
      return { sql, rest: rests.length > 0 ? part : null };
    }
    if ('not' in part) {
      const { sql, rest } = partOf(part.not);
      return { sql: `NOT (${sql})`, rest: rest === null ? null : part };
    }
    const { sql, isSure } = columns[part.field]?.(part, bind) ?? { sql: 'NULL' };
    return { sql, rest: isSure ? null : part };
  }

  function joined(parts: readonly FilterTree[], by: string, none: string) {
    const all = parts.map(partOf);
    return {
      sql: all.length === 0 ? none : all.map(({ sql }) => `(${sql})`).join(by),
      rests: all.flatMap(({ rest }) => rest ?? []),
    };
  }

  const { sql, rest } = partOf(tree);
  return { sql: `(${sql}) IS NOT FALSE`, told: sql, values, rest };
}
