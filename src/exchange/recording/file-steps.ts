/** Places steps among the exchanges of a file. */
import type { FileRecord } from './record-schema.js';
import type { RecordedCall } from './recording-file.js';
import { type FileNote, isStep, type SessionNote, type StepNote, stepKey } from './session-note.js';

interface Placed extends RecordedCall {
  readonly index: number;
}

/**
 * The same notes, their places counted in these calls, of which the file may hold more; one without a place
 * stands in front of the first that arrived at its time.
 */
function placeNotes(notes: readonly FileNote[], calls: readonly Placed[]): FileNote[] {
  let place = 0;
  return notes.map(({ behind, ...note }): FileNote => {
    if (!isStep(note as SessionNote)) return note as FileNote;
    const isBehind = ({ index, at }: Placed) => (behind === undefined ? at >= note.at : index >= behind);
    while (place < calls.length && !isBehind(calls[place] as Placed)) place++;
    return { ...note, behind: place } as FileNote;
  });
}

function stepsByPlace(notes: readonly FileNote[]): ReadonlyMap<number, readonly StepNote[]> {
  const steps = new Map<number, StepNote[]>();
  for (const { behind, ...note } of notes) {
    if (behind === undefined || !isStep(note as SessionNote)) continue;
    const there = steps.get(behind) ?? [];
    steps.set(behind, there);
    there.push(note as StepNote);
  }
  return steps;
}

const precededBy = <T extends object, S>(one: T, steps: S | undefined): T | (T & { readonly steps: S }) =>
  steps === undefined ? one : { ...one, steps };

/** Calls of a file in order, each with the steps before it. Records are opened one by one. */
export function withSteps<C extends Placed>(
  ordered: readonly C[],
  fileNotes: readonly FileNote[],
  open: (call: C) => FileRecord,
) {
  const notes = placeNotes(fileNotes, ordered);
  const steps = stepsByPlace(notes);
  const calls = ordered.map((call, place) => precededBy(call, steps.get(place)?.length));
  function* records(): Generator<FileRecord> {
    for (const [place, call] of ordered.entries()) yield precededBy(open(call), steps.get(place));
  }
  return { calls, notes, records };
}

/** The notes of a session with the places of steps in a file that is written. */
export function createNotePlaces() {
  const placed: (StepNote & { readonly behind: number })[] = [];
  let written = 0;
  return {
    take: ({ steps = [] }: FileRecord): void => {
      for (const step of steps) placed.push({ ...step, behind: written });
      written++;
    },
    /** Steps of the world without calls have no note of their own: they come before the next note. */
    of: (notes: readonly SessionNote[]): FileNote[] => {
      const all: FileNote[] = [];
      const told = new Set<string>();
      const tell = (steps: typeof placed): void => {
        all.push(...steps);
        for (const step of steps) told.add(stepKey(step));
      };
      for (const note of notes) {
        if (!isStep(note)) {
          all.push(note);
          continue;
        }
        const key = stepKey(note);
        if (told.has(key)) continue;
        const place = placed.findIndex((one) => stepKey(one) === key);
        tell(place < 0 ? [{ ...note, behind: written }] : placed.splice(0, place + 1));
      }
      return [...all, ...placed];
    },
  };
}
