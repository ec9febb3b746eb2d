/** Times, lengths and counts as the page writes them. */

/** `at` is a time in ISO 8601, as the gateway writes it: UTC. */
export const timeOfDay = (iso: string): string => iso.slice(11, 23);
const shortTime = (iso: string): string => iso.slice(11, 16);
export const dayOf = (iso: string): string => iso.slice(0, 10);
export const minute = (iso: string): string => `${dayOf(iso)} ${shortTime(iso)}`;
export const momentOn = (now: string, iso: string): string =>
  dayOf(iso) === dayOf(now) ? shortTime(iso) : minute(iso);

export const grouped = (count: number): string => count.toLocaleString('en-GB');
export const counted = (count: number, what: string): string =>
  `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** A length of time in its largest unit. */
export function span(ms: number): string {
  for (const [length, unit] of UNITS) if (ms >= length) return counted(Math.floor(ms / length), unit);
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export const millis = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${grouped(Math.round(ms))} ms`;
export const bytes = (size: number): string =>
  size < 1_000
    ? counted(size, 'byte')
    : size < 1_000_000
      ? `${Math.round(size / 1_000)} kB`
      : `${(size / 1_000_000).toFixed(1)} MB`;

/** Drops the common beginning of paths: segment and version, or what leads to authorize and discovery. Ids in it are short. */
export const shortPath = (path: string): string =>
  path
    .replace(/^\/[^/]+\/(?:v\d+\/|authorization\/(?=authorize\/)|(?=\.well-known\/))/, '')
    .replaceAll(UUID, shortId);
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id);
export const days = (left: number): string =>
  left < 0 ? 'ended' : left === 0 ? 'ends today' : `${counted(left, 'day')}`;
