/** Sends a recording again, call by call in its order, and compares each answer with the recorded one. */
import {
  type Answer,
  compareAnswers,
  createFingerprint,
  type Difference,
  type Exchange,
  type FileRecord,
  linkOf,
  queryValue,
  redactExchange,
  textMember,
} from '../../exchange/index.js';
import { createRecogniser, dayOf } from '../../spec/index.js';
import { ASSUMED_SCENARIO, codeOf, stoodIn, walkedThrough } from './authorise.js';
import { learnAnswer } from './learn.js';
import type { Twin } from './learn-noise.js';
import { borrow, leaveToLender, noteScope, tokenToLend, withConsent } from './lent-token.js';
import { type OperatorReport, repeatAction } from './operator-actions.js';
import { HELD_BACK, isWrite } from './plan.js';
import { prepareCall } from './prepare-call.js';
import {
  noteHeldBack,
  noteMissing,
  noteUnauthorised,
  reasonOfHeldBack,
  reasonOfItsOwn,
  reasonOfTheRun,
} from './reasons.js';
import { redactedAnswer } from './redacted-answer.js';
import type { RerunCall } from './rerun-call.js';
import { factsOf, type Run, type RunParts } from './run.js';
import { createRunState } from './run-state.js';
import { sendTwin } from './send-twin.js';
import { createSender, type Outgoing } from './sender.js';

const KEY_BYTES = 32;

export interface RunResult {
  readonly calls: readonly RerunCall[];
  /** How many requests left, the repeated ones too. */
  readonly requests: number;
  readonly operators: OperatorReport;
  readonly twins: readonly Twin[];
}

export async function runRecording(parts: RunParts): Promise<RunResult> {
  const { survey, segment, target, system, timeout, signal } = parts;
  const { bytes } = system.chance;
  const recognise = createRecogniser(segment);
  const state = createRunState(recognise, survey.clearVerifiers, bytes);
  const sender = createSender({ ca: target.ca, timeout, signal });
  const fingerprint = createFingerprint(bytes(KEY_BYTES));
  const operators: OperatorReport = { repeated: {}, notRepeated: {}, reasons: [] };
  const run: Run = { ...parts, recognise, state, sender, fingerprint, twins: [], requests: 0, operators };
  const calls: RerunCall[] = [];
  const waiting = [...parts.actions];
  const operateUpTo = async (index: number): Promise<void> => {
    for (let next = waiting[0]; next !== undefined && next.behind <= index; next = waiting[0]) {
      await repeatAction(next, target, state.sent, operators);
      waiting.shift();
    }
  };
  try {
    let index = 0;
    for await (const record of parts.records()) {
      await operateUpTo(index);
      if (parts.use(index) !== 'leave') {
        parts.onCall?.(index + 1);
        calls.push(...(await runCall(run, record, index)));
      }
      index++;
    }
    await operateUpTo(index);
  } finally {
    sender.close();
  }
  return { calls, requests: run.requests, twins: run.twins, operators };
}

