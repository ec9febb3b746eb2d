/** The timeline of a session: calls, findings, the bank's times, and what an operator did. */
import * as z from 'zod';
import { memberOf, timeOfId } from '../../exchange/index.js';
import { counted } from '../../spec/index.js';
import { createTimeline, type SessionInfo } from '../../store/index.js';
import { count, named, type Shown, time } from '../api/schemas.js';
import type { First } from './older.js';
import type { LivePort } from './port.js';

const ms = z.number().nonnegative();

export const timeline = named(
  'Timeline',
  z.object({
    width: count.describe('Of a slot, in ms; slots become wider as the session grows.'),
    slots: z
      .array(
        z.object({
          at: time.describe('Its beginning, by the clock of the machine.'),
          calls: count,
          must: count.describe('Calls of which this is the gravest finding.'),
          should: count,
          bank: z
            .object({ calls: count, ms: ms.describe('On average.'), longest: ms })
            .nullable()
            .describe('Calls that a bank answered; null: none.'),
        }),
      )
      .describe('At most 300, in their order; one without a call is left out.'),
    since: time.nullable().describe('As in the counts.'),
    marks: z
      .array(z.object({ at: time, kind: z.enum(['mark', 'clock', 'faults']), text: z.string() }))
      .describe('Marks, moves of the clock and changes of the faults; the newest 200.'),
  }),
);

export type ShownTimeline = Shown<typeof timeline>;
type Mark = ShownTimeline['marks'][number];

export function createSessionTime() {
  const timeline = createTimeline();
  return {
    take: timeline.add,
    addAll: timeline.addAll,
    /** `first`: nothing before it is in the timeline. */
    show: async (
      session: string,
      port: Pick<LivePort, 'store'>,
      first: First | null,
    ): Promise<ShownTimeline> => {
      const { width, slots } = timeline.show();
      const info = (await port.store.sessions()).find(({ name }) => name === session);
      return {
        width,
        slots: slots.map(({ at, calls, must, should, asked, bankMs, longestMs }) => ({
          ...{ at: iso(at), calls, must, should },
          bank: asked === 0 ? null : { calls: asked, ms: bankMs / asked, longest: longestMs },
        })),
        since: first === null ? null : iso(timeOfId(first.exchange) ?? first.at),
        marks: marksOf(info?.notes ?? []),
      };
    },
  };
}

const MOST_MARKS = 200;
const iso = (at: number): string => new Date(at).toISOString();

const marksOf = (notes: SessionInfo['notes']): Mark[] => notes.flatMap(markOf).slice(-MOST_MARKS);

function markOf({ at, kind, settings }: SessionInfo['notes'][number]): Mark[] {
  const mark = (of: Mark['kind'], text: string): Mark[] => [{ at: iso(at), kind: of, text }];
  if (kind === 'mark') return mark(kind, settings.text);
  if (kind === 'unrecorded') return mark('mark', `${counted(settings.calls, 'call')} not recorded`);
  if (kind === 'clock') return mark(kind, `clock of the bank: ${settings.to}, ${settings.mode}`);
  if (kind !== 'changed' || settings.faults === undefined) return [];
  const ids = settings.faults.map((row) => String(memberOf(row, 'id')));
  return mark('faults', ids.length === 0 ? 'no faults' : `faults: ${ids.join(', ')}`);
}
