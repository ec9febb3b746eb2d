/** Checks of a bank profile beyond its schema: paths that cannot be told apart, patterns that name nothing. */
import { nearestOf } from '../nearest.js';
import { EVERY_OPERATION_ID, type OperationId, operationRow, PAYMENT_SERVICES } from '../operations.js';
import { clashesOf } from '../recognise.js';
import { type BankProfile, nameOperation, namesOperation } from './bank-profile.js';
import { DEFAULT_SEGMENT, templatesOf } from './dialect.js';

export interface ProfileProblem {
  readonly place: readonly PropertyKey[];
  readonly problem: string;
}

/** Nobody reads more. */
const MOST_PROBLEMS = 100;

/** Problems of a profile that fits the schema, in the order of its members. */
export function profileProblems(profile: BankProfile): readonly ProfileProblem[] {
  const problems: ProfileProblem[] = [];
  for (const check of [pathProblems, overlaps, patternProblems, twice])
    for (const problem of check(profile)) if (problems.push(problem) === MOST_PROBLEMS) return problems;
  return problems;
}

/** Warnings: the profile can be used, and does something that was hardly meant. */
export function* profileWarnings({ paths = {}, sca = {} }: BankProfile): Generator<ProfileProblem> {
  const { base = '', bases = {}, values = {}, offers = [] } = paths;
  const wanted = new Set<string>();
  const places = Object.entries(bases).map(([group, one]) => ({ place: ['bases', group], one }));
  for (const { place, one } of [{ place: ['base'], one: base }, ...places])
    for (const name of namesIn(one)) {
      const isMissing = name !== 'segment' && !Object.hasOwn(values, name) && !wanted.has(name);
      wanted.add(name);
      const problem = `{${name}} has no value in paths.values; the emulator writes “${name}”`;
      if (isMissing) yield { place: ['paths', ...place], problem };
    }
  for (const path of Object.values(paths.operations ?? {}))
    for (const name of namesIn(path ?? '')) wanted.add(name);
  for (const name of Object.keys(values))
    if (!wanted.has(name))
      yield { place: ['paths', 'values', name], problem: `no base has {${name}}; the value is not used` };
  if (sca.steps?.includes('confirmation') === true && sca.approaches?.includes('redirect') !== true)
    yield {
      place: ['sca', 'steps'],
      problem: 'the code of a confirmation comes by a redirect, which sca.approaches does not name',
    };
  const isByPut = offers.some((id) => operationRow(id).method === 'PUT');
  if ((sca.steps ?? []).length > 0 && !isByPut)
    yield {
      place: ['sca', 'steps'],
      problem: 'the TPP sends these by PUT, and paths.offers names no operation that ends in “.update”',
    };
}

function* pathProblems(profile: BankProfile): Generator<ProfileProblem> {
  const templates = templatesOf(profile, DEFAULT_SEGMENT);
  const { operations = {} } = profile.paths ?? {};
  for (const [id, template] of templates) {
    const place = ['paths', ...placeOf(operations, id)];
    if (template === '') yield { place, problem: `${id} has no path` };
    // Some banks ask at one address for every authorisation.
    const wanted = id === 'oauth.authorize' ? [] : namesIn(operationRow(id).path);
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

/** Paths that are two operations at once: what one names, a parameter of the other takes. */
function* overlaps(profile: BankProfile): Generator<ProfileProblem> {
  const templates = [...templatesOf(profile, DEFAULT_SEGMENT)].map(([id, path]) => ({ id, path }));
  const own = profile.paths?.operations ?? {};
  for (const [at, one] of templates.entries())
    for (const other of templates.slice(at + 1)) {
      if (operationRow(one.id).method !== operationRow(other.id).method) continue;
      const taken = takenBetween(one.path, other.path);
      if (taken === undefined) continue;
      const place = [
        'paths',
        ...(Object.hasOwn(own, one.id) ? ['operations', one.id] : placeOf(own, other.id)),
      ];
      yield {
        place,
        problem: `${one.path} (${one.id}) and ${other.path} (${other.id}) overlap: ${taken}`,
      };
    }
  for (const [at, { path, methods }] of (profile.paths?.further ?? []).entries())
    for (const { id, path: known } of templates)
      if (methods.some((method) => method === operationRow(id).method) && isSamePath(path, known))
        yield { place: ['paths', 'further', at, 'path'], problem: `${path} is the path of ${id} already` };
}

const placeOf = (own: object, id: OperationId): string[] =>
  Object.hasOwn(own, id) ? ['operations', id] : ['base'];

/** `{accountId} takes “details”`, where some path fits both; undefined where none does, or only such as no check can tell apart. */
function takenBetween(one: string, other: string): string | undefined {
  const [left, right] = [one.split('/'), other.split('/')];
  if (left.length !== right.length) return undefined;
  let taken: string | undefined;
  for (const [at, a] of left.entries()) {
    const b = right[at] ?? '';
    if (a === b || (isName(a) && isName(b))) continue;
    const [name, word] = isName(a) ? [a, b] : [b, a];
    if (!isName(name) || !canBe(name, word)) return undefined;
    taken ??= `${name} takes “${word}”`;
  }
  return taken;
}

const isSamePath = (one: string, other: string): boolean =>
  one.replaceAll(/\{\w+\}/g, '{}') === other.replaceAll(/\{\w+\}/g, '{}');
const isName = (part: string): boolean => part.startsWith('{');
const canBe = (name: string, word: string): boolean =>
  name !== '{paymentService}' || PAYMENT_SERVICES.some((service) => service === word);

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function* patternProblems({
  headers = {},
  query = {},
  deviations = [],
}: BankProfile): Generator<ProfileProblem> {
  for (const kind of ['required', 'optional', 'forbidden'] as const)
    for (const [header, patterns] of Object.entries(headers[kind] ?? {}))
      yield* unknownPatterns(patterns, ['headers', kind, header]);
  for (const kind of ['further', 'optional'] as const)
    for (const [name, patterns] of Object.entries(query[kind] ?? {}))
      yield* unknownPatterns(patterns, ['query', kind, name]);
  for (const [at, { operations = [] }] of deviations.entries())
    yield* unknownPatterns(operations, ['deviations', at, 'operations']);
}

/** Statements that contradict each other, or share an id. */
function* twice({ paths = {}, headers = {}, deviations = [] }: BankProfile): Generator<ProfileProblem> {
  for (const [at, id] of (paths.offers ?? []).entries())
    if (paths.operations?.[id] === null)
      yield { place: ['paths', 'offers', at], problem: `${id} is null in paths.operations` };
  for (const [name, patterns] of Object.entries(headers.required ?? {}))
    for (const [other, against] of Object.entries(headers.forbidden ?? {})) {
      const both = EVERY_OPERATION_ID.find((id) => nameOperation(patterns, id) && nameOperation(against, id));
      if (both !== undefined && name.toLowerCase() === other.toLowerCase())
        yield { place: ['headers', 'forbidden', other], problem: `headers.required asks ${both} for it` };
    }
  for (const [at, { id }] of deviations.entries()) {
    const first = deviations.findIndex((one) => one.id === id);
    if (first < at)
      yield { place: ['deviations', at, 'id'], problem: `deviations[${first}] has the id ${id} already` };
  }
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
