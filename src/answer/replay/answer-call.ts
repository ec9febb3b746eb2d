/** Answers one call of a replay: finds the recorded call, learns from it and answers, or explains why there is none. */
import type { Call } from '../../exchange/index.js';
import type { Finding } from '../../rules/index.js';
import type { Answered } from '../answerer.js';
import { answerMiss } from './answer-miss.js';
import { type Flow, isAuthorise } from './authorise-calls.js';
import { answerOutcome, answerPageOf, type OutcomeParts } from './authorise-outcome.js';
import type { Authorises } from './authorises.js';
import type { Explain, Reason } from './explain.js';
import type { Finder, Sought } from './find.js';
import type { Learner } from './learn.js';
import type { MatchPlans } from './match-plan.js';
import type { Miss } from './miss.js';
import type { Entry, Recording } from './open-recording.js';
import { type Accepts, pick, use } from './pick.js';
import type { Template } from './template.js';

export interface AnswerParts {
  readonly plans: MatchPlans;
  readonly recording: Recording;
  readonly finder: Finder;
  readonly authorises: Authorises;
  readonly learner: Learner;
  readonly explain: Explain;
  readonly templateOf: (entry: Entry) => Template;
  readonly outcome: OutcomeParts;
  readonly hasNext: (call: Call) => boolean;
  readonly onMiss: (miss: Miss) => void;
}

export interface AnswerCall {
  readonly recording: Recording;
  /** `took`: how long the recorded answer took, in ms. `days`: how much later this run is than the recording. */
  readonly answer: (
    call: Call,
    days: number,
    findings: readonly Finding[],
  ) => { readonly answered: Answered | null; readonly took: number };
}

interface Found {
  readonly entry: Entry;
  readonly sought: Sought;
}

/** The entry that answers, or why there is none. */
type Decision = Found | { readonly reason: Reason };

export function createAnswerCall(parts: AnswerParts): AnswerCall {
  const { finder, authorises, learner, outcome } = parts;

  function decide(call: Call, days: number, accepts?: Accepts): Decision {
    const { sought, queue } = finder.find(call, days);
    if (sought === null) return { reason: { kind: 'not-recorded' } };
    if (queue === null) return { reason: { kind: 'differs', sought, days } };
    const picked = pick(queue, accepts);
    if (picked.kind === 'entry') return { entry: picked.entry, sought };
    const repeats = picked.kind === 'used-up' && sought.group.plan.afterLast === 'repeat';
    return repeats ? { entry: picked.entry, sought } : { reason: picked };
  }

  function miss(call: Call, reason: Reason, findings: readonly Finding[]): Answered | null {
    const afterLast = parts.plans.get(isAuthorise(call) ? 'oauth.authorize' : call.operation)?.afterLast;
    const handedOn = parts.hasNext(call) && (reason.kind !== 'used-up' || afterLast === 'next');
    const explained = parts.explain(call, { reason, handedOn, findings });
    parts.onMiss(explained);
    if (handedOn) return null;
    // With the fault it is no answer of the bank, and the rules for banks leave it alone.
    return {
      answer: answerMiss(call, explained),
      fault: { kind: 'refused', message: explained.text },
    };
  }

  function end(flow: Flow, call: Call): Answered {
    authorises.remember(call, flow);
    learner.giveOutcome(flow);
    return { answer: answerOutcome(flow, call, outcome) };
  }

  function answerAuthorise(call: Call, days: number, findings: readonly Finding[]): Answered | null {
    const onward = authorises.next(call);
    if (onward !== null) return end(onward, call);
    const decision = decide(call, days, authorises.accepts(call));
    if ('entry' in decision) return answerFrom(decision, call, days, findings);
    const otherwise = authorises.otherwise(call);
    return otherwise === null ? miss(call, decision.reason, findings) : end(otherwise, call);
  }

  function answerFrom(
    { entry, sought }: Found,
    call: Call,
    days: number,
    findings: readonly Finding[],
  ): Answered | null {
    const isCut = entry.answer.body?.truncated === true;
    if (isCut && call.listener !== 'psu') return miss(call, { kind: 'incomplete', entry }, findings);
    use(entry);
    learner.learn(entry, sought, days);
    if (entry.flow !== null) return end(entry.flow, call);
    if (isCut) return { answer: answerPageOf(call, entry.answer.status) };
    const template = parts.templateOf(entry);
    learner.give(entry, template.values);
    const answer = template.render({ days, requestId: call.header['x-request-id'] });
    const { fault } = entry.exchange;
    return fault === null ? { answer } : { answer, fault };
  }

  return {
    recording: parts.recording,
    answer: (call, days, findings) => {
      if (isAuthorise(call)) return { answered: answerAuthorise(call, days, findings), took: 0 };
      const decision = decide(call, days);
      if ('reason' in decision) return { answered: miss(call, decision.reason, findings), took: 0 };
      const { total } = decision.entry.exchange.elapsed;
      return { answered: answerFrom(decision, call, days, findings), took: total };
    },
  };
}
