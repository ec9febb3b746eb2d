/** Pairs the authorization requests of this run with recorded ones, also where the PSU takes several steps. */
import { type Call, queryValue } from '../../exchange/index.js';
import { type Asked, askedBy, type Flow, flowKey, stepOf } from './authorization-calls.js';
import type { Bindings } from './bindings.js';
import type { Entry } from './entries.js';
import type { MissDifference } from './miss.js';
import type { Recording } from './open-recording.js';
import { use } from './pick.js';

const MOST_REMEMBERED = 1_000;

export type AuthorizationRequests = ReturnType<typeof createAuthorizationRequests>;

export function createAuthorizationRequests({ unseen }: Recording, bindings: Bindings) {
  /** The ways that browsers went, each up to a step. */
  const gone = new Map<string, { readonly flow: Flow; readonly step: number }>();

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
    /** The same way again where a request is a later step on it; null where it begins one. */
    next: (call: Call): Flow | null => {
      const before = gone.get(flowKey(call));
      const isLater = before !== undefined && stepOf(call) > before.step && isAsked(before.flow, call);
      return isLater ? before.flow : null;
    },
    /** The outcome that a request asks for must be the recorded one. */
    accepts: (call: Call) => (entry: Entry) => entry.flow === null || isAsked(entry.flow, call),
    /** Names of the consent or payment of the request, as recorded. */
    names: (call: Call) => [bindings.recordedOf(queryValue(call, 'scope')?.split(/:(.*)/s, 2)[1] ?? '')],
    remember,
    /** For a request that no recorded one fits: the way that this browser went before, else one that was not recorded. */
    otherwise: (call: Call): Flow | null => {
      const before = gone.get(flowKey(call));
      if (before !== undefined && isAsked(before.flow, call)) return before.flow;
      const left = unseen.find(({ uses, resource }) => uses === 0 && fits(resource, call));
      if (left?.flow == null) return null;
      use(left);
      remember(call, left.flow);
      return left.flow;
    },
    /** Ways that were gone are others from now on. */
    moved: (moves: Iterable<readonly [gone: Pick<Entry, 'flow'>, instead: Pick<Entry, 'flow'>]>): void => {
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

/** Differences if a request asks for another outcome, PSU or account than the recorded one. */
export function differencesIn(recorded: Asked, call: Call): readonly MissDifference[] {
  const sent = askedBy(call);
  return (['scenario', 'psu', 'accounts'] as const).flatMap((name) => {
    const [expected, got] = [recorded[name], sent[name]];
    const isOther = expected !== undefined && got !== undefined && expected !== got;
    return isOther ? { place: `query ${name}` as const, expected, got } : [];
  });
}
