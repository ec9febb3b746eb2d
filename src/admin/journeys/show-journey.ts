/** A journey as the API shows it, with what is known of its consent or payment. */
import {
  type BankState,
  consentEndsAt,
  consentStatusAt,
  paymentMovesAt,
  paymentStatusAt,
} from '../../bank/index.js';
import { timeOfId } from '../../exchange/index.js';
import { budgetAt, consentOf, type DailyWindow, type Ledger, paymentOf } from '../../ledger/index.js';
import { ruleText } from '../../report/index.js';
import { CONSENT_STATUSES, PAYMENT_STATUSES } from '../../spec/index.js';
import { showBudget } from '../budget.js';
import { graver } from '../exchanges/brief.js';
import { type Journey, LINKS, REACHES, type Runs, STEPS, type StepName } from './chain.js';
import { type GrownJourney, placeOf, type Run } from './journey.js';

export interface Surroundings {
  readonly ledger: Ledger;
  readonly bank: BankState;
  readonly now: number;
  readonly window: DailyWindow;
  readonly isPartial: boolean;
}

type World = Pick<Surroundings, 'ledger' | 'bank' | 'now'>;

const STATUSES = { ...CONSENT_STATUSES, ...PAYMENT_STATUSES };
type Status = keyof typeof STATUSES;

export function showJourney(grown: GrownJourney, around: Surroundings): Journey {
  const { status, psu, endsAt, decision } = knownOf(grown, around);
  const journey = withEnd(withDecision(grown, decision), status, endsAt);
  const { id, kind, resource, tpp, from, to, newest, runs, reached, omitted, worst, broken, tokenUntil } =
    journey;
  const ended = isEnded(journey, status);
  const steps: Journey['steps'] = stepsOf(runs);
  const end = {
    step: 'ended',
    at: iso(endsAt),
    exchange: null,
    outcome: isRejected(status) ? 'failed' : 'ok',
    count: 1,
    worst: null,
  } as const;
  const budget = tightestOf(journey, around);
  return {
    id,
    kind,
    resource,
    tpp,
    psu,
    from: iso(from),
    to: iso(to),
    newest,
    recorded: { from: recordedAt(runs[0]?.calls[0]?.exchange ?? newest), to: recordedAt(newest) },
    status,
    ended,
    steps: ended && !reached.has('ended') ? [...steps, end] : steps,
    omitted,
    next: ended ? null : nextOf(journey, status),
    worst,
    chain: chainOf(journey),
    broken: broken?.link ?? null,
    token:
      tokenUntil === null || ended ? null : { expiresAt: iso(tokenUntil), expired: tokenUntil <= around.now },
    ...(budget === undefined ? {} : { budget: showBudget(budget) }),
    ...(around.isPartial ? { isPartial: true } : {}),
  };
}

export function showRuns({ runs }: GrownJourney): Runs {
  let before: string | null = null;
  const pastOf = (exchange: string): number | null => {
    const past = before === null ? null : between(before, exchange);
    before = exchange;
    return past;
  };
  return runs.map((run) => {
    const calls = run.calls.map((call) => ({ ...call, at: iso(call.at), past: pastOf(call.exchange) }));
    before = run.exchange;
    const took = between(calls[0]?.exchange ?? run.exchange, run.exchange);
    return { ...run, from: iso(run.from), at: iso(run.at), took, calls };
  });
}

const between = (first: string, second: string): number => (timeOfId(second) ?? 0) - (timeOfId(first) ?? 0);

/** Calls that are no step interrupt none. */
function stepsOf(runs: readonly Run[]): Journey['steps'] {
  const steps: Journey['steps'][number][] = [];
  for (const { step, at, exchange, outcome, count, worst } of runs) {
    if (step === null) continue;
    const last = steps.at(-1);
    const isSame = last?.step === step && last.outcome === outcome;
    const before = isSame ? steps.pop() : undefined;
    const times = count + (before?.count ?? 0);
    const gravest = graver(before?.worst ?? null, worst);
    steps.push({ step, at: iso(at), exchange, outcome, count: times, worst: gravest });
  }
  return steps;
}

/** When the time alone changes how it is shown: its consent ends, its token expires; infinite where it does not. */
export function changesAt(journey: GrownJourney, around: Surroundings): number {
  const times = [
    journey.tokenUntil,
    knownOf(journey, around).movesAt,
    tightestOf(journey, around)?.freesUpAt,
  ];
  return Math.min(...times.map((at) => (at != null && at > around.now ? at : Number.POSITIVE_INFINITY)));
}

