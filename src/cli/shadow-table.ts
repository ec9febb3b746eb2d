/** Prints what the shadow noted in a session. */
import type { NoteSettings, SessionNote } from '../exchange/index.js';
import { renderTable } from './table.js';

const COLUMNS = ['operation', 'class', 'what', 'place', 'bank', 'emulator', 'first seen in'];

type ShadowNote = NoteSettings<'shadow'>;

export function shadowNotes(notes: readonly SessionNote[]): ShadowNote[] {
  return notes.flatMap((note) => (note.kind === 'shadow' ? [note.settings] : []));
}

export function shadowTable(notes: readonly ShadowNote[], width: number | undefined): string {
  const rows = notes.flatMap(({ exchange, operation, differences }) =>
    differences.map((one) => rowOf(one, operation, exchange)),
  );
  if (rows.length === 0) return 'The shadow noted no difference.\n';
  return renderTable(COLUMNS, rows, width);
}

function rowOf(difference: ShadowNote['differences'][number], operation: string, exchange: string): string[] {
  const { class: kind, what, place, bank, emulator } = difference;
  return [operation, kind, what, place, bank || '-', emulator || '-', exchange].map(String);
}
