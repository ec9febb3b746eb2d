/** What each record mode means, with or without a cassette, on a developer's machine or on CI. */
import type { HowToRecord } from '../answer/index.js';
import { SandgateError } from '../spec/index.js';
import type { RecordMode } from './types.js';

const RECORD_MODES = ['once', 'new', 'all', 'none'] as const satisfies readonly RecordMode[];

/** For one run, without a change of the test. */
const VARIABLE = 'SANDGATE_RECORD';

/** What a test asks for, or instead of it what the environment does; mode none stays. Not on CI: see `planRecording`. */
export function modeOf(asked: RecordMode, env: Readonly<Record<string, string | undefined>>): RecordMode {
  const wanted = env[VARIABLE];
  if (wanted === undefined || wanted === '' || asked === 'none') return asked;
  const mode = RECORD_MODES.find((one) => one === wanted);
  if (mode !== undefined) return mode;
  throw new SandgateError('testing.record-mode', {
    mode: `${VARIABLE}=${wanted}`,
    modes: RECORD_MODES.join(', '),
  });
}

/** What has changed is recorded as a whole journey; what is new, or once more, is put into its place. */
export const recordByMode: HowToRecord = (kind) => {
  const mode = kind === 'not-recorded' || kind === 'used-up' ? 'new' : 'all';
  const what = mode === 'new' ? 'adds it to the recording' : 'records the journey again';
  return `Mode ${mode} ${what}: ${VARIABLE}=${mode} npx vitest run with the test.`;
};

export type RecordPlan = 'replay' | 'record' | 'extend';

export interface RecordFacts {
  readonly file: string;
  readonly exists: boolean;
  /** Whether this is CI, where a recording would be lost, and would hide that a call is not covered. */
  readonly ci: boolean;
}

/** Throws a SandgateError where the mode cannot be followed. */
export function planRecording(mode: RecordMode, { file, exists, ci }: RecordFacts): RecordPlan {
  if (!RECORD_MODES.includes(mode))
    throw new SandgateError('testing.record-mode', { mode, modes: RECORD_MODES.join(', ') });
  if (mode === 'none' && !exists) throw new SandgateError('testing.no-cassette', { file });
  if (mode === 'none' || (mode === 'once' && exists)) return 'replay';
  if (!ci) return mode === 'new' && exists ? 'extend' : 'record';
  if (mode === 'new' && exists) return 'replay';
  if (mode === 'all') throw new SandgateError('testing.ci-mode-all', { file });
  throw new SandgateError('testing.ci-records', { lacking: `there is no cassette ${file}` });
}

/** As CI services set it: `CI=true`, `CI=1`. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes((env.CI ?? '').toLowerCase());
}
