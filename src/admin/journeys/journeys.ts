/** The journeys of a session: finds the one that an exchange belongs to, and opens new ones. */
import { createJourneyIndex } from '../../report/index.js';
import { type GrownJourney, growJourney, openJourney } from './journey.js';
import type { StepCall } from './step-call.js';

/** A long session has more consents than anybody looks at: those that were quiet longest go. */
const MOST_JOURNEYS = 500;

const isCreation = ({ creates, outcome }: StepCall): boolean => creates !== null && outcome === 'ok';

export type Journeys = ReturnType<typeof createJourneys>;

export function createJourneys() {
  const journeys = new Map<string, GrownJourney>();
  const newest = createJourneyIndex<GrownJourney>();
  const placeOf = ({ kind, resource, tpp }: Pick<GrownJourney, 'kind' | 'resource' | 'tpp'>) => {
    return { kind, tpp, resource: resource ?? '' };
  };
  const open = (call: StepCall, kind: GrownJourney['kind'], resource: string | null): GrownJourney => {
    const journey = openJourney(freeId(resource ?? call.exchange), kind, resource, call);
    newest.set(placeOf(journey), journey, isCreation(call));
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
  const journeyOf = (call: StepCall, kind: GrownJourney['kind'], resource: string | null): GrownJourney => {
    const place = placeOf({ kind, resource, tpp: call.isBrowser ? null : call.tpp });
    return newest.find(place, isCreation(call)) ?? open(call, kind, resource);
  };

  return {
    /** Gives those that it belongs to: one, or two, or none. */
    take: (call: StepCall): readonly GrownJourney[] => {
      const { resources, creates } = call;
      const grown =
        resources.length === 0 && creates !== null
          ? [journeyOf(call, creates, null)]
          : resources.map(({ kind, id }) => journeyOf(call, kind, id));
      for (const journey of grown) {
        growJourney(journey, call);
        journeys.delete(journey.id);
        journeys.set(journey.id, journey);
      }
      return grown;
    },
    /** The journey of a consent or payment, whoever created it. */
    find: (kind: GrownJourney['kind'], resource: string): GrownJourney | null =>
      newest.find({ kind, resource, tpp: null }) ?? null,
    byId: (id: string) => journeys.get(id),
    /** Sorted: the journey that was quiet longest comes first. */
    all: (): Iterable<GrownJourney> => journeys.values(),
  };
}
