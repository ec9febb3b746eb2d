/** The journeys of a session: finds the one that an exchange belongs to, and opens new ones. */
import { createJourneyIndex } from '../../report/index.js';
import { growLane, type Lane, openLane } from './lane.js';
import type { StepCall } from './step-call.js';

/** A long session has more consents than anybody looks at: those that were quiet longest go. */
const MOST_LANES = 500;

export type Lanes = ReturnType<typeof createLanes>;

export function createLanes() {
  const lanes = new Map<string, Lane>();
  const newest = createJourneyIndex<Lane>();
  const placeOf = ({ kind, resource, tpp }: Pick<Lane, 'kind' | 'resource' | 'tpp'>) => ({
    ...{ kind, tpp, resource: resource ?? '' },
  });
  const open = (call: StepCall, kind: Lane['kind'], resource: string | null): Lane => {
    const lane = openLane(freeId(resource ?? call.exchange), kind, resource, call);
    newest.set(placeOf(lane), lane);
    if (lanes.size < MOST_LANES) return lane;
    for (const oldest of lanes.values()) {
      lanes.delete(oldest.id);
      newest.drop(placeOf(oldest), oldest);
      break;
    }
    return lane;
  };
  const freeId = (wanted: string): string => {
    let id = wanted;
    for (let n = 2; lanes.has(id); n++) id = `${wanted}~${n}`;
    return id;
  };
  const laneOf = (call: StepCall): Lane | null => {
    const { resource, creates, isBrowser, tpp } = call;
    const kind = resource?.kind ?? creates;
    if (kind === null) return null;
    const id = resource?.id ?? null;
    const known = newest.find({ kind, resource: id ?? '', tpp: isBrowser ? null : tpp });
    if (known === undefined) return open(call, kind, id);
    // The sandbox gives the same id to each creation: another creation is another journey.
    const isAnew = id !== null && creates !== null && call.outcome === 'ok' && known.reached.has('created');
    return isAnew ? open(call, kind, id) : known;
  };

  return {
    /** The journey that it belongs to; null where it belongs to none. */
    take: (call: StepCall): Lane | null => {
      const lane = laneOf(call);
      if (lane === null) return null;
      growLane(lane, call);
      lanes.delete(lane.id);
      lanes.set(lane.id, lane);
      return lane;
    },
    /** The journey of a consent or payment, whoever created it. */
    find: (kind: Lane['kind'], resource: string): Lane | null =>
      newest.find({ kind, resource, tpp: null }) ?? null,
    /** Those that were quiet longest first. */
    all: (): Iterable<Lane> => lanes.values(),
  };
}
