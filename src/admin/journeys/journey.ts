/** One journey as it grows, exchange by exchange. */
import { graver } from '../exchanges/brief.js';
import { type Break, LINKS, type Outcome, type StepName } from './chain.js';
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
  newest: string;
  readonly steps: GrownStep[];
  omitted: number;
  readonly reached: Set<StepName>;
  furthest: number;
  worst: StepCall['worst'];
  broken: (Break & { readonly exchange: string }) | null;
  tokenUntil: number | null;
  readonly accesses: Set<string>;
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
    newest: call.exchange,
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
  journey.newest = exchange;
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

export const placeOf = (link: (typeof LINKS)[number]): number => LINKS.indexOf(link);

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
