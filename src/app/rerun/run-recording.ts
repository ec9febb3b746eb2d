/** Sends a recording again, call by call in its order, and compares each answer with the recorded one. */
import { dayOf } from '../../answer/index.js';
import {
  type Answer,
  compareAnswers,
  createFingerprint,
  type Difference,
  divideLink,
  type Exchange,
  type FileRecord,
  type Fingerprint,
  redactExchange,
} from '../../exchange/index.js';
import { createRecogniser, type OperationId, type Recognise } from '../../spec/index.js';
import type { SystemParts } from '../system-parts.js';
import { exchangeSent } from './exchange-sent.js';
import { learnAnswer } from './learn.js';
import type { NoiseOf } from './noise.js';
import { prepareCall } from './prepare-call.js';
import { noteMissing, noteUnauthorised, reasonOfItsOwn, reasonOfTheRun } from './reasons.js';
import type { RerunCall } from './rerun-call.js';
import { createRunState, type RunState } from './run-state.js';
import { createSender, type Outgoing, type Sender } from './sender.js';
import { queryValue, type RecordingSurvey } from './survey.js';
import type { RerunTarget } from './target.js';

export interface RunParts {
  readonly records: () => Iterable<FileRecord>;
  readonly survey: RecordingSurvey;
  readonly segment: string;
  readonly target: RerunTarget;
  readonly system: SystemParts;
  readonly noise: NoiseOf;
  /** By position: whether a call is compared, sent for others, or left out. */
  readonly use: (index: number) => 'compare' | 'send' | 'leave';
  /** For each call, in ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Whether the answers are wanted. */
  readonly keep: boolean;
  /** Told before each call. */
  readonly onCall?: (number: number) => void;
}

export interface KeptAnswer {
  readonly operation: OperationId | null;
  /** Redacted. */
  readonly answer: Answer;
}

export interface RunResult {
  readonly calls: readonly RerunCall[];
  /** By position; null where there was none, or it was not to be compared. */
  readonly answers: readonly (KeptAnswer | null)[];
  /** What the client made anew, by what was recorded. */
  readonly renewed: ReadonlyMap<string, string>;
}

/** An authorise request of which only the PSU's consent can be assumed: the TPP got a code for it. */
const ASSUMED_SCENARIO = 'SCA_OK';
const KEY_BYTES = 32;

interface Run extends RunParts {
  readonly recognise: Recognise;
  readonly state: RunState;
  readonly sender: Sender;
  /** Of this run only: nothing that is shown holds a secret. */
  readonly fingerprint: Fingerprint;
  readonly answers: (KeptAnswer | null)[];
}

/** @throws SandgateError where the target cannot be reached */
export async function runRecording(parts: RunParts): Promise<RunResult> {
  const { survey, segment, target, system, timeout, signal } = parts;
  const { bytes } = system.chance;
  const recognise = createRecogniser(segment);
  const state = createRunState({ recognise, clearVerifiers: survey.clearVerifiers, bytes });
  const sender = createSender({ ca: target.ca, timeout, signal });
  const answers: (KeptAnswer | null)[] = [];
  const fingerprint = createFingerprint(bytes(KEY_BYTES));
  const run: Run = { ...parts, recognise, state, sender, fingerprint, answers };
  const calls: RerunCall[] = [];
  try {
    let index = 0;
    for (const record of parts.records()) {
      if (parts.use(index) === 'leave') answers.push(null);
      else {
        parts.onCall?.(index + 1);
        calls.push(await runCall(run, record, index));
      }
      index++;
    }
  } finally {
    sender.close();
  }
  return { calls, answers, renewed: state.renewed };
}

