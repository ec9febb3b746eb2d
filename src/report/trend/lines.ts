/** Words of a trend, the same in each format. */
import type { Change, TrendSession } from './model.js';

const CHANGE_TEXTS: Readonly<Record<Change, string>> = {
  came: 'New',
  open: 'Still violated',
  'not-tested-since': 'Not tested since',
  went: 'Gone',
  complied: 'Complied',
  'not-tested': 'Never tested',
};

export const changeText = (change: Change): string => CHANGE_TEXTS[change];

/** `3: 12 Nov` */
export const sessionTitle = ({ from }: Pick<TrendSession, 'from'>, at: number): string =>
  `${at + 1}: ${SHORT_DAY.format(Date.parse(from))}`;

const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `2026-06-01 to 2026-08-30` */
export function periodText(sessions: readonly Pick<TrendSession, 'from' | 'to'>[]): string {
  const [first, last] = [
    sessions[0]?.from.slice(0, 10),
    sessions
      .map(({ to }) => to.slice(0, 10))
      .sort()
      .at(-1),
  ];
  return first === undefined ? 'no session' : first === last ? first : `${first} to ${last}`;
}
