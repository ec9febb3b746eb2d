/** The bank profile that somebody asked for, beside those that a recording was made under. */
import {
  type BankProfile,
  isSameProfile,
  namedProfile,
  profileText,
  SandgateError,
} from '../../spec/index.js';
import type { LoadedConfig } from '../config/load.js';

export interface AskedBank {
  readonly profile: BankProfile | undefined;
  /** Whether recordings are judged by it that were made under another one. */
  readonly prevails: boolean;
}

/** null: nobody asked for one. */
export function askedBank({ config, effective }: LoadedConfig, prevails = false): AskedBank | null {
  const isAsked = effective.some(({ option, from }) => option.key === 'bankProfile' && from !== 'default');
  if (prevails && !isAsked) throw new SandgateError('profile.rejudge-alone', {});
  return isAsked ? { profile: config.bankProfile, prevails } : null;
}

type Recorded = readonly (BankProfile | undefined)[];

const textOf = (profile: BankProfile | undefined): string => profileText(namedProfile(profile));

const others = (recorded: Recorded, profile: BankProfile | undefined): string =>
  [...new Set(recorded.filter((one) => !isSameProfile(one, profile)).map(textOf))].join(', then ');

/** The remark of a report; none where all of it is judged by what it was recorded under. */
export function bankRemarks(recorded: Recorded, judged: Recorded): string[] {
  const [profile, ...rest] = judged;
  const under = others(recorded, profile);
  if (under === '' || !rest.every((one) => isSameProfile(one, profile))) return [];
  return [`Recorded under the bank profile ${under}, judged by ${textOf(profile)}.`];
}

/** Advice for somebody who asked for a profile that the recording is not judged by. */
export function bankAdvice(recorded: Recorded, asked: AskedBank | null): string[] {
  if (asked === null || asked.prevails) return [];
  const under = others(recorded, asked.profile);
  if (under === '') return [];
  return [
    `It was recorded under the bank profile ${under} and is judged by that. To judge it by ${textOf(asked.profile)}, add --rejudge.`,
  ];
}
