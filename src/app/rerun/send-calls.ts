/** Sends a recording again, call by call in its order, and compares each answer with the recorded one. */
import {
  type Answer,
  closeCall,
  compareAnswers,
  type Difference,
  type Exchange,
  type FileRecord,
  type Injection,
  linkOf,
  openCall,
  queryValue,
  redactExchange,
  textMember,
} from '../../exchange/index.js';
import { dayOf, isUuid } from '../../spec/index.js';
import { ASSUMED_SCENARIO, codeOf, stoodIn, walkedThrough } from './authorise.js';
import { learnAnswer } from './learn.js';
import { borrow, leaveToLender, noteScope, tokenToLend, withConsent } from './lent-token.js';
import { operatorActions, repeatAction } from './operator-actions.js';
import { prepareCall } from './prepare-call.js';
import {
  HELD_BACK,
  isWrite,
  noteHeldBack,
  noteMissing,
  noteUnauthorised,
  reasonOfHeldBack,
  reasonOfItsOwn,
  reasonOfTheRun,
} from './reasons.js';
import type { RerunCall } from './result.js';
import { factsOf, type Run } from './run.js';
import type { Outgoing } from './sender.js';

export async function sendCalls(run: Run): Promise<RerunCall[]> {
  const { source, target, state, survey, operators } = run;
  const waiting = await operatorActions(source.records(), source.notes ?? []);
  const operateUpTo = async (index: number): Promise<void> => {
    for (let next = waiting[0]; next !== undefined && next.behind <= index; next = waiting[0]) {
      await repeatAction(next, target, state.sent, operators);
      waiting.shift();
    }
  };
  const calls: RerunCall[] = [];
  let index = 0;
  for await (const record of source.records()) {
    await operateUpTo(index);
    if (run.use(index) !== 'leave') {
      run.onCall?.(index + 1, survey.calls);
      calls.push(...(await sendCall(run, record, index)));
    }
    index++;
  }
  await operateUpTo(index);
  return calls;
}

async function sendCall(run: Run, record: FileRecord, index: number): Promise<RerunCall[]> {
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
  const isAskedTwice = run.learn && !isWrite(exchange.call) && run.use(index) === 'compare';
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
  const { injected } = exchange;
  if (exchange.answer === null && injected !== undefined) {
    const facts = factsOf(run, exchange, index);
    return { ...facts, now: now.status, outcome: 'sent', reason: injectedReason(injected) };
  }
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
  if (injected?.did !== undefined) return { ...facts, outcome: 'sent', reason: injectedReason(injected) };
  const reason = reasonOfHeldBack(exchange, now.status, state);
  if (reason !== null) return { ...facts, outcome: 'skipped', reason };
  const differences = compareAnswers(was, shown, {
    ...run.noiseOf(exchange.call.operation),
    translate: state.shown.translate,
  });
  return { ...facts, outcome: differences[0]?.class ?? 'same', differences };
}

/** The bank did what it was asked for, and later calls may need that. */
const injectedReason = ({ fault }: Injection): string =>
  `what was recorded is not the bank’s answer: fault ${fault} was injected`;

/** `answer`: what the first one got. No twin comes of it where the second one is not answered. */
async function sendTwin(
  run: Run,
  exchange: Exchange,
  index: number,
  outgoing: Outgoing,
  answer: Answer,
): Promise<void> {
  const id = outgoing.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  const fresh = run.system.chance.uuid();
  const headers = outgoing.headers.map(([name, value]): [string, string] => [
    name,
    value === id && isUuid(value) ? fresh : value,
  ]);
  const received = await run.sender.send({ ...outgoing, headers });
  run.requests += received.repeated ? 2 : 1;
  if ('problem' in received) return;
  run.twins.push({
    number: index + 1,
    operation: exchange.call.operation,
    first: redactedAnswer(exchange, outgoing, answer, run),
    second: redactedAnswer(exchange, outgoing, received.answer, run),
    ids: id === undefined ? undefined : [id, fresh],
  });
}

/** Redacted as that of any other exchange. */
function redactedAnswer(
  recorded: Exchange,
  { method, url, headers, body }: Outgoing,
  answer: Answer,
  { recognise, fingerprint }: Pick<Run, 'recognise' | 'fingerprint'>,
): Answer {
  const { id, session, at, listener } = recorded.call;
  const text = body === null ? null : Buffer.from(body).toString('utf8');
  const call = openCall(
    {
      id,
      session,
      at,
      listener,
      method,
      headers,
      connection: { address: url.hostname, tls: 'not-observed' },
      certificate: 'not-observed',
      target: url.pathname + url.search,
      body: text === null ? null : { text, size: Buffer.byteLength(text) },
    },
    recognise(method, url.pathname),
  );
  const shown = redactExchange(closeCall(call, answer, { total: 0, answerer: 0 }), fingerprint).answer;
  if (shown === null) throw new Error('An answer was lost.');
  return shown;
}
