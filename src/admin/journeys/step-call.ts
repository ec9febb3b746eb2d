/** The few plain values of an exchange that views of a session keep, without its bodies. */
import { type Call, type Exchange, memberOf, namedResources, parametersOf } from '../../exchange/index.js';
import { accessKey } from '../../ledger/index.js';
import { messageCode, stageOf } from '../../report/index.js';
import { resourceCreatedBy } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { gravestOf, reasonOf, refusalOf } from '../exchanges/reason.js';
import { breakOf, type ChainLink, type Outcome, REACHES, type Refusal, type StepName } from './chain.js';

export type StepCall = ReturnType<typeof stepCallOf>;

const STEP_OF_STAGE = {
  created: 'created',
  authorised: 'psu',
  token: 'token',
  access: 'reads',
  revoked: 'ended',
  status: null,
  notified: null,
} as const;

export function stepCallOf(record: RecordedExchange) {
  const { exchange, findings } = record;
  const { call, answer, elapsed } = exchange;
  const stage = stageOf({ record });
  const step = stage === null ? null : STEP_OF_STAGE[stage[0]];
  const gravest = gravestOf(findings);
  const outcome = outcomeOf(exchange);
  const hasFailed = step !== null && outcome !== 'ok' && outcome !== 'waiting';
  // Every member is written out: a spread makes an object of a slower kind, and this is done for each exchange.
  return {
    exchange: call.id,
    session: call.session,
    /** Epoch ms. */
    at: call.at,
    tpp: call.tpp,
    listener: call.listener,
    method: call.request.method,
    path: call.request.path,
    status: answer?.status ?? null,
    ms: elapsed.total,
    source: answer?.source ?? null,
    sender: call.connection.sender ?? null,
    reason: reasonOf(record, gravest),
    /** A browser shows no certificate. */
    isBrowser: call.listener === 'psu',
    step,
    outcome,
    /** The link of the chain up to which it has used all, if it succeeded. */
    reaches: step === null ? null : reachOf(step, call),
    resources: namedResources(exchange),
    creates: resourceCreatedBy(call.operation),
    worst: gravest?.severity ?? null,
    broken: hasFailed ? breakOf(step, saidOf(record), findings) : null,
    /** Epoch ms, when the token ends that it gave; null: a bank may have ended it by now; undefined: this says nothing of it. */
    tokenUntil: call.operation === 'oauth.token' ? tokenUntil(record, outcome) : undefined,
    accessKey: outcome === 'ok' ? accessKey(call) : null,
  };
}

/** A payment can be read without a token, and whatever its PSU has done: that proves no more than its creation. */
const reachOf = (step: StepName, { operation, header }: Call): ChainLink =>
  operation === 'payments.read' && header.authorization === undefined ? REACHES.created : REACHES[step];

function outcomeOf({ call, answer }: Exchange): Outcome {
  if (answer === null) return 'none';
  if (answer.status >= 400) return answer.source === 'rule' ? 'refused' : 'failed';
  if (call.operation === 'oauth.discovery') return 'waiting';
  // The cancellation has an SCA of its own.
  if (call.operation === 'payments.cancel') return answer.status === 202 ? 'waiting' : 'ok';
  if (call.operation !== 'oauth.authorize') return 'ok';
  const back = parametersOf(answer.header.location ?? '');
  if (back.has('error')) return answer.source === 'rule' ? 'refused' : 'failed';
  return back.has('code') ? 'ok' : 'waiting';
}

function saidOf(record: RecordedExchange): Refusal {
  const { exchange } = record;
  const status = exchange.answer?.status ?? null;
  return { status, code: messageCode(exchange), says: refusalOf(record) };
}

/** A bank should end the tokens of a code that comes a second time (RFC 6749 4.1.2). */
function tokenUntil({ exchange, findings }: RecordedExchange, outcome: Outcome): number | null | undefined {
  const { call, answer } = exchange;
  if (outcome !== 'ok')
    return findings.some(({ rule }) => rule === 'oauth/code-used-once') ? null : undefined;
  const seconds = answer?.content.kind === 'json' ? memberOf(answer.content.value, 'expires_in') : undefined;
  return typeof seconds === 'number' && seconds < 1e9 ? call.at + seconds * 1_000 : null;
}
