/** Settings by which a report judges a recording: those it was recorded under, unless the user gives others. */
import type { Config } from '../config/config.js';
import type { LoadedConfig } from '../config/load.js';
import { JUDGES } from '../config/options.js';
import type { Settings } from './periods.js';

type Values = Readonly<Record<string, unknown>>;

export interface ChosenSettings {
  /** One for each of those that were in force, in their order; at least one. */
  readonly settings: readonly Config[];
  /** The verdicts that were stored are by other settings, or nobody knows by which. */
  readonly differs: boolean;
}

/**
 * What the user sets, in whatever way, comes before what was in force when a call came, and that before defaults.
 * `inForce`: see `Periods`.
 */
export function chooseSettings(
  { config, effective }: LoadedConfig,
  inForce: readonly Settings[],
): ChosenSettings {
  const isSet = (key: string) =>
    effective.some(({ option, from }) => option.key === key && from !== 'default');
  const set = JUDGES.filter(isSet);
  const left = JUDGES.filter((key) => !isSet(key));
  const recorded: readonly Values[] = inForce.length === 0 ? [{}] : inForce;
  const settings = recorded.map((noted): Config => {
    const known = left.filter((key) => noted[key] !== undefined).map((key) => [key, noted[key]]);
    return { ...config, ...Object.fromEntries(known) };
  });
  const differs = recorded.some((noted) =>
    set.some((key) => isOther(key, noted[key], (config as Values)[key])),
  );
  return { settings, differs: differs || inForce.length === 0 };
}

/** Rules and waivers that are not noted were none; of anything else that is not noted nothing is known. */
function isOther(key: string, recorded: unknown, chosen: unknown): boolean {
  if (recorded === undefined && key !== 'rules' && key !== 'waivers') return false;
  return textOf(recorded) !== textOf(chosen);
}

/** An empty list of waivers says the same as none. */
const textOf = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text === '[]' || text === '{}' ? '' : text;
};
