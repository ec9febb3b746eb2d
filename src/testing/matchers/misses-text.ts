/** Prints misses for a failed test. */
import { counted } from '../../spec/index.js';
import type { ReplayCoverage } from '../session-types.js';

const MOST_LINES = 15;

export function missesText(missed: ReplayCoverage['missed'], where: string): string[] {
  if (missed.length === 0) return [];
  return [
    `${counted(missed.length, 'call')} had no answer in ${where}:`,
    ...listed(missed, ({ method, path, text }) => `  ${method} ${path}: ${text}`),
    'Fix: make the call as it was recorded, or record what is missing (mode new or all).',
  ];
}

export function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length - MOST_LINES;
  return [...items.slice(0, MOST_LINES).map(line), ...(more > 0 ? [`  … and ${more} more`] : [])];
}
