/** A gateway that replays a cassette, and records it where there is none. */

import type { HowToRecord } from '../answer/index.js';
import { systemParts } from '../app/index.js';
import { SandgateError } from '../spec/index.js';
import { cassetteExists, openRecordingTask, type RecordingTask } from './cassette-file.js';
import { lockCassette } from './cassette-lock.js';
import { openGateway } from './start-gateway.js';
import type { Gateway, GatewayOptions, RecordMode, ReplayOptions } from './types.js';

export async function openReplay(file: string, options: ReplayOptions): Promise<Gateway> {
  const { mode: asked = 'once', recordFrom, ...rest } = options;
  const ci = isCi(process.env);
  const mode = modeOf(asked, process.env);
  const planNow = () => planRecording(mode, { file, exists: cassetteExists(file), ci });
  const replay = async () => {
    const gateway = await startReplay(file, rest);
    return ci && mode === 'new' ? refusingMisses(gateway, file) : gateway;
  };
  if (planNow() === 'replay') return replay();
  const { clock, chance } = systemParts('silent', () => undefined);
  const lock = lockCassette(file, chance.uuid(), clock());
  try {
    // Another process may have recorded it until the lock was ours.
    const plan = planNow();
    if (plan === 'replay') {
      lock.release();
      return await replay();
    }
    const from = recordFrom ?? (options.upstream === undefined ? 'emulator' : 'upstream');
    const refusals = options.stance !== 'enforce';
    const task = openRecordingTask({ file, plan, refusals, lock, uuid: chance.uuid });
    return await startRecording(task, rest, from, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The bank is not known to it: nothing can be asked of the network. */
async function startReplay(
  file: string,
  { upstream: _upstream, ...options }: GatewayOptions,
): Promise<Gateway> {
  return (await openGateway({ ...options, source: 'replay', replay: file }, null, recordByMode)).gateway;
}

async function startRecording(
  task: RecordingTask,
  options: GatewayOptions,
  from: 'upstream' | 'emulator',
  onEnd: () => void,
): Promise<Gateway> {
  const { file } = task;
  const extended = {
    source: `replay,${from}`,
    replay: file,
    // One call more than was recorded is missing too.
    settings: { afterLast: 'next', ...options.settings },
  };
  const opened = await openGateway(
    { ...options, ...(task.plan === 'extend' ? extended : { source: from }) },
    file,
  );
  return closingWith(opened.gateway, async () => {
    try {
      await opened.gateway.settled();
      const run = opened.read();
      await opened.gateway.close();
      await task.finish(run, opened);
    } finally {
      onEnd();
    }
  });
}

/** Mode new on CI: what is missing would have been recorded. */
function refusingMisses(gateway: Gateway, file: string): Gateway {
  return closingWith(gateway, async () => {
    await gateway.close();
    const missed = gateway.session().replay?.missed ?? [];
    if (missed.length === 0) return;
    const calls = [...new Set(missed.map(({ method, path }) => `${method} ${path}`))];
    throw new SandgateError('testing.ci-records', { lacking: `${file} lacks ${calls.join(', ')}` });
  });
}

function closingWith(gateway: Gateway, close: () => Promise<void>): Gateway {
  let closed: Promise<void> | undefined;
  return {
    ...gateway,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

const RECORD_MODES = ['once', 'new', 'all', 'none'] as const satisfies readonly RecordMode[];

/** For one run, without a change of the test. */
const VARIABLE = 'SANDGATE_RECORD';

/** The mode of the environment, else the test's; mode none stays. Not on CI: see `planRecording`. */
function modeOf(asked: RecordMode, env: Readonly<Record<string, string | undefined>>): RecordMode {
  const wanted = env[VARIABLE];
  if (wanted === undefined || wanted === '' || asked === 'none') return asked;
  const mode = RECORD_MODES.find((one) => one === wanted);
  if (mode !== undefined) return mode;
  throw new SandgateError('testing.record-mode', {
    mode: `${VARIABLE}=${wanted}`,
    modes: RECORD_MODES.join(', '),
  });
}

/** Records a changed journey as a whole. New and repeated calls are inserted. */
const recordByMode: HowToRecord = (kind) => {
  const mode = kind === 'not-recorded' || kind === 'used-up' ? 'new' : 'all';
  const what = mode === 'new' ? 'adds it to the recording' : 'records the journey again';
  return `Mode ${mode} ${what}: ${VARIABLE}=${mode} npx vitest run with the test.`;
};

type RecordPlan = 'replay' | 'record' | 'extend';

interface RecordFacts {
  readonly file: string;
  readonly exists: boolean;
  /** Whether this is CI, where a recording would be lost, and would hide that a call is not covered. */
  readonly ci: boolean;
}

/** Throws a SandgateError where the mode cannot be followed. */
function planRecording(mode: RecordMode, { file, exists, ci }: RecordFacts): RecordPlan {
  if (!RECORD_MODES.includes(mode))
    throw new SandgateError('testing.record-mode', { mode, modes: RECORD_MODES.join(', ') });
  if (mode === 'none' && !exists) throw new SandgateError('testing.no-cassette', { file });
  if (mode === 'none' || (mode === 'once' && exists)) return 'replay';
  if (!ci) return mode === 'new' && exists ? 'extend' : 'record';
  if (mode === 'new' && exists) return 'replay';
  if (mode === 'all') throw new SandgateError('testing.ci-mode-all', { file });
  throw new SandgateError('testing.ci-records', { lacking: `there is no cassette ${file}` });
}

/** Recognises the variable of CI services: `CI=true`, `CI=1`. */
function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes((env.CI ?? '').toLowerCase());
}
