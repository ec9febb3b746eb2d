/** Plain words for the user: what is wrong with a value, and counts. */
import type * as z from 'zod';
import { nearestOf } from './nearest.js';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
  null: 'null',
};

/** For `safeParse(value, { error: inPlainWords })`; a schema's own messages come first. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = KINDS[issue.expected] ?? issue.expected;
      return issue.input === undefined ? `it is missing; ${expected} is expected` : `${expected} is expected`;
    }
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, membersOf(issue.inst));
    case 'invalid_value':
      return `${issue.input === undefined ? 'it is missing; ' : ''}${choice(issue.values)} is expected`;
    case 'too_small':
      return issue.origin === 'string'
        ? 'it is empty; a text is expected'
        : `at least ${issue.minimum} is expected`;
    case 'too_big':
      return issue.origin === 'string'
        ? `at most ${issue.maximum} characters are expected`
        : `at most ${issue.maximum} is expected`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'there is an unknown name';
    default:
      return undefined;
  }
};

const choice = (values: readonly unknown[]): string =>
  `${values.length > 1 ? 'one of ' : ''}${values.map((value) => JSON.stringify(value)).join(', ')}`;

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const [first = ''] = keys;
  const names = keys.map((key) => `“${key}”`).join(', ');
  const advice = known.length === 0 ? 'omit it' : `the nearest name is “${nearestOf(first, known)}”`;
  return `${names} is not known here; ${advice}`;
}

/** Members of an object, or of a record with listed names. */
function membersOf(schema: unknown): string[] {
  const { shape, keyType } = (schema ?? {}) as {
    readonly shape?: object;
    readonly keyType?: { readonly options?: readonly string[] };
  };
  return shape === undefined ? [...(keyType?.options ?? [])] : Object.keys(shape);
}

/** `was` of one, `were` of any other count; `many` for what takes more than an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `1 call`, `2 calls`. */
export function counted(count: number, one: string, many?: string): string {
  return `${count} ${plural(count, one, many)}`;
}

/** A word as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