async function runCall(run: Run, record: FileRecord, index: number): Promise<RerunCall> {
  const { state, system, target, survey } = run;
  const { exchange } = record;
  state.setDays(dayOf(system.clock()) - dayOf(exchange.call.at));
  const skip = (reason: string): RerunCall => {
    noteMissing(exchange, index, run.state);
    run.answers.push(null);
    return { ...factsOf(run, exchange, index), outcome: 'skipped', reason };
  };
  const reason = reasonOfItsOwn(exchange) ?? reasonOfTheRun(exchange, state);
  if (reason !== null) return skip(reason);
  const code = survey.unseenEnds.get(index);
  const standsIn = typeof code === 'string' && target.headless;
  if (code !== undefined && !standsIn) return skip(noteUnauthorised(exchange, index, state));
  const { uuid, bytes } = system.chance;
  const prepared = prepareCall(record, { state, target, uuid, bytes }, standsIn ? ASSUMED_SCENARIO : null);
  if ('reason' in prepared) return skip(prepared.reason);
  const began = system.stopwatch();
  const received = await run.sender.send(prepared.outgoing);
  const took = system.stopwatch() - began;
  if ('problem' in received) {
    if (!received.sent) return skip(`it cannot be sent as it was recorded: ${received.problem}`);
    return withTime(unanswered(run, exchange, index, received.problem), took);
  }
  if (standsIn) return withTime(stoodIn(run, exchange, index, code, received.answer), took);
  return withTime(answered(run, exchange, index, prepared.outgoing, received.answer), took);
}

const withTime = (call: RerunCall, now: number): RerunCall => ({ ...call, took: { ...call.took, now } });

function factsOf(run: Run, exchange: Exchange, index: number): Omit<RerunCall, 'outcome'> {
  const { call, answer, elapsed } = redactExchange(exchange, run.fingerprint);
  return {
    number: index + 1,
    exchange: call.id,
    operation: call.operation,
    method: call.request.method,
    path: call.request.path,
    was: answer?.status ?? null,
    now: null,
    differences: [],
    took: { was: elapsed.total, now: 0 },
  };
}

function unanswered(run: Run, exchange: Exchange, index: number, problem: string): RerunCall {
  noteMissing(exchange, index, run.state);
  run.answers.push(null);
  const facts = factsOf(run, exchange, index);
  if (run.use(index) === 'send') return { ...facts, outcome: 'sent', reason: problem };
  const difference: Difference = {
    ...{ class: 'breaking', what: 'gone', place: 'answer' },
    ...{ was: String(facts.was), now: problem },
  };
  return { ...facts, outcome: 'breaking', reason: problem, differences: [difference] };
}

/** The pages of a bank were left out: there is nothing to compare, but a code to go on with. */
function stoodIn(run: Run, exchange: Exchange, index: number, code: string, now: Answer): RerunCall {
  const own = codeOf(now);
  if (own === undefined) run.state.missing.set(code, `it needs the code that call ${index + 1} did not get`);
  else {
    run.state.sent.learn(code, own);
    run.state.challenges.noteCode(code, queryValue(exchange, 'code_challenge') ?? '');
  }
  run.answers.push(null);
  const reason = `${ASSUMED_SCENARIO} stands in for what the PSU did on the bank’s own pages`;
  return { ...factsOf(run, exchange, index), now: now.status, outcome: 'sent', reason };
}

const codeOf = ({ header }: Answer): string | undefined =>
  header.location === undefined ? undefined : divideLink(header.location).parameters.get('code');

function answered(run: Run, exchange: Exchange, index: number, outgoing: Outgoing, now: Answer): RerunCall {
  const { state, recognise, fingerprint } = run;
  const was = redactExchange(exchange, fingerprint).answer;
  const shown = redactExchange(exchangeSent(exchange, outgoing, now, recognise), fingerprint).answer;
  if (exchange.answer === null || was === null || shown === null) throw new Error('An answer was lost.');
  const onPsuSite = (site: string) => {
    state.psuSite = site;
  };
  learnAnswer({ bindings: state.sent, recognise, onPsuSite }, exchange.answer, now);
  learnAnswer({ bindings: state.shown, recognise }, was, shown);
  const code = codeOf(exchange.answer);
  if (code !== undefined) state.challenges.noteCode(code, queryValue(exchange, 'code_challenge') ?? '');
  noteMissing(exchange, index, run.state);
  const facts = { ...factsOf(run, exchange, index), now: now.status };
  const isCompared = run.use(index) === 'compare';
  run.answers.push(isCompared && run.keep ? { operation: exchange.call.operation, answer: shown } : null);
  if (!isCompared) return { ...facts, outcome: 'sent' };
  const differences = compareAnswers(was, shown, {
    ...run.noise(exchange.call.operation),
    translate: state.shown.translate,
  });
  return { ...facts, outcome: differences[0]?.class ?? 'same', differences };
}
