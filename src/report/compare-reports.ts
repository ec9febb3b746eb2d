/** Compares a report with one made again from the recording, exchange by exchange first. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../exchange/index.js';
import { jsonBytes } from './formats/json.js';
import type { AppendixRow, Report } from './model.js';

interface Difference {
  readonly kind: 'changed' | 'dropped' | 'added' | 'reordered' | 'part';
  readonly exchange: string | null;
  readonly text: string;
}

const MOST = 50;

/**
 * None where both are the same to the byte, members in their order; what is said of a baseline counts where it was
 * made again too.
 */
export function compareReports(report: Report, rebuilt: Report): Difference[] {
  // An older report is needed to tell what is new: that is not in the recording.
  const known = rebuilt.baseline === null ? { ...report, baseline: null } : report;
  if (jsonBytes(known).equals(jsonBytes(rebuilt))) return [];
  const named = [
    ...exchangeDifferences(known.appendix.exchanges, rebuilt.appendix.exchanges),
    ...excerptDifferences(known.exchanges, rebuilt.exchanges),
  ];
  const differences = [...named, ...partDifferences(known, rebuilt, named.length > 0)];
  if (differences.length === 0) differences.push(ORDER);
  return differences.slice(0, MOST);
}

const ORDER: Difference = {
  kind: 'part',
  exchange: null,
  text: 'Members of the report are in another order than Sandgate writes them.',
};

function exchangeDifferences(known: readonly AppendixRow[], made: readonly AppendixRow[]): Difference[] {
  const inRecording = new Map(made.map((row) => [row.id, row]));
  const inReport = new Map(known.map((row) => [row.id, row]));
  const differences: Difference[] = [];
  const add = (kind: Difference['kind'], exchange: string, text: string) =>
    differences.push({ kind, exchange, text });
  for (const row of known) {
    const other = inRecording.get(row.id);
    if (other === undefined) add('dropped', row.id, `Exchange ${row.id} is not in the recording.`);
    else {
      const members = differingMembers({ ...row, seq: 0 }, { ...other, seq: 0 });
      if (members.length > 0)
        add('changed', row.id, `Exchange ${row.id} differs from the report: ${members.join(', ')}.`);
    }
  }
  for (const { id } of made)
    if (!inReport.has(id)) add('added', id, `Exchange ${id} is in the recording, not in the report.`);
  for (const id of reordered(known, made, inRecording, inReport))
    add('reordered', id, `Exchange ${id} is at another position.`);
  return differences;
}

function reordered(
  known: readonly AppendixRow[],
  made: readonly AppendixRow[],
  inRecording: ReadonlyMap<string, unknown>,
  inReport: ReadonlyMap<string, unknown>,
): string[] {
  const before = known.filter(({ id }) => inRecording.has(id)).map(({ id }) => id);
  const after = made.filter(({ id }) => inReport.has(id)).map(({ id }) => id);
  return before.filter((id, i) => after[i] !== id);
}

function excerptDifferences(known: Report['exchanges'], made: Report['exchanges']): Difference[] {
  return Object.keys(known).flatMap((id): Difference[] => {
    const other = Object.hasOwn(made, id) ? made[id] : undefined;
    if (isDeepStrictEqual(known[id], other)) return [];
    return [
      {
        kind: 'changed',
        exchange: id,
        text: `Exchange ${id} differs from its excerpt in the report.`,
      },
    ];
  });
}

function partDifferences(known: Report, made: Report, isNamed: boolean): Difference[] {
  return (Object.keys(known) as (keyof Report)[])
    .filter((part) => !isDeepStrictEqual(known[part], made[part]))
    .flatMap((part) => {
      const places = placesOf(known[part], made[part], part).filter(
        (place) => !isNamed || !OF_EXCHANGES.test(place),
      );
      if (places.length === 0) return [];
      const more = places.length > MOST_PLACES ? `, and ${places.length - MOST_PLACES} more` : '';
      const source = part === 'baseline' ? 'older report' : 'recording';
      return {
        kind: 'part' as const,
        exchange: null,
        text: `What the report says under “${part}” does not follow from the ${source}: ${places.slice(0, MOST_PLACES).join(', ')}${more}.`,
      };
    });
}

const MOST_PLACES = 5;

const OF_EXCHANGES = /^appendix\.exchanges\b|^exchanges\b/;

/** `head.waivers[0].reason`: the members in which two values differ. */
function placesOf(a: unknown, b: unknown, place: string): string[] {
  if (isDeepStrictEqual(a, b)) return [];
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.flatMap((item, i) => placesOf(item, b[i], `${place}[${i}]`));
  if (!isObject(a) || !isObject(b)) return [place];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    placesOf(a[name], b[name], `${place}.${name}`),
  );
}

function differingMembers(a: AppendixRow, b: AppendixRow): string[] {
  const members = Object.keys(a) as (keyof AppendixRow)[];
  return members
    .filter((member) => !isDeepStrictEqual(a[member], b[member]))
    .map((member) => `${member} ${short(a[member])} in the report, ${short(b[member])} in the recording`);
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
};