async function runCall(run: Run, record: FileRecord, index: number): Promise<RerunCall[]> {
  const { state, system, target, survey } = run;
  const { exchange } = record;
  state.setDays(dayOf(moveClock(run, exchange)) - dayOf(exchange.call.at));
  const skip = (reason: string, note = noteMissing): RerunCall[] => {
    note(exchange, index, run.state);
    return [{ ...factsOf(run, exchange, index), outcome: 'skipped', reason }];
  };
  noteScope(exchange, run);
  const own = reasonOfItsOwn(exchange);
  if (own !== null) return skip(own);
  if (!run.writes && isWrite(exchange.call)) return skip(HELD_BACK, noteHeldBack);
  const left = await leaveToLender(run, exchange, index);
  if (left !== null) return [left];
  const token = tokenToLend(exchange, run);
  const reason = reasonOfTheRun(exchange, state, token);
  if (reason !== null) return skip(reason);
  const lent = token === null ? null : await borrow(run, token, exchange);
  if (lent !== null && 'problem' in lent) return skip(lent.problem);
  if (run.askPerson !== undefined && exchange.call.operation === 'oauth.authorize')
    return [await walkedThrough(run, record, index, run.askPerson)];
  const code = survey.unseenEnds.get(index);
  const standsIn = typeof code === 'string' && target.headless;
  if (code !== undefined && !standsIn) return skip(noteUnauthorised(exchange, index, state));
  const prepared = prepareCall(record, run, standsIn ? ASSUMED_SCENARIO : null);
  if ('reason' in prepared) return skip(prepared.reason);
  const { headers } = prepared.outgoing;
  const outgoing: Outgoing = {
    ...prepared.outgoing,
    headers: lent === null ? headers : withConsent(headers, lent, exchange, run),
  };
  const began = system.stopwatch();
  const received = await run.sender.send(outgoing);
  const took = system.stopwatch() - began;
  if ('problem' in received && !received.sent)
    return skip(`it cannot be sent as it was recorded: ${received.problem}`);
  run.requests += received.repeated ? 2 : 1;
  const told = (call: RerunCall) => inRows({ ...call, took: { ...call.took, now: took } }, received.repeated);
  if ('problem' in received) return told(unanswered(run, exchange, index, received.problem));
  if (standsIn) return told(stoodIn(run, exchange, index, code, received.answer));
  const call = answered(run, exchange, index, outgoing, received.answer);
  const isAskedTwice = run.twice && !isWrite(exchange.call) && run.use(index) === 'compare';
  if (isAskedTwice && call.outcome !== 'skipped')
    await sendTwin(run, exchange, index, outgoing, received.answer);
  return told(call);
}

/** What the target shows: its clock is moved where that of the recording was, if anybody can move it. Epoch ms. */
function moveClock(run: Run, { call }: Exchange): number {
  const { system, target } = run;
  run.aheadAtStart ??= call.ahead;
  const moved = target.setAhead === undefined ? 0 : call.ahead - run.aheadAtStart;
  target.setAhead?.(moved);
  return system.clock() + moved;
}

const CUT = 'the connection was cut before it was answered, so it was sent again';

function inRows(call: RerunCall, repeated: boolean): RerunCall[] {
  if (!repeated) return [call];
  const first: RerunCall = {
    ...call,
    attempt: 1,
    now: null,
    outcome: 'sent',
    reason: CUT,
    differences: [],
    took: { ...call.took, now: 0 },
  };
  return [first, { ...call, attempt: 2 }];
}

function unanswered(run: Run, exchange: Exchange, index: number, problem: string): RerunCall {
  noteMissing(exchange, index, run.state);
  const facts = factsOf(run, exchange, index);
  if (run.use(index) === 'send') return { ...facts, outcome: 'sent', reason: problem };
  const difference: Difference = {
    class: 'breaking',
    what: 'gone',
    place: 'answer',
    was: String(facts.was),
    now: problem,
  };
  return { ...facts, outcome: 'breaking', reason: problem, differences: [difference] };
}

function answered(run: Run, exchange: Exchange, index: number, outgoing: Outgoing, now: Answer): RerunCall {
  const { state, recognise } = run;
  const was = redactExchange(exchange, run.fingerprint).answer;
  const shown = redactedAnswer(exchange, outgoing, now, run);
  if (exchange.answer === null || was === null) throw new Error('An answer was lost.');
  const onPsuSite = (site: string) => {
    state.psuSite = site;
  };
  learnAnswer({ bindings: state.sent, recognise, onPsuSite }, exchange.answer, now);
  learnAnswer({ bindings: state.shown, recognise }, was, shown);
  const link = linkOf(now.content, 'scaOAuth');
  const id = textMember(now.content, 'consentId') ?? textMember(now.content, 'paymentId');
  if (link !== undefined && id !== undefined) state.authoriseLinks.set(id, link);
  const code = codeOf(exchange.answer);
  if (code !== undefined) state.challenges.noteCode(code, queryValue(exchange.call, 'code_challenge') ?? '');
  noteMissing(exchange, index, run.state);
  const facts = { ...factsOf(run, exchange, index), now: now.status };
  if (run.use(index) !== 'compare') return { ...facts, outcome: 'sent' };
  const reason = reasonOfHeldBack(exchange, now.status, state);
  if (reason !== null) return { ...facts, outcome: 'skipped', reason };
  const differences = compareAnswers(was, shown, {
    ...run.noise(exchange.call.operation),
    translate: state.shown.translate,
  });
  return { ...facts, outcome: differences[0]?.class ?? 'same', differences };
}
