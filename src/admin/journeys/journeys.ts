/** The journeys of a session: finds the one that an exchange belongs to, and opens new ones. */
import { createJourneyIndex } from '../../report/index.js';
import { type GrownJourney, growJourney, openJourney } from './journey.js';
import type { StepCall } from './step-call.js';

/** A long session has more consents than anybody looks at: those that were quiet longest go. */
const MOST_JOURNEYS = 500;

export type Journeys = ReturnType<typeof createJourneys>;

export function createJourneys() {
  const journeys = new Map<string, GrownJourney>();
  const newest = createJourneyIndex<GrownJourney>();
  const placeOf = ({ kind, resource, tpp }: Pick<GrownJourney, 'kind' | 'resource' | 'tpp'>) => {
    return { kind, tpp, resource: resource ?? '' };
  };
  const open = (call: StepCall, kind: GrownJourney['kind'], resource: string | null): GrownJourney => {
    const journey = openJourney(freeId(resource ?? call.exchange), kind, resource, call);
    newest.set(placeOf(journey), journey);
    if (journeys.size < MOST_JOURNEYS) return journey;
    for (const oldest of journeys.values()) {
      journeys.delete(oldest.id);
      newest.drop(placeOf(oldest), oldest);
      break;
    }
    return journey;
  };
  const freeId = (wanted: string): string => {
    let id = wanted;
    for (let n = 2; journeys.has(id); n++) id = `${wanted}~${n}`;
    return id;
  };
  const journeyOf = (call: StepCall): GrownJourney | null => {
    const { creates, isBrowser } = call;
    const kind = call.resource?.kind ?? creates;
    if (kind === null) return null;
    const resource = call.resource?.id ?? null;
    const place = placeOf({ kind, resource, tpp: isBrowser ? null : call.tpp });
    const isCreation = creates !== null && call.outcome === 'ok';
    return newest.find(place, isCreation) ?? open(call, kind, resource);
  };

  return {
    take: (call: StepCall): GrownJourney | null => {
      const journey = journeyOf(call);
      if (journey === null) return null;
      growJourney(journey, call);
      journeys.delete(journey.id);
      journeys.set(journey.id, journey);
      return journey;
    },
    /** The journey of a consent or payment, whoever created it. */
    find: (kind: GrownJourney['kind'], resource: string): GrownJourney | null =>
      newest.find({ kind, resource, tpp: null }) ?? null,
    byId: (id: string) => journeys.get(id),
    /** Sorted: the journey that was quiet longest comes first. */
    all: (): Iterable<GrownJourney> => journeys.values(),
  };
}
