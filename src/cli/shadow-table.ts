/** Prints what the shadow noted in a session. */
import type { ShadowDifference, ShadowNote } from '../app/gateway/index.js';
import type { SessionNote } from '../store/index.js';
import { renderTable } from './table.js';

const COLUMNS = ['operation', 'class', 'what', 'place', 'bank', 'emulator', 'first seen in'];

export function shadowNotes(notes: readonly SessionNote[]): ShadowNote[] {
  return notes.flatMap(({ kind, settings }) =>
    kind === 'shadow' ? [settings as unknown as ShadowNote] : [],
  );
}

export function shadowTable(notes: readonly ShadowNote[], width: number | undefined): string {
  const rows = notes.flatMap(({ exchange, operation, differences }) =>
    differences.map((one) => rowOf(one, operation, exchange)),
  );
  if (rows.length === 0) return 'The shadow noted no difference.\n';
  return renderTable(COLUMNS, rows, width);
}

function rowOf(difference: ShadowDifference, operation: string, exchange: string): string[] {
  const { class: kind, what, place, bank, emulator } = difference;
  return [operation, kind, what, place, bank || '-', emulator || '-', exchange].map(String);
}
