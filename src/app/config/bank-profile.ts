/** The bank profile as it is set: by the name of one that comes with the program, by a file, or as a session notes it. */
import { join } from 'node:path';
import * as z from 'zod';
import { jsonPath, locateMember, parseJsonText } from '../../exchange/index.js';
import { readText } from '../../files/index.js';
import { RULES } from '../../rules/index.js';
import {
  type BankProfile,
  bankProfile,
  type Dialect,
  dialectOf,
  inPlainWords,
  nearestOf,
  profileProblems,
  SandgateError,
  slipOf,
} from '../../spec/index.js';
import { BUILT_IN_BANKS, bankProfileNames } from '../built.js';
import { isFile } from './read-file.js';

/** The name of the built-in interface, which is the default. */
export const BUILT_IN_BANK = 'sandgate';

/** @throws SandgateError that names the file, the line and what is expected there */
export function readBankProfile(named: string): BankProfile | undefined {
  if (named === BUILT_IN_BANK) return undefined;
  const names = bankProfileNames();
  if (names.includes(named)) return parseBankProfile(readText(join(BUILT_IN_BANKS, `${named}.json`)), named);
  if (isFile(named)) return parseBankProfile(readText(named), named);
  const meant = slipOf(named, names);
  throw new SandgateError('profile.unknown', {
    name: named.slice(0, 200),
    names: [BUILT_IN_BANK, ...names].join(', '),
    nearest: meant,
  });
}

export function parseBankProfile(text: string, file: string): BankProfile {
  const read = bankProfile.safeParse(parseJsonText(text, file), { error: inPlainWords });
  const wrong = (path: readonly PropertyKey[], problem: string) => {
    const place = jsonPath(path);
    const line = text.slice(0, locateMember(text, place).from).split('\n').length;
    return new SandgateError('profile.invalid', {
      file,
      line,
      place: place === '' ? '' : `, ${place}`,
      problem,
    });
  };
  if (!read.success) {
    const [issue] = read.error.issues;
    throw wrong(issue?.path ?? [], issue?.message ?? 'it is no bank profile');
  }
  const [problem] = [...profileProblems(read.data), ...ruleProblems(read.data)];
  if (problem !== undefined) throw wrong(problem.place, problem.problem);
  return read.data;
}

/** Rules that a profile names and the catalogue does not have. */
function* ruleProblems({ rules = {}, deviations = [] }: BankProfile) {
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
