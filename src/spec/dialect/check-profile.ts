/** Checks of a bank profile beyond its schema: paths that cannot be told apart, patterns that name nothing. */
import { nearestOf } from '../nearest.js';
import { EVERY_OPERATION_ID, operationRow } from '../operations.js';
import { clashesOf } from '../recognise.js';
import { type BankProfile, namesOperation } from './bank-profile.js';
import { DEFAULT_SEGMENT, templatesOf } from './dialect.js';

export interface ProfileProblem {
  readonly place: readonly PropertyKey[];
  readonly problem: string;
}

/** Problems of a profile that fits the schema, in the order of its members. */
export function profileProblems(profile: BankProfile): readonly ProfileProblem[] {
  return [...pathProblems(profile), ...patternProblems(profile)];
}

function* pathProblems(profile: BankProfile): Generator<ProfileProblem> {
  const templates = templatesOf(profile, DEFAULT_SEGMENT);
  const { operations = {} } = profile.paths ?? {};
  for (const [id, template] of templates) {
    const place = ['paths', ...(Object.hasOwn(operations, id) ? ['operations', id] : ['base'])];
    if (template === '') yield { place, problem: `${id} has no path` };
    const wanted = namesIn(operationRow(id).path);
    const lost = wanted.filter((name) => name !== 'segment' && !namesIn(template).includes(name));
    if (lost.length > 0) yield { place, problem: `the path of ${id} lacks {${lost.join('}, {')}}` };
    const names = namesIn(template);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) yield { place, problem: `the path of ${id} has {${twice}} twice` };
  }
  for (const { one, other } of clashesOf(templates)) {
    const place = ['paths', 'operations', other];
    yield {
      place,
      problem: `${templates.get(other)} (${other}) and ${templates.get(one)} (${one}) cannot be told apart`,
    };
  }
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function* patternProblems({ headers = {}, deviations = [] }: BankProfile): Generator<ProfileProblem> {
  for (const kind of ['required', 'optional', 'forbidden'] as const)
    for (const [header, patterns] of Object.entries(headers[kind] ?? {}))
      yield* unknownPatterns(patterns, ['headers', kind, header]);
  for (const [at, { operations = [] }] of deviations.entries())
    yield* unknownPatterns(operations, ['deviations', at, 'operations']);
}

function* unknownPatterns(
  patterns: readonly string[],
  place: readonly PropertyKey[],
): Generator<ProfileProblem> {
  for (const [at, pattern] of patterns.entries()) {
    if (EVERY_OPERATION_ID.some((id) => namesOperation(pattern, id))) continue;
    const problem = `${pattern} names no operation; did you mean ${nearestOf(pattern, EVERY_OPERATION_ID)}?`;
    yield { place: [...place, at], problem };
  }
}
