/** Faults that operators set: which ones, since when, and how many calls each met. */
import { isObject, type SessionNote } from '../../exchange/index.js';
import { counted } from '../../spec/index.js';
import type { Report } from '../model.js';
import type { EvidenceSource } from '../source.js';
import type { Collector } from './collector.js';

type InjectedFault = Report['head']['faults'][number];

/** No gateway has as many at once; a file may say anything. */
const MOST = 200;

export function collectInjected(notes: readonly SessionNote[]): Collector<InjectedFault[]> {
  const faults = new Map<string, InjectedFault>();
  for (const { at, settings } of notes) {
    const rows = 'faults' in settings && Array.isArray(settings.faults) ? settings.faults : [];
    for (const { id, kind } of rows.flatMap(rowOf))
      if (!faults.has(id) && faults.size < MOST)
        faults.set(id, { fault: id, kind, from: new Date(at).toISOString(), calls: 0 });
  }
  return {
    take: ({ at, record: { exchange } }) => {
      if (exchange.injected === undefined) return;
      const { fault, kind } = exchange.injected;
      const known = faults.get(fault);
      // The kind is told in full here, and by name alone in a row.
      if (known !== undefined || faults.size < MOST)
        faults.set(fault, { fault, from: at, ...known, kind, calls: (known?.calls ?? 0) + 1 });
    },
    finish: () => [...faults.values()],
  };
}

function rowOf(row: unknown): { readonly id: string; readonly kind: string }[] {
  if (!isObject(row) || !isObject(row.do)) return [];
  const { id, do: what } = row;
  return typeof id === 'string' && typeof what.kind === 'string' ? [{ id, kind: what.kind }] : [];
}

/** For the reader, who must not take them for the bank’s. */
export function injectedNotes(faults: readonly InjectedFault[], evidence: EvidenceSource): string[] {
  if (faults.length === 0) return [];
  const told = faults.map(
    ({ fault, kind, from, calls }) => `${fault} (${kind}, from ${from}) met ${counted(calls, 'call')}`,
  );
  return [
    `Faults were injected: ${told.join('; ')}. Nobody is judged by what they did, and latency and errors leave it out.${doubtOf(evidence, 'answer')}`,
  ];
}

/** A file may hold any mark. */
export const doubtOf = (evidence: EvidenceSource, marked: 'answer' | 'call'): string =>
  evidence.kind === 'file' || evidence.isImported
    ? ` Only the file says so: whoever wrote it can have marked any ${marked}.`
    : '';
