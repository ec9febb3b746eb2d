/** The habits of the living bank as they are set: by a name, or by a file. */
import * as z from 'zod';
import { CALM, HABITS, type Habits, MARKET } from '../../bank/index.js';
import { jsonPath, locateMember, parseJsonText } from '../../exchange/index.js';
import { readText } from '../../files/index.js';
import { inPlainWords, SandgateError, slipOf } from '../../spec/index.js';
import { isFile } from './read-file.js';

const share = z
  .number({ error: 'a share from 0 to 1 is expected' })
  .min(0, { error: 'a share from 0 to 1 is expected' })
  .max(1, { error: 'a share from 0 to 1 is expected' })
  .default(0);

/** Habits that are not named are those of a calm bank. */
const groupOf = (rows: object) =>
  z.strictObject(Object.fromEntries(Object.keys(rows).map((habit) => [habit, share]))).prefault({});
const groups = Object.entries(HABITS).map(([group, rows]) => [group, groupOf(rows)] as const);
const schema = z.strictObject({ $schema: z.string().optional(), ...Object.fromEntries(groups) });

const NAMED: Readonly<Record<string, Habits>> = { calm: CALM, market: MARKET };

/** As a session notes them: those of a file themselves, as its path says nothing elsewhere; undefined: calm. */
export function noteHabits(named: string): unknown {
  const habits = readHabits(named);
  return habits === CALM ? undefined : Object.hasOwn(NAMED, named) ? named : habits;
}

/** @throws SandgateError that names the file, the line and what is expected there */
export function readHabits(named: string): Habits {
  if (Object.hasOwn(NAMED, named)) return NAMED[named] ?? CALM;
  const names = Object.keys(NAMED);
  if (!isFile(named)) {
    const meant = slipOf(named, names);
    const problem = `--bank-habits ${named.slice(0, 200)}: ${names.join(', ')} or a file is expected`;
    throw new SandgateError('config.invalid', {
      problems: meant === '' ? problem : `${problem}. Did you mean ${meant}?`,
    });
  }
  const text = readText(named);
  const read = schema.safeParse(parseJsonText(text, named), { error: inPlainWords });
  const issue = read.error?.issues[0];
  const wrong = (path: string, problem: string) =>
    new SandgateError('bank.data', {
      file: named,
      line: text.slice(0, locateMember(text, path).from).split('\n').length,
      place: path === '' ? '' : `, ${path}`,
      problem,
    });
  if (issue !== undefined) throw wrong(jsonPath(issue.path), issue.message);
  const { $schema: _, ...habits } = read.data as unknown as Habits & { readonly $schema?: string };
  const all = Object.values(habits.payments).reduce((sum, one) => sum + one, 0);
  if (all > 1 + 1e-9)
    throw wrong(
      'payments',
      `the shares are of all payments, and come to ${all.toFixed(2)}; at most 1 is expected`,
    );
  return Object.values(habits)
    .flatMap((group) => Object.values(group))
    .every((one) => one === 0)
    ? CALM
    : habits;
}
