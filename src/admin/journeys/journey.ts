/** One journey as it grows, exchange by exchange, and as it is shown. */
import {
  type BankState,
  consentEndsAt,
  consentStatusAt,
  paymentMovesAt,
  paymentStatusAt,
} from '../../bank/index.js';
import { budgetAt, consentOf, type Ledger, paymentOf, type SpanAt } from '../../ledger/index.js';
import {
  CONSENT_STATUSES,
  type ConsentStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../../spec/index.js';
import { showBudget } from '../budget.js';
import { graver } from '../exchanges/brief.js';
import { type Break, type Journey, LINKS, type Outcome, REACHES, STEPS, type StepName } from './chain.js';
import type { StepCall } from './step-call.js';

interface GrownStep {
  readonly step: StepName;
  at: number;
  exchange: string;
  readonly outcome: Outcome;
  count: number;
  worst: StepCall['worst'];
}

export interface GrownJourney {
  readonly id: string;
  readonly kind: 'consent' | 'payment';
  readonly resource: string | null;
  readonly tpp: string | null;
  /** Epoch ms. */
  readonly from: number;
  to: number;
  readonly steps: GrownStep[];
  omitted: number;
  readonly reached: Set<StepName>;
  furthest: number;
  worst: StepCall['worst'];
  broken: (Break & { readonly exchange: string }) | null;
  tokenUntil: number | null;
  readonly accesses: Set<string>;
}

export interface Surroundings {
  readonly ledger: Ledger;
  readonly bank: BankState;
  readonly now: number;
  readonly spanAt: SpanAt;
  readonly isPartial: boolean;
}

const MOST_STEPS = 40;
const MOST_ACCESSES = 50;

export function openJourney(
  id: string,
  kind: GrownJourney['kind'],
  resource: string | null,
  call: StepCall,
): GrownJourney {
  return {
    id,
    kind,
    resource,
    tpp: call.isBrowser ? null : call.tpp,
    from: call.at,
    to: call.at,
    steps: [],
    omitted: 0,
    reached: new Set(),
    furthest: -1,
    worst: null,
    broken: null,
    tokenUntil: null,
    accesses: new Set(),
  };
}

export function growJourney(journey: GrownJourney, call: StepCall): void {
  const { at, worst, step, outcome, reaches, broken, exchange } = call;
  journey.to = Math.max(journey.to, at);
  journey.worst = graver(journey.worst, worst);
  journey.tokenUntil = call.tokenUntil ?? journey.tokenUntil;
  if (call.accessKey !== null && journey.accesses.size < MOST_ACCESSES) journey.accesses.add(call.accessKey);
  if (step === null || reaches === null || isPageGoneBackTo(journey, call)) return;
  addStep(journey, step, call);
  if (outcome === 'ok') {
    journey.reached.add(step);
    const place = placeOf(reaches);
    journey.furthest = Math.max(journey.furthest, place);
    if (journey.broken !== null && placeOf(journey.broken.link) <= place) journey.broken = null;
  } else if (broken !== null) journey.broken = { ...broken, exchange };
}

/** A PSU who was at the bank and goes back there by the browser undoes nothing; a cancellation has an SCA of its own. */
const isPageGoneBackTo = (
  { reached, steps }: GrownJourney,
  { step, isBrowser, outcome }: StepCall,
): boolean =>
  step === 'psu' &&
  isBrowser &&
  outcome !== 'ok' &&
  reached.has('psu') &&
  !steps.some((one) => one.step === 'ended');

const placeOf = (link: (typeof LINKS)[number]): number => LINKS.indexOf(link);

function addStep(journey: GrownJourney, step: StepName, { at, outcome, exchange, worst }: StepCall): void {
  const last = journey.steps.at(-1);
  if (last?.step === step && last.outcome === outcome) {
    Object.assign(last, { at, exchange, count: last.count + 1, worst: graver(last.worst, worst) });
    return;
  }
  journey.steps.push({ step, at, exchange, outcome, count: 1, worst });
  if (journey.steps.length <= MOST_STEPS) return;
  // The first says how it began.
  journey.steps.splice(1, 1);
  journey.omitted += 1;
}

export function showJourney(grown: GrownJourney, around: Surroundings): Journey {
  const journey = withDecision(grown, around);
  const { id, kind, resource, tpp, from, to, omitted, worst, broken, tokenUntil } = journey;
  const { status, psu, endedAt } = statusOf(journey, around);
  const ended = endedAt !== null;
  const steps: Journey['steps'] = journey.steps.map((step) => ({ ...step, at: iso(step.at) }));
  const isTold = journey.reached.has('ended');
  const end = {
    step: 'ended',
    at: iso(endedAt ?? 0),
    exchange: null,
    outcome: status === 'rejected' || status === 'RJCT' ? 'failed' : 'ok',
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
    status,
    ended,
    steps: ended && !isTold ? [...steps, end] : steps,
    omitted,
    next: ended ? null : nextOf(journey),
    worst,
    chain: chainOf(journey),
    broken: broken?.link ?? null,
    token: tokenUntil === null ? null : { expiresAt: iso(tokenUntil), expired: tokenUntil <= around.now },
    ...(budget === undefined ? {} : { budget: showBudget(budget) }),
    ...(around.isPartial ? { isPartial: true } : {}),
  };
}

/**
 * What the PSU decided is known to the living bank before the browser leads back to the TPP, or where it never does. An
 * SCA of the cancellation, if one is asked for, tells by itself.
 */
function withDecision(journey: GrownJourney, { bank, now }: Surroundings): GrownJourney {
  const { kind, resource, steps, reached, furthest, broken } = journey;
  const last = steps.findLastIndex(({ step }) => step === 'psu');
  const decision = decisionOn(bank, kind, resource ?? '', now);
  if (last < 0 || decision === null || steps[last]?.outcome === decision) return journey;
  if (steps.some(({ step }) => step === 'ended')) return journey;
  const decided = steps.map((step, at) => (at === last ? { ...step, outcome: decision } : step));
  if (decision === 'failed') return { ...journey, steps: decided };
  return {
    ...journey,
    steps: decided,
    reached: new Set([...reached, 'psu']),
    furthest: Math.max(furthest, placeOf(REACHES.psu)),
    broken: broken?.link === REACHES.psu ? null : broken,
  };
}

/** null where the PSU has decided nothing, or nobody knows. */
function decisionOn(
  { bankConsents, bankPayments }: BankState,
  kind: GrownJourney['kind'],
  id: string,
  now: number,
): 'ok' | 'failed' | null {
  const known = kind === 'consent' ? bankConsents.get(id) : bankPayments.get(id);
  if (known === undefined) return null;
  const [authorisedAt, status] =
    'scaAt' in known
      ? [known.scaAt, consentStatusAt(known, now)]
      : [known.authorisedAt, paymentStatusAt(known, now)];
  if (authorisedAt !== null) return 'ok';
  return status === 'rejected' || status === 'RJCT' ? 'failed' : null;
}

/** When the time alone changes how it is shown: its consent ends, its token expires; infinite where it does not. */
export function changesAt(journey: GrownJourney, around: Surroundings): number {
  const { bank, now } = around;
  const consent = journey.kind === 'consent' ? bank.bankConsents.get(journey.resource ?? '') : undefined;
  const payment = journey.kind === 'payment' ? bank.bankPayments.get(journey.resource ?? '') : undefined;
  const times = [
    journey.tokenUntil,
    consent === undefined ? null : consentEndsAt(consent),
    payment === undefined ? null : paymentMovesAt(payment, now),
    tightestOf(journey, around)?.freesUpAt,
  ];
  return Math.min(...times.map((at) => (at != null && at > now ? at : Number.POSITIVE_INFINITY)));
}

const iso = (at: number): string => new Date(at).toISOString();

const STATUSES = { ...CONSENT_STATUSES, ...PAYMENT_STATUSES };

function statusOf({ kind, resource, tpp, to, reached }: GrownJourney, { ledger, bank, now }: Surroundings) {
  const given = (status: ConsentStatus | PaymentStatus | null, psu: string | null, at = to) => {
    const isOver = status === null ? reached.has('ended') : STATUSES[status].final;
    return { status, psu, endedAt: isOver ? at : null };
  };
  if (resource === null) return given(null, null);
  if (kind === 'consent') {
    const known = bank.bankConsents.get(resource);
    if (known === undefined) return given(consentOf(ledger, tpp, resource)?.status ?? null, null);
    return given(consentStatusAt(known, now), known.psu, consentEndsAt(known));
  }
  const known = bank.bankPayments.get(resource);
  if (known === undefined) return given(paymentOf(ledger, tpp, resource)?.status ?? null, null);
  return given(paymentStatusAt(known, now), known.psu, known.cancelledAt ?? known.execution?.at);
}

function nextOf({ reached, furthest: link }: GrownJourney): StepName | null {
  const isInTurn = (step: StepName) =>
    step !== 'reads' || reached.has('token') || link >= placeOf(REACHES.reads);
  const furthest = STEPS.findLastIndex((step) => reached.has(step) && isInTurn(step));
  const next = STEPS[furthest + 1];
  return next === 'ended' ? null : (next ?? null);
}

function chainOf({ furthest, broken }: GrownJourney): Journey['chain'] {
  return LINKS.map((link, place) => {
    if (broken?.link !== link) return { link, state: place <= furthest ? 'ok' : 'open' };
    const { exchange, rule, text } = broken;
    return { link, state: 'broken', exchange, rule, text };
  });
}

function tightestOf({ accesses }: GrownJourney, { ledger, now, spanAt }: Surroundings) {
  const budgets = [...accesses].flatMap((key) => budgetAt(ledger, key, now, spanAt) ?? []);
  return budgets.sort((a, b) => a.left - b.left || b.freesUpAt - a.freesUpAt)[0];
}