/** Knowledge of the living bank, else of the bank's answers. `decision` is the PSU's; null: none, or nobody knows. */
function knownOf({ kind, resource, tpp, to }: GrownJourney, { ledger, bank, now }: World) {
  const id = resource ?? '';
  const [consent, payment] = [bank.bankConsents.get(id), bank.bankPayments.get(id)];
  if (kind === 'consent' && consent !== undefined) {
    const [status, endsAt] = [consentStatusAt(consent, now), consentEndsAt(consent)];
    const decision = decisionOf(consent.scaAt, status);
    return { status, psu: consent.psu, decision, endsAt, movesAt: endsAt };
  }
  if (kind === 'payment' && payment !== undefined) {
    const status = paymentStatusAt(payment, now);
    const decision = decisionOf(payment.authorisedAt, status);
    const endsAt = payment.cancelledAt ?? payment.execution?.at ?? to;
    return { status, psu: payment.psu, decision, endsAt, movesAt: paymentMovesAt(payment, now) };
  }
  const fact = kind === 'consent' ? consentOf(ledger, tpp, id) : paymentOf(ledger, tpp, id);
  return { status: fact?.status ?? null, psu: null, decision: null, endsAt: to, movesAt: null };
}

/** Calls that come behind the end break no payment, and of a consent they only show that it has ended. */
function withEnd(journey: GrownJourney, status: Status | null, endsAt: number): GrownJourney {
  const { kind, broken } = journey;
  if (broken === null || !isEnded(journey, status) || isRejected(status)) return journey;
  if (kind === 'payment') return { ...journey, broken: null };
  if (broken.rule !== null || broken.at < endsAt) return journey;
  return { ...journey, broken: { ...broken, link: 'consent' } };
}

const isEnded = ({ reached }: GrownJourney, status: Status | null): boolean =>
  status === null ? reached.has('ended') : STATUSES[status].final;

/** The consent or payment has ended, so that nothing more can be done with it. */
export const hasEnded = (journey: GrownJourney, around: World): boolean =>
  isEnded(journey, knownOf(journey, around).status);

const isRejected = (status: string | null): boolean => status === 'rejected' || status === 'RJCT';

function decisionOf(authorisedAt: number | null, status: string): 'ok' | 'failed' | null {
  if (authorisedAt !== null) return 'ok';
  return isRejected(status) ? 'failed' : null;
}

/**
 * What the PSU decided is known to the living bank before the browser leads back to the TPP, or where it never does. An
 * SCA of the cancellation, if one is asked for, tells by itself.
 */
function withDecision(journey: GrownJourney, decision: 'ok' | 'failed' | null): GrownJourney {
  const { runs, reached, furthest, broken } = journey;
  const last = runs.findLastIndex(({ step }) => step === 'psu');
  if (last < 0 || decision === null || runs[last]?.outcome === decision) return journey;
  if (runs.some(({ step }) => step === 'ended')) return journey;
  const decided = runs.map((run, at) => (at === last ? { ...run, outcome: decision } : run));
  if (decision === 'failed') return { ...journey, runs: decided };
  return {
    ...journey,
    runs: decided,
    reached: new Set([...reached, 'psu']),
    furthest: Math.max(furthest, placeOf(REACHES.psu)),
    broken: broken?.link === REACHES.psu ? null : broken,
  };
}

const iso = (at: number): string => new Date(at).toISOString();
const recordedAt = (exchange: string): string => iso(timeOfId(exchange) ?? 0);

function nextOf(journey: GrownJourney, status: Status | null): StepName | null {
  const { kind, resource, reached, furthest: link, broken } = journey;
  // It was created before this recording, or is an id of the sandbox.
  const isThere = resource !== null && broken?.link !== 'consent';
  const before = !isThere ? -1 : STEPS.indexOf(status === 'valid' ? 'psu' : 'created');
  const isInTurn = (step: StepName) =>
    step !== 'reads' || reached.has('token') || link >= placeOf(REACHES.reads);
  const furthest = STEPS.findLastIndex((step) => reached.has(step) && isInTurn(step));
  const next = STEPS[Math.max(before, furthest) + 1];
  // After its SCA a payment is the bank's: the TPP may read it, with or without a token, and need not.
  return next === undefined || next === 'ended' || (kind === 'payment' && isAfterPsu(next)) ? null : next;
}

const isAfterPsu = (step: StepName): boolean => STEPS.indexOf(step) > STEPS.indexOf('psu');

function chainOf({ furthest, broken }: GrownJourney): Journey['chain'] {
  return LINKS.map((link, place) => {
    if (broken?.link !== link) return { link, state: place <= furthest ? 'ok' : 'open' };
    const { exchange, rule, expected, text } = broken;
    const fix = rule === null ? {} : { fix: ruleText(rule, [], expected).fix };
    return { link, state: 'broken', exchange, rule, text, ...fix };
  });
}

function tightestOf({ accesses }: GrownJourney, { ledger, now, window }: Surroundings) {
  const budgets = [...accesses.keys()].flatMap((key) => budgetAt(ledger, key, now, window) ?? []);
  return budgets.sort((a, b) => a.left - b.left || b.freesUpAt - a.freesUpAt)[0];
}
