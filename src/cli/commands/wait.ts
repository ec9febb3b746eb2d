/** `sandgate wait`: waits until a gateway is ready, for scripts that start one in the background. */
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { loadConfig, readDuration } from '../../app/config/index.js';
import { answerTo } from '../../outgoing/index.js';
import { SandgateError } from '../../spec/index.js';
import { addressOf, readJson, whyOf } from '../admin-client.js';
import type { CliContext } from '../context.js';
import { addOptions, expecting, type FlagsOf, PRINT_JSON, SETTINGS_FILE } from '../options.js';
import { printJson, printLine } from '../output.js';

const PAUSE_MS = 100;
const ANSWER_MS = 2_000;

const OPTIONS = [
  [
    '--admin-listen <HOST:PORT>',
    'Admin listener of the gateway (default: that of serve with the same settings).',
  ],
  [
    '--timeout <TIME>',
    'How long to wait: 500ms, 30s, 2m.',
    {
      read: expecting(
        (text) => ((readDuration(text) ?? 0) > 0 ? text : undefined),
        'A time with its unit is expected, as in 500ms, 30s or 2m.',
      ),
      fallback: '30s',
    },
  ],
  SETTINGS_FILE,
  PRINT_JSON,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function wait(context: CliContext): Command {
  return addOptions(
    new Command('wait').description('Wait until a gateway is ready to answer (status 3 if none is in time).'),
    OPTIONS,
  ).action((flags: Flags) => waitFor(flags, context));
}

async function waitFor(flags: Flags, { env, clock, signal, stdout }: CliContext): Promise<void> {
  const { adminListen, config: file, timeout } = flags;
  const { config } = loadConfig({ flags: { adminListen }, env, file });
  const url = addressOf(config.adminListen);
  if (url === null) throw new SandgateError('wait.any-port', {});
  const end = clock() + (readDuration(timeout) ?? 0);
  for (;;) {
    const problem = await problemAt(new URL(`${url}/readyz`), signal);
    if (problem === null) break;
    if (signal.aborted) throw new SandgateError('run.interrupted', { what: 'no gateway was ready yet' });
    if (clock() >= end) throw new SandgateError('wait.not-ready', { url, timeout, problem });
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  if (flags.json) printJson(stdout, { ready: true, admin: url });
  else printLine(stdout, `The gateway at ${url} is ready.`);
}

/** Why the gateway is not ready, half a sentence; null where it is. */
async function problemAt(url: URL, signal: AbortSignal): Promise<string | null> {
  const late = AbortSignal.timeout(ANSWER_MS);
  try {
    const answer = await answerTo(url, { isOwn: true }, signal, late);
    const { status, checks } = (await readJson(answer)) ?? {};
    return status === 'ready' ? null : problemOf(answer.statusCode ?? 0, checks);
  } catch (error) {
    return whyOf(late.aborted ? late.reason : error);
  }
}

function problemOf(status: number, checks: unknown): string {
  if (!Array.isArray(checks)) return `what listens there answers ${status} and is not a gateway`;
  return checks
    .flatMap(({ problem }) => (typeof problem === 'string' ? [problem.replace(/\.$/, '')] : []))
    .join('; ');
}
