/**
 * What gateways on a store tell each other of steps, in the header of the world: each notes it in the sessions that it
 * records in, between its calls before and behind it.
 */
import { isStep, readNote, type StepNote } from '../../exchange/index.js';
import type { WorldHeader } from '../../store/index.js';

interface ToldStep {
  readonly note: StepNote;
  /** That have it already. */
  readonly sessions: readonly string[];
}

const NAME = 'befell';
/** Who knows of none of the last ones catches up more slowly than anybody steers. */
const MOST = 16;
/** Beyond that some sessions get it twice, which counts once. */
const MOST_SESSIONS = 100;

export const tellingOf = (header: WorldHeader, { note, sessions }: ToldStep): WorldHeader => ({
  ...header,
  [NAME]: [...toldIn(header).slice(1 - MOST), { note, sessions: sessions.slice(0, MOST_SESSIONS) }],
});

/** Those behind so many steps. */
export function stepsTold(header: WorldHeader, since: number): readonly ToldStep[] {
  return toldIn(header).filter(({ note }) => note.kind === 'bank' && (note.settings.step ?? 0) > since);
}

function toldIn(header: WorldHeader): ToldStep[] {
  const told = Array.isArray(header[NAME]) ? (header[NAME] as Partial<ToldStep>[]) : [];
  return told.flatMap(({ note, sessions = [] }) =>
    readNote(Number(note?.at), note?.kind, { ...note?.settings })
      .filter(isStep)
      .map((step) => ({ note: step, sessions })),
  );
}
