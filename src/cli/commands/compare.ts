/** `sandgate compare`: says what two recordings of a bank's interface differ in, without sending a call. */
import { Command } from 'commander';
import {
  type ComparedRecording,
  type Comparison,
  compareRecordings,
  type ReadRecording,
  readSurface,
  type States,
} from '../../app/compare/index.js';
import { dialectIn, type LoadedConfig, loadConfig } from '../../app/config/index.js';
import { lastSettings } from '../../exchange/index.js';
import { openRecordingFile } from '../../exchange/recording/index.js';
import { dialectOf } from '../../spec/index.js';
import { renderComparison } from '../compare-table.js';
import type { CliContext } from '../context.js';
import { withInput } from '../input-file.js';
import { addOptions, BANK_PROFILE, type FlagsOf, PRINT_JSON } from '../options.js';
import { printJson, widthOf } from '../output.js';
import { createProgress } from '../progress.js';
import { STORE_OPTIONS, storeFlags, withNamed } from '../sessions-store.js';

const OPTIONS = [
  PRINT_JSON,
  ['--host <HOST>', 'Of a file, compare only calls to this host (HOST or HOST:PORT).'],
  ['--segment <NAME>', 'Fixed path segment, if a recording does not say it.'],
  BANK_PROFILE,
  ['--config <FILE>', 'Settings in JSON.'],
  ...STORE_OPTIONS,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function compare(context: CliContext): Command {
  return addOptions(
    new Command('compare')
      .description("Compare two recordings of a bank's interface, without sending a call.")
      .argument('<FIRST>', 'A session of the store, or a cassette or HAR file.')
      .argument('<SECOND>', 'A later one.'),
    OPTIONS,
  ).action(async (first: string, second: string, flags: Flags) => {
    const { segment, bankProfile, config: file } = flags;
    const loaded = loadConfig({
      flags: { ...storeFlags(flags), segment, bankProfile },
      env: context.env,
      file,
    });
    const states: States = new Map();
    const was = await read(first, loaded, states, flags, context);
    const now = await read(second, loaded, states, flags, context);
    print(compareRecordings(was, now), flags, context);
  });
}

function print(comparison: Comparison, { json }: Flags, { stdout, exitWith }: CliContext): void {
  if (json === true) printJson(stdout, comparison);
  else stdout.write(renderComparison(comparison, widthOf(stdout)));
  if (comparison.counts.breaking > 0) exitWith(1);
}

/** An interface that the recording itself tells comes before the one that was asked for. */
function read(
  name: string,
  { config, effective }: LoadedConfig,
  states: States,
  { host }: Flags,
  context: CliContext,
): Promise<ReadRecording> {
  const dialect = dialectIn(config);
  const isAsked = effective.some(({ option, from }) => option.key === 'bankProfile' && from !== 'default');
  const asked = isAsked ? dialect : null;
  const take = (recording: ComparedRecording, expected: number) => {
    const progress = createProgress(`Reading ${name}`, expected, context);
    return readSurface(recording, states, progress.step).finally(progress.end);
  };
  return withNamed(name, config, async (found) => {
    if (found === null)
      return withInput(name, context, (bytes) => {
        const file = openRecordingFile(bytes, { name, dialect, host });
        return take({ name, dialect: file.dialect, asked, records: file.records() }, file.calls.length);
      });
    const { store, session } = found;
    const { segment, bankProfile } = lastSettings(session.notes);
    const own = segment === undefined ? dialect : dialectOf(bankProfile, segment);
    const records = store.read(name, { onUnreadable: () => {} });
    return take({ name, dialect: own, asked, records }, session.exchanges);
  });
}
