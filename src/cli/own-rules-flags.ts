/** The options of own rules, of commands that judge and do not take every setting. */
import { type ConfigSources, type LoadedConfig, loadConfig } from '../app/config/index.js';
import { withOwnRules } from '../app/own-rules/index.js';
import type { CliContext } from './context.js';
import type { FlagsOf } from './options.js';
import { printLine } from './output.js';

export const OWN_RULES = [
  ['--own-rules <LIST>', 'Rules of your own: files or packages, separated by commas.'],
  ['--custom-rules-worker', 'Run own rules in a thread with limits of time and memory.'],
] as const;

type OwnRulesFlags = FlagsOf<typeof OWN_RULES>;

export const ownRulesFlags = ({ ownRules, customRulesWorker }: OwnRulesFlags) => ({
  ownRules,
  customRulesWorker,
});

/** The settings, with the own rules that they name. */
export async function loadJudging(sources: ConfigSources, { stderr }: CliContext): Promise<LoadedConfig> {
  const { config, effective } = loadConfig(sources);
  return { effective, config: await withOwnRules(config, { onOff: (line) => printLine(stderr, line) }) };
}
