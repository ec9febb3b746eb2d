/** The application under rehearsal: started if the plan says how, brought to its beginning, and asked. */
import { SandgateError } from '../spec/index.js';
import { type Running, startCommand } from './command.js';
import type { Plan } from './plan.js';
import { type Ask, fill } from './request.js';

export interface Application {
  /** Brings it to its beginning, and starts it again where it has ended; why that failed, or null. */
  readonly reset: (...signals: AbortSignal[]) => Promise<string | null>;
  /** How its process ended, unasked; null while it runs, and where the plan does not start it. */
  readonly ended: () => string | null;
  /** Resolves when its process has ended. */
  readonly whenEnded: () => Promise<void>;
  /** The end of what it wrote. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

const READY_MS = 60_000;
const POLL_MS = 50;
const SHOWN = 2_000;

/** @throws SandgateError where it does not start, or something else answers in its place */
export async function openApplication(
  plan: Plan,
  env: Readonly<Record<string, string | undefined>>,
  ask: Ask,
  signal: AbortSignal,
  readyMs = READY_MS,
): Promise<Application> {
  const { start, reset } = plan.app;
  let running: Running | null = null;
  const begin = async () => {
    if (start === undefined) return;
    if (await answers(ask, start.ready, signal))
      throw new SandgateError('rehearsal.taken', { ready: start.ready });
    running = startCommand(start.command, { folder: plan.folder, env });
    await untilReady(running, start, ask, signal, readyMs).catch(async (error: unknown) => {
      await running?.stop();
      throw error;
    });
  };
  const endOf = () => running?.ended() ?? null;
  const end = async () => {
    const ending = running;
    running = null;
    await ending?.stop();
  };
  const again = async () => {
    await end();
    await begin();
    return null;
  };
  await begin();
  return {
    reset: async (...until) => {
      const hasEnded = endOf() !== null;
      if (start !== undefined && (hasEnded || reset === 'restart' || reset === undefined)) return again();
      if (reset === undefined || reset === 'restart') return null;
      const answer = await ask(fill(reset, {}), ...until);
      if (typeof answer === 'string') return start === undefined ? answer : again();
      return answer.status < 300 ? null : `reset was answered ${answer.status}`;
    },
    ended: endOf,
    whenEnded: () => running?.whenEnded ?? new Promise(() => {}),
    output: () => running?.output().slice(-SHOWN) ?? '',
    stop: end,
  };
}

async function answers(ask: Ask, ready: string, signal: AbortSignal): Promise<boolean> {
  const answer = await ask({ method: 'GET', url: new URL(ready) }, AbortSignal.timeout(2_000), signal);
  return typeof answer !== 'string' && answer.status < 500;
}

async function untilReady(
  running: Running,
  { command, ready }: NonNullable<Plan['app']['start']>,
  ask: Ask,
  signal: AbortSignal,
  readyMs: number,
): Promise<void> {
  const fail = (why: string) => {
    const output = running.output().slice(-SHOWN);
    return new SandgateError('rehearsal.not-started', {
      command,
      why,
      output: output === '' ? 'It wrote nothing.' : `It wrote:\n${output}`,
    });
  };
  for (let waited = 0; waited < readyMs; waited += POLL_MS) {
    if (signal.aborted) throw new SandgateError('run.interrupted', { what: 'the application was starting' });
    if (await answers(ask, ready, signal)) return;
    const ended = running.ended();
    if (ended !== null) throw fail(`it ended with ${ended}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw fail(`nothing answered at ${ready} within ${readyMs / 1_000} s`);
}
