/** The way of a call, from its arrival to the recorded exchange that may be answered. */
import { type Answered, type Answerer, answerRefusal } from '../answer/index.js';
import {
  type Call,
  closeCall,
  type Exchange,
  type Fingerprint,
  openCall,
  splitTarget,
} from '../exchange/index.js';
import { advance, applyChanges, type Ledger, type LedgerChange } from '../ledger/index.js';
import type { Recorder } from '../recorder/index.js';
import type { Finding, Judge, Judged, Verdicts } from '../rules/index.js';
import type { Incoming, Outgoing } from './arrivals.js';
import { answerFault, type GatewayFault, INTERNAL_FAULT, NO_SOURCE_FAULT } from './faults.js';
import type { RecogniseOn } from './recognise-on-listener.js';
import { chooseSession, type NamedSession, type SessionChoice } from './session-header.js';

export interface PipelineParts {
  readonly session: () => string;
  /** The session that a call asks for by its header; absent: the header has no meaning. */
  readonly sessionNamed?: (name: string) => NamedSession;
  readonly stance: () => 'enforce' | 'observe';
  readonly recognise: RecogniseOn;
  readonly judge: Judge;
  readonly answerer: Answerer;
  readonly ledger: Ledger;
  readonly fingerprint: Fingerprint;
  readonly recorder: Pick<Recorder, 'take'>;
  readonly nextId: () => string;
  /** Ms since any moment; for durations only. */
  readonly stopwatch: () => number;
  readonly onInternalError: (error: unknown, call: Call) => void;
}

/** null: the client is gone, there is nobody to answer. Rejects only where the exchange could not be recorded. */
export type Pipeline = (incoming: Incoming) => Promise<Outgoing | null>;

/** What is known of a call once it has its answer. */
interface Way {
  readonly exchange: Exchange;
  /** Before the answer, and with it. */
  readonly judged: Judged;
  readonly early: readonly Finding[];
  readonly changes: readonly LedgerChange[];
  readonly answered: Partial<Answered>;
}

/**
 * Nothing is awaited up to the recorder where the answerer answers at once: judging a call and moving the ledger on
 * are one turn, so that calls side by side cannot each be the last one that the daily limit allows.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { judge, ledger, fingerprint, recorder, stopwatch, sessionNamed } = parts;

  function open(incoming: Incoming, choice: SessionChoice | null): Call {
    const { listener, method, target, body, peer, at } = incoming;
    const headers = choice?.headers ?? incoming.headers;
    const recognition = parts.recognise(listener, method, splitTarget(target).path);
    const ids = { id: parts.nextId(), session: choice?.session ?? parts.session() };
    return openCall({ ...ids, at, listener, ...peer, method, target, headers, body }, recognition);
  }

  function answerCall(call: Call, judged: Judged, incoming: Incoming, problem: GatewayFault | null) {
    if (problem !== null) return answerFault(problem, call);
    if (judged.refusal !== null && parts.stance() === 'enforce')
      return { answer: answerRefusal(judged.refusal, call, 'rule') };
    return parts.answerer.answer(call, {
      ledger,
      refusal: judged.refusal,
      now: call.at,
      get signal() {
        return incoming.signal();
      },
    });
  }

  function close(call: Call, answered: Partial<Answered>, judged: Judged, elapsed: Exchange['elapsed']): Way {
    const exchange = closeCall(call, answered.answer ?? null, elapsed, answered.fault ?? null);
    const added = judge.judgeExchange(exchange, ledger);
    const changes = advance(ledger, exchange, fingerprint);
    applyChanges(ledger, changes);
    return { exchange, judged: together(judged, added), early: judged.findings, changes, answered };
  }

  function fail(call: Call, error: unknown, elapsed: Exchange['elapsed']): Way {
    parts.onInternalError(error, call);
    const answered = answerFault(INTERNAL_FAULT, call);
    const exchange = closeCall(call, answered.answer ?? null, elapsed, answered.fault ?? null);
    return { exchange, judged: NOTHING_JUDGED, early: [], changes: [], answered };
  }

  return async (incoming) => {
    const choice = sessionNamed === undefined ? null : chooseSession(incoming.headers, sessionNamed);
    const call = open(incoming, choice);
    let asked = incoming.started;
    const elapsed = () => {
      const now = stopwatch();
      return { total: hundredths(now - incoming.started), answerer: hundredths(now - asked) };
    };
    let way: Way;
    try {
      const judged = judge.judgeCall(call, ledger);
      asked = stopwatch();
      const given = answerCall(call, judged, incoming, incoming.problem ?? choice?.problem ?? null);
      const answered = (given instanceof Promise ? await given : given) ?? answerFault(NO_SOURCE_FAULT, call);
      way = close(call, answered, judged, elapsed());
    } catch (error) {
      way = fail(call, error, elapsed());
    }
    await recorder.take(way.exchange, way.judged, way.changes);
    const { answer, wire } = way.answered;
    return answer === undefined ? null : { exchange: call.id, answer, wire, findings: way.early };
  };
}

const NOTHING_JUDGED: Judged = { verdicts: {}, findings: [], refusal: null };

/** The judge hands out the same verdicts again and again; so does this, for each pair of them. */
const pairs = new WeakMap<Verdicts, WeakMap<Verdicts, Verdicts>>();

function mergeVerdicts(before: Verdicts, added: Verdicts): Verdicts {
  let ofBefore = pairs.get(before);
  if (ofBefore === undefined) {
    ofBefore = new WeakMap();
    pairs.set(before, ofBefore);
  }
  let merged = ofBefore.get(added);
  if (merged === undefined) {
    merged = { ...before, ...added };
    ofBefore.set(added, merged);
  }
  return merged;
}

function together(before: Judged, added: Judged): Judged {
  return {
    refusal: before.refusal,
    verdicts: mergeVerdicts(before.verdicts, added.verdicts),
    findings: added.findings.length === 0 ? before.findings : [...before.findings, ...added.findings],
  };
}

const hundredths = (ms: number) => Math.round(ms * 100) / 100;
