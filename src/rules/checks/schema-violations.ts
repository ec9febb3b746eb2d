/** Validates a body against its schema: one violation for each field. */
import { jsonPath, memberPlace } from '../../exchange/index.js';
import { type ANSWER_BODIES, createCheck } from '../../spec/index.js';
import { type Violation, violation } from '../rule.js';

type Schema = Parameters<typeof createCheck>[0] &
  Pick<NonNullable<(typeof ANSWER_BODIES)[keyof typeof ANSWER_BODIES]>, 'safeParse'>;

/** A schema of a body. What most bodies are is told without the copy that a schema makes. */
export interface BodySchema {
  readonly fits: (value: unknown) => boolean;
  readonly schema: Schema;
}

export const bodySchema = (schema: Schema): BodySchema => ({ fits: createCheck(schema), schema });

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly origin?: string;
  readonly values?: readonly unknown[];
  readonly errors?: readonly (readonly Issue[])[];
}

const MOST = 20;
const LONGEST_ACTUAL = 60;

/** `place` is the body's: `body` or `answer body`. No more than 20 violations; an empty list where all is well. */
export function schemaViolations(
  { fits, schema }: BodySchema,
  value: unknown,
  place: 'body' | 'answer body',
): Violation[] {
  if (fits(value)) return [];
  const result = schema.safeParse(value);
  if (result.success) return [];
  return (result.error.issues as readonly Issue[]).slice(0, MOST).map((issue) => {
    return violation(
      memberPlace(place, jsonPath(issue.path)),
      expectation(issue),
      issue.code === 'too_small' && issue.origin === 'array'
        ? 'an empty array'
        : describe(valueAt(value, issue.path)),
    );
  });
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected ?? ''] ?? `a value of type ${issue.expected ?? 'another'}`;
    case 'too_small':
      return TOO_SMALL[issue.origin ?? ''] ?? issue.message;
    case 'invalid_value':
      return (issue.values ?? []).map(String).join(' or ');
    case 'invalid_union': {
      const options = (issue.errors ?? []).flatMap((branch) => branch.slice(0, 1));
      const names = options.map((option) => `${jsonPath(option.path)} ${expectation(option)}`.trim());
      return names.length === 0 ? issue.message : [...new Set(names)].join(', or ');
    }
    default:
      return issue.message;
  }
}

const TOO_SMALL: Readonly<Record<string, string>> = {
  string: 'a string that is not empty',
  array: 'an array that is not empty',
  number: 'a number above 0',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Object.hasOwn(here, step) ? (here as Record<PropertyKey, unknown>)[step] : undefined;
  }
  return here;
}

/** A value in a few words: `absent`, `null`, `42 (a number)`, `"42"`, `an object`. */
export function describe(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : JSON.stringify(value.slice(0, LONGEST_ACTUAL));
  return `${String(value)} (a ${typeof value})`;
}

export const A_DATE = 'a real date, YYYY-MM-DD';

const FORM = /^\d{4}-\d{2}-\d{2}$/;

export function describeDate(text: string): string {
  return FORM.test(text) ? `${describe(text)}, a day that does not exist` : describe(text);
}
