/** Pairs the authorization requests of this run with recorded ones, also where the PSU takes several steps. */
import { type Call, queryValue } from '../../exchange/index.js';
import { type Asked, askedBy, type Flow, flowKey, stepOf } from './authorization-calls.js';
import type { Bindings } from './bindings.js';
import type { Entry } from './entries.js';
import type { MissDifference } from './miss.js';
import type { Recording } from './open-recording.js';
import { type Accepts, use } from './pick.js';

export interface AuthorizationRequests {
  /** The same way again where a request is a later step on it; null where it begins one. */
  readonly next: (call: Call) => Flow | null;
  /** The outcome that a request asks for must be the recorded one. */
  readonly accepts: (call: Call) => Accepts;
  /** What it says of the consent or payment that it is for, as recorded. */
  readonly names: (call: Call) => readonly string[];
  readonly remember: (call: Call, flow: Flow) => void;
  /** For a request that no recorded one fits: the way that this browser went before, else one that was not recorded. */
  readonly otherwise: (call: Call) => Flow | null;
  /** Ways that were gone are others from now on. */
  readonly moved: (
    moves: Iterable<readonly [gone: Pick<Entry, 'flow'>, instead: Pick<Entry, 'flow'>]>,
  ) => void;
}

interface Gone {
  readonly flow: Flow;
  readonly step: number;
}

const MOST_REMEMBERED = 1_000;

export function createAuthorizationRequests(
  { unseen }: Recording,
  bindings: Bindings,
): AuthorizationRequests {
  const gone = new Map<string, Gone>();

  const remember = (call: Call, flow: Flow): void => {
    const key = flowKey(call);
    gone.delete(key);
    gone.set(key, { flow, step: stepOf(call) });
    const [oldest] = gone.keys();
    if (gone.size > MOST_REMEMBERED && oldest !== undefined) gone.delete(oldest);
  };

  const fits = (scope: string | null, call: Call): boolean => {
    const sent = queryValue(call, 'scope');
    if (scope === null || sent === undefined || sent === scope) return true;
    const [service, id = ''] = scope.split(/:(.*)/s, 2);
    const [sentService, sentId = ''] = sent.split(/:(.*)/s, 2);
    if (service !== sentService) return false;
    const recorded = bindings.recordedOf(sentId);
    if (recorded !== id && bindings.isOpen(id) && !bindings.isKnown(recorded)) bindings.bind(id, sentId);
    return bindings.recordedOf(sentId) === id;
  };

  return {
    next: (call) => {
      const before = gone.get(flowKey(call));
      if (before === undefined || stepOf(call) <= before.step) return null;
      return isAsked(before.flow, call) ? before.flow : null;
    },
    accepts: (call) => (entry) => entry.flow === null || isAsked(entry.flow, call),
    names: (call) => [bindings.recordedOf(queryValue(call, 'scope')?.split(/:(.*)/s, 2)[1] ?? '')],
    remember,
    otherwise: (call) => {
      const before = gone.get(flowKey(call));
      if (before !== undefined && isAsked(before.flow, call)) return before.flow;
      const found = unseen.find(({ uses, flow }) => uses === 0 && fits(flow.scope, call));
      if (found === undefined) return null;
      use(found);
      remember(call, found.flow);
      return found.flow;
    },
    moved: (moves) => {
      const others = new Map(Array.from(moves, ([{ flow }, instead]) => [flow, instead.flow] as const));
      for (const [key, { flow, step }] of gone) {
        const other = others.get(flow);
        if (other != null) gone.set(key, { flow: other, step });
      }
    },
  };
}

function isAsked({ asked }: Flow, call: Call): boolean {
  return differencesIn(asked, call).length === 0;
}

/** Where a request asks for another outcome, PSU or account than the recorded one. */
export function differencesIn(recorded: Asked, call: Call): readonly MissDifference[] {
  const sent = askedBy(call);
  return (['scenario', 'psu', 'accounts'] as const).flatMap((name) => {
    const [expected, got] = [recorded[name], sent[name]];
    const isOther = expected !== undefined && got !== undefined && expected !== got;
    return isOther ? { place: `query ${name}` as const, expected, got } : [];
  });
}
