/** What a report tells of the clock: how it was moved, and how many exchanges were judged by another time than the machine's. */

import type { SessionNote } from '../../exchange/index.js';
import { counted, plural } from '../../spec/index.js';
import type { Report } from '../model.js';

type Clock = NonNullable<Report['head']['clock']>;
type Move = Clock['moves'][number];

export interface ClockParts {
  readonly notes: readonly SessionNote[];
  /** How many came while the clock was not the machine's. */
  readonly exchanges: number;
  readonly all: number;
  /** So many moves are listed. */
  readonly most: number;
}

/** null: the clock was the machine's all the time. */
export function clockOf({ notes, exchanges, all, most }: ClockParts): Clock | null {
  const moves: Move[] = [];
  for (const note of notes) {
    const move = moveOf(note);
    // Where the gateway was started again, the clock went on.
    const isNew = move !== null && (move.from !== null || move.to !== moves.at(-1)?.to);
    if (isNew) moves.push(move);
  }
  if (moves.length === 0 && exchanges === 0) return null;
  const times = moves.flatMap(({ from, to }) => (from === null ? [to] : [from, to])).sort();
  const told = {
    exchanges,
    times: moves.filter(({ from }) => from !== null).length,
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
  };
  return { sentence: sentenceOf(told, all), ...told, moves: moves.slice(0, most) };
}

function moveOf(note: SessionNote): Move | null {
  if (note.kind === 'clock') {
    const { from, to, mode, speed } = note.settings;
    return { at: new Date(note.at).toISOString(), from, to, mode, speed };
  }
  if (note.kind !== 'started' || note.settings.clock === undefined) return null;
  const { now, since, mode, speed } = note.settings.clock;
  return { at: since, from: null, to: now, mode, speed };
}

function sentenceOf({ exchanges, times, from, to }: Omit<Clock, 'sentence' | 'moves'>, all: number): string {
  const judged = `${exchanges} of ${counted(all, 'exchange')} ${plural(exchanges, 'was', 'were')} judged by another time than that of the machine.`;
  if (times > 0)
    return `Time was moved ${times === 1 ? 'once' : `${times} times`}, between ${from} and ${to}: ${judged}`;
  return `${from === null ? 'Time was moved' : `Time was set to ${from} at the start`}: ${judged}`;
}
