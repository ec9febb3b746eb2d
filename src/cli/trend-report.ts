/** `sandgate report --trend`: how rules went over several sessions of the store. */
import { readDuration } from '../app/config/index.js';
import { drawTrend } from '../app/report/index.js';
import { renderTrend, TREND_FORMATS, type Trend } from '../report/index.js';
import { counted, SandgateError } from '../spec/index.js';
import type { SessionInfo, Store } from '../store/index.js';
import type { CliContext } from './context.js';
import { printLine } from './output.js';
import { loadJudging, OWN_RULES, ownRulesFlags } from './own-rules-flags.js';
import { createProgress } from './progress.js';
import { planOutputs } from './report-outputs.js';
import { STORE_OPTIONS, type StoreFlags, sessionOf, storeFlags, withStore } from './sessions-store.js';
import { version } from './version.js';
import { writeFile } from './write-file.js';

export const TREND_OPTIONS = [
  ['--trend', 'Write the trend over several sessions of the store, by the verdicts that it holds.'],
  ['--since <TIME>', 'With --trend: all sessions that began within this time, such as 90d.'],
] as const;

interface Flags extends StoreFlags {
  readonly trend?: true;
  readonly since?: string;
  readonly format?: readonly string[];
  readonly out?: readonly string[];
  readonly json?: true;
  readonly title?: string;
  readonly config?: string;
  readonly ownRules?: string;
}

const nameOf = (flags: string): string => flags.split(' ')[0]?.slice(2) ?? '';
/** Options of reports that a trend takes, too. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['format', 'out', 'json', 'title', 'made-at', 'config'],
  ...[...TREND_OPTIONS, ...STORE_OPTIONS, ...OWN_RULES].map(([flags]) => nameOf(flags)),
]);

const MOST_SESSIONS = 200;

export async function writeTrend(
  names: readonly string[],
  flags: Flags,
  madeAt: string | undefined,
  context: CliContext,
): Promise<void> {
  checkFlags(names, flags);
  const outputs = outputsOf(flags);
  const loaded = await loadJudging(
    { flags: { ...storeFlags(flags), ...ownRulesFlags(flags) }, env: context.env, file: flags.config },
    context,
  );
  const made = await withStore(flags, context, 'read', async (store, path) => {
    const sessions = await choose(store, path, names, flags.since, context);
    const chosen = sessions.slice(-MOST_SESSIONS);
    const expected = chosen.reduce((sum, { exchanges }) => sum + exchanges, 0);
    const progress = createProgress('Reading the sessions', expected, context);
    const options = {
      ...{ version: version(), title: flags.title, madeAt, leftOut: sessions.length - chosen.length },
      ownRules: loaded.config.loadedRules?.rules ?? [],
    };
    return drawTrend(store, chosen, loaded, options, progress.step).finally(progress.end);
  });
  await deliver(made, outputs, context);
}

function checkFlags(names: readonly string[], flags: Flags): void {
  for (const [key, value] of Object.entries(flags)) {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value !== undefined && !TAKEN.has(name))
      throw new SandgateError('report.not-with-trend', { flag: `--${name}` });
  }
  if (flags.since !== undefined && names.length > 0) throw new SandgateError('report.trend-both', {});
  if (flags.since === undefined && new Set(names).size < 2) throw new SandgateError('report.trend-alone', {});
}

/** In the order of their beginning. @throws SandgateError where one is not there, or none is left */
async function choose(
  store: Store,
  path: string,
  names: readonly string[],
  since: string | undefined,
  { clock }: CliContext,
): Promise<SessionInfo[]> {
  if (since === undefined)
    return (await Promise.all([...new Set(names)].map((name) => sessionOf(store, name, path)))).sort(
      (a, b) => a.startedAt - b.startedAt,
    );
  const ms = readDuration(since);
  if (ms === undefined) throw new SandgateError('report.since', { text: since });
  const from = clock() - ms;
  const found = (await store.sessions()).filter(
    ({ startedAt, exchanges }) => startedAt >= from && exchanges > 0,
  );
  if (found.length === 0) throw new SandgateError('report.trend-none', { store: path, since });
  return found;
}

function outputsOf({ format = [], json, out = [] }: Flags) {
  return planOutputs([...format, ...(json ? ['json'] : [])], out).map((output) => {
    const known = TREND_FORMATS.find((one) => one === output.format);
    if (known !== undefined) return { format: known, file: output.file };
    throw new SandgateError('report.trend-format', {
      ...{ format: output.format, formats: TREND_FORMATS.join(', ') },
    });
  });
}

type Outputs = ReturnType<typeof outputsOf>;

async function deliver(made: Trend, outputs: Outputs, { stdout }: CliContext): Promise<void> {
  for (const { format, file } of outputs) {
    const text = await renderTrend(made, format);
    if (file === null) stdout.write(text);
    else await writeFile(file, [Buffer.from(text)]);
  }
  const files = outputs.flatMap(({ file }) => file ?? []);
  if (files.length === 0) return;
  const violated = made.rules.filter(({ firstSeen }) => firstSeen !== null).length;
  const [sessions, rules] = [counted(made.sessions.length, 'session'), counted(violated, 'rule')];
  printLine(stdout, `${sessions}; ${rules} violated in at least one of them.`);
  printLine(stdout, `Written: ${files.join(', ')}.`);
}
