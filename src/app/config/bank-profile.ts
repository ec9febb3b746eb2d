/** The bank profile as it is set: by the name of one that comes with the program, by a file, or as a session notes it. */
import { join } from 'node:path';
import * as z from 'zod';
import { isObject, jsonPath, locateMember, memberOf, parseJsonText } from '../../exchange/index.js';
import { readText, readUpTo } from '../../files/index.js';
import { isTimeZone } from '../../ledger/index.js';
import { RULES } from '../../rules/index.js';
import {
  type BankProfile,
  BUILT_IN_BANK,
  bankProfile,
  type Dialect,
  dialectOf,
  inPlainWords,
  LONGEST_PROFILE,
  nearestOf,
  type ProfileProblem,
  profileProblems,
  profileWarnings,
  SandgateError,
  slipOf,
} from '../../spec/index.js';
import { BUILT_IN_BANKS, bankProfileNames } from '../built.js';
import { isFile } from './read-file.js';

/** @throws SandgateError that names the file, the line and what is expected there */
export function readBankProfile(named: string): BankProfile | undefined {
  if (named === BUILT_IN_BANK) return undefined;
  const names = [BUILT_IN_BANK, ...bankProfileNames()];
  if (names.includes(named)) return parseBankProfile(readText(join(BUILT_IN_BANKS, `${named}.json`)), named);
  if (isFile(named)) return parseBankProfile(readProfileText(named), named);
  const meant = slipOf(named, names);
  throw new SandgateError('profile.unknown', {
    name: named.slice(0, 200),
    names: names.join(', '),
    nearest: meant,
  });
}

/** @throws SandgateError where the file is larger than a profile may be */
export function readProfileText(file: string): string {
  const bytes = readUpTo(file, LONGEST_PROFILE);
  if (bytes === null) throw new SandgateError('file.too-large', { file, most: '100 kB' });
  return bytes.toString('utf8');
}

/** @throws SandgateError with the first problem */
export function parseBankProfile(text: string, file: string): BankProfile {
  const { profile, problems } = examineBankProfile(text, file);
  const [problem] = problems;
  if (profile !== undefined && problem === undefined) return profile;
  const { line = 1, place = '', says = 'it is no bank profile' } = problem ?? {};
  throw new SandgateError('profile.invalid', {
    file,
    line,
    place: place === '' ? '' : `, ${place}`,
    problem: says,
  });
}

export interface ProfileRemark {
  readonly line: number;
  /** `paths.base`; empty for the whole. */
  readonly place: string;
  readonly says: string;
}

export interface ExaminedProfile {
  /** undefined: it does not fit the schema. */
  readonly profile: BankProfile | undefined;
  readonly problems: readonly ProfileRemark[];
  readonly warnings: readonly ProfileRemark[];
}

/** Each is looked up in the text. */
const MOST_REMARKS = 100;

/** The problems and warnings of the text of a profile. @throws SandgateError where it is no JSON */
export function examineBankProfile(text: string, file: string): ExaminedProfile {
  const value = parseJsonText(text, file);
  const read = bankProfile.safeParse(value, { error: nameByName });
  const issues = read.error?.issues.slice(0, MOST_REMARKS) ?? [];
  const wrong = issues.flatMap(problemsOf);
  // Faults of the schema are taken out, so that the rest is examined as well.
  const rest = read.success ? read : bankProfile.safeParse(withoutFaults(value, issues));
  const further = rest.success ? [...profileProblems(rest.data), ...nameProblems(rest.data)] : [];
  const doubtful = rest.success ? [...profileWarnings(rest.data)] : [];
  const remark = ({ place, problem }: ProfileProblem): ProfileRemark => {
    const at = jsonPath(place);
    const line = text.slice(0, locateMember(text, at).from).split('\n').length;
    return { line, place: at, says: problem };
  };
  const remarks = (all: readonly ProfileProblem[]): ProfileRemark[] => {
    const first = all.slice(0, MOST_REMARKS).map(remark);
    const each = new Map(first.map((one) => [JSON.stringify(one), one]));
    return [...each.values()].sort((a, b) => a.line - b.line);
  };
  return {
    profile: read.data,
    problems: remarks([...wrong, ...further]),
    warnings: remarks(doubtful),
  };
}

type Issue = z.core.$ZodIssue;

/** A line for each name that is not known. */
const nameByName: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'unrecognized_keys'
    ? issue.keys
        .slice(0, MOST_REMARKS)
        .map((key) => inPlainWords({ ...issue, keys: [key] }))
        .join('\n')
    : inPlainWords(issue);

function problemsOf(issue: Issue): ProfileProblem[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ place: path, problem: message }];
  return message.split('\n').map((problem, at) => ({ place: [...path, issue.keys[at] ?? ''], problem }));
}

/** The value without what the issues are about; entries of the list of deviations keep their places. */
function withoutFaults(value: unknown, issues: readonly Issue[]): unknown {
  let rest = value;
  for (const issue of issues) {
    const { path } = issue;
    const [part, at] = path;
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, MOST_REMARKS)) rest = replaced(rest, [...path, key], undefined);
    else if (part === 'deviations' && typeof at === 'number')
      rest = replaced(rest, [part, at], { ...NO_DEVIATION, id: `faulty-${at}` });
    else rest = replaced(rest, path.slice(0, 1), undefined);
  }
  return isObject(rest) ? { ...NO_HEAD, ...rest } : rest;
}

const NO_HEAD = { name: 'none', title: '-', standard: '-', sources: [{ where: '-', tells: '-' }] };
const NO_DEVIATION = { rule: RULES[0]?.id, says: '-', sample: '-' };

/** A copy with another value at a place; undefined: with none. */
function replaced(value: unknown, [name, ...rest]: readonly PropertyKey[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((one, at) => (at === name ? replaced(one, rest, by) : one));
  if (!isObject(value)) return value;
  const inner = rest.length === 0 ? by : replaced(memberOf(value, String(name)), rest, by);
  const others = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(inner === undefined ? others : [...others, [name, inner]]);
}

/** Names of rules and of a time zone that do not exist. */
function* nameProblems({ rules = {}, deviations = [], limits = {} }: BankProfile): Generator<ProfileProblem> {
  const { zone } = limits.accesses ?? {};
  if (zone !== undefined && !isTimeZone(zone))
    yield {
      place: ['limits', 'accesses', 'zone'],
      problem: 'a time zone such as Europe/Brussels is expected',
    };
  const ids = RULES.map(({ id }) => id);
  const named: (readonly [string, readonly PropertyKey[]])[] = [
    ...Object.keys(rules).map((id) => [id, ['rules', id]] as const),
    ...deviations.map(({ rule }, at) => [rule, ['deviations', at, 'rule']] as const),
  ];
  for (const [id, place] of named)
    if (!ids.includes(id))
      yield { place, problem: `there is no rule ${id}; did you mean ${nearestOf(id, ids)}?` };
}

/** A name or a file, or the profile itself, as sessions and reports note it. */
export const bankProfileValue = z
  .union([z.string().trim().min(1), bankProfile], {
    error: 'the name of a bank profile or a file is expected',
  })
  .transform((given) => (typeof given === 'string' ? readBankProfile(given) : given));

/** The interface that the settings name. */
export const dialectIn = ({
  bankProfile: profile,
  segment,
}: {
  readonly bankProfile?: BankProfile | undefined;
  readonly segment: string;
}): Dialect => dialectOf(profile, segment);

/** The settings for a recording whose interface is its own. */
export const settingsUnder = <S extends object>(settings: S, { segment, profile }: Dialect) => ({
  ...settings,
  segment,
  bankProfile: profile,
});
