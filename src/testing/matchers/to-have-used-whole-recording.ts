/** `expect(gateway).toHaveUsedWholeRecording()`: every recorded exchange was asked for, and nothing else. */

import { counted } from '../../spec/index.js';
import type { ReplayCoverage } from '../session-types.js';
import { type MatcherResult, openSubject } from './subject.js';

/** While a recording is being made it is whole by its nature, and the matcher passes. */
export function toHaveUsedWholeRecording(received: unknown): MatcherResult {
  const { replay, recordsTo } = openSubject(received, 'toHaveUsedWholeRecording');
  if (replay === null) {
    if (recordsTo !== null)
      return { pass: true, message: () => `${recordsTo} is being recorded, so all of it is used.` };
    throw new Error(
      'toHaveUsedWholeRecording() looks at a replay, and this gateway replays nothing: use replaySession().',
    );
  }
  const missed = replay.missed.filter(({ handedOn }) => !handedOn);
  const pass = replay.unused.length === 0 && missed.length === 0;
  return {
    pass,
    message: () =>
      pass
        ? `${replay.recording} should not be used completely, but was: ${counted(replay.used.length, 'exchange')}, no miss.`
        : [...unusedText(replay), ...missesText(missed, replay.recording), ...replay.undecided].join('\n'),
  };
}

function unusedText({ recording, used, unused }: ReplayCoverage): string[] {
  if (unused.length === 0) return [];
  return [
    `${unused.length} of ${counted(used.length + unused.length, 'exchange')} of ${recording} were not asked for:`,
    ...listed(
      unused,
      ({ operation, method, path, status }) => `  ${operation ?? 'unknown'}  ${method} ${path} → ${status}`,
    ),
    'Fix: make these calls, or record again (mode all) if the client no longer needs them.',
  ];
}

const MOST_LINES = 15;

export function missesText(missed: ReplayCoverage['missed'], where: string): string[] {
  if (missed.length === 0) return [];
  return [
    `${counted(missed.length, 'call')} had no answer in ${where}:`,
    ...listed(missed, ({ method, path, text }) => `  ${method} ${path}: ${text}`),
    'Fix: make the call as it was recorded, or record what is missing (mode new or all).',
  ];
}

function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length - MOST_LINES;
  return [...items.slice(0, MOST_LINES).map(line), ...(more > 0 ? [`  … and ${more} more`] : [])];
}
