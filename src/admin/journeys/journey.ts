/** One journey as it grows, exchange by exchange. */
import { ownCopy } from '../../exchange/index.js';
import { graver } from '../exchanges/brief.js';
import { type Break, LINKS, type Outcome, type StepName } from './chain.js';
import type { StepCall } from './step-call.js';

type RunCall = Pick<
  StepCall,
  | 'exchange'
  | 'at'
  | 'listener'
  | 'method'
  | 'path'
  | 'status'
  | 'ms'
  | 'source'
  | 'sender'
  | 'worst'
  | 'reason'
>;

/** Calls one after the other that came to the same. `step` null: they asked how it stands, or were told. */
export interface Run {
  readonly step: StepName | null;
  readonly outcome: Outcome;
  readonly from: number;
  at: number;
  exchange: string;
  count: number;
  /** How many of them have findings. */
  found: number;
  worst: StepCall['worst'];
  /** The newest with the gravest finding. */
  gravest: string | null;
  /** The first of them. */
  readonly calls: RunCall[];
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
  readonly runs: Run[];
  omitted: number;
  readonly reached: Set<StepName>;
  furthest: number;
  worst: StepCall['worst'];
  broken: (Break & Pick<StepCall, 'at' | 'exchange'>) | null;
  tokenUntil: number | null;
  /** The newest of each, by the key of its budget. */
  readonly accesses: Map<string, Pick<StepCall, 'at' | 'exchange'>>;
}

const MOST_RUNS = 40;
/** A longer run is told by its numbers. */
const MOST_CALLS = 3;
const MOST_ACCESSES = 50;
/** A path has no more characters than this; the rest is seen in the call. A part of a text keeps all of it, so copies are kept. */
const LONGEST = 200;

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
    runs: [],
    omitted: 0,
    reached: new Set(),
    furthest: -1,
    worst: null,
    broken: null,
    tokenUntil: null,
    accesses: new Map(),
  };
}

export function growJourney(journey: GrownJourney, call: StepCall): void {
  const { at, worst, step, outcome, reaches, broken, exchange } = call;
  journey.to = Math.max(journey.to, at);
  journey.newest = exchange;
  journey.worst = graver(journey.worst, worst);
  if (call.tokenUntil !== undefined) journey.tokenUntil = call.tokenUntil;
  const { accesses } = journey;
  if (call.accessKey !== null && (accesses.size < MOST_ACCESSES || accesses.has(call.accessKey)))
    accesses.set(call.accessKey, { at, exchange });
  const isStep = step !== null && reaches !== null && !isPageGoneBackTo(journey, call);
  addCall(journey, isStep ? step : null, call);
  if (!isStep) return;
  if (outcome === 'ok') {
    journey.reached.add(step);
    const place = placeOf(reaches);
    journey.furthest = Math.max(journey.furthest, place);
    if (journey.broken !== null && placeOf(journey.broken.link) <= place) journey.broken = null;
  } else if (broken !== null)
    journey.broken = { ...broken, link: linkIn(journey, call, broken), at, exchange };
}

/** In the journey of the token, the Consent-Id of another consent is wrong, and not the consent. */
function linkIn({ resource }: GrownJourney, { resources }: StepCall, { link }: Break): Break['link'] {
  return link === 'consent' && resources.length > 1 && resources[0]?.id !== resource ? 'Consent-Id' : link;
}

/** A PSU who was at the bank and goes back there by the browser undoes nothing; a cancellation has an SCA of its own. */
const isPageGoneBackTo = ({ reached, runs }: GrownJourney, { step, isBrowser, outcome }: StepCall): boolean =>
  step === 'psu' &&
  isBrowser &&
  outcome !== 'ok' &&
  reached.has('psu') &&
  !runs.some((one) => one.step === 'ended');

export const placeOf = (link: (typeof LINKS)[number]): number => LINKS.indexOf(link);

function addCall(journey: GrownJourney, step: StepName | null, call: StepCall): void {
  const { at, outcome, exchange, worst } = call;
  const last = journey.runs.at(-1);
  const run: Run =
    last?.step === step && last.outcome === outcome
      ? last
      : { step, outcome, from: at, at, exchange, count: 0, found: 0, worst: null, gravest: null, calls: [] };
  Object.assign(run, { at, exchange, count: run.count + 1, worst: graver(run.worst, worst) });
  if (worst !== null) run.found += 1;
  if (worst !== null && worst === run.worst) run.gravest = exchange;
  if (run.calls.length < MOST_CALLS) {
    const { listener, method, status, ms, source, sender } = call;
    const [path, reason] = [ownCopy(call.path.slice(0, LONGEST)), call.reason && ownCopy(call.reason)];
    run.calls.push({ exchange, at, listener, method, path, status, ms, source, sender, worst, reason });
  }
  if (run === last) return;
  journey.runs.push(run);
  if (journey.runs.length <= MOST_RUNS) return;
  // The first says how it began.
  journey.runs.splice(1, 1);
  journey.omitted += 1;
}
