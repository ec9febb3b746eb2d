/** The calendar of certificates: when each ends, what stops then, and which one follows without a break. */
import { counted, DAY_MS } from '../spec/index.js';
import { daysLeft } from './card.js';

export const CALENDAR_USES = ['server', 'bank', 'ca', 'tpp'] as const;

export interface CalendarEntry {
  /** `bank`: shown to the bank; `tpp`: shown by a TPP, or to be shown. */
  readonly use: (typeof CALENDAR_USES)[number];
  /** Its name in a sentence. */
  readonly what: string;
  readonly subject: string;
  /** The organizationIdentifier, to which tokens and consents belong. */
  readonly organisation: string | null;
  /** SHA-256, hex. */
  readonly fingerprint: string;
  /** null: not known. */
  readonly notBefore: string | null;
  readonly notAfter: string;
  /** Sentences: a bank refuses it whatever its dates are. */
  readonly problems: readonly string[];
}

export interface CalendarRow extends CalendarEntry {
  readonly daysLeft: number;
  /** A sentence: what stops when it ends. */
  readonly stops: string;
  /** Fingerprint of the one that the same organisation goes on with; null: there is none. */
  readonly next: string | null;
  /** Days without a certificate between the two. */
  readonly gapDays: number;
}

/** The first to end stands first; of entries with the same certificate the first counts. `now`: epoch ms. */
export function calendarOf(
  given: readonly CalendarEntry[],
  now: number,
  /** Whether the bank binds tokens and consents to the certificate. */
  isBound = false,
): CalendarRow[] {
  const entries = [...new Map(given.toReversed().map((one) => [one.fingerprint, one])).values()];
  return entries
    .map((one): CalendarRow => {
      const next = nextOf(one, entries);
      const gap = next === undefined ? 0 : Math.max(0, beginOf(next) - Date.parse(one.notAfter));
      const gapDays = Math.ceil(gap / DAY_MS);
      return {
        ...one,
        daysLeft: daysLeft(one.notAfter, now),
        stops: stopsAt(one, next, gapDays, isBound),
        next: next?.fingerprint ?? null,
        gapDays,
      };
    })
    .sort((a, b) => Date.parse(a.notAfter) - Date.parse(b.notAfter));
}

const beginOf = ({ notBefore }: CalendarEntry): number => (notBefore === null ? 0 : Date.parse(notBefore));

/** The earliest that outlasts it; one that a bank refuses follows nobody. */
function nextOf(one: CalendarEntry, all: readonly CalendarEntry[]): CalendarEntry | undefined {
  if (one.organisation === null || one.use !== 'tpp') return undefined;
  return all
    .filter(
      ({ use, organisation, problems, notAfter }) =>
        use === 'tpp' &&
        organisation === one.organisation &&
        problems.length === 0 &&
        Date.parse(notAfter) > Date.parse(one.notAfter),
    )
    .reduce<CalendarEntry | undefined>(
      (first, other) => (first === undefined || beginOf(other) < beginOf(first) ? other : first),
      undefined,
    );
}

function stopsAt(
  { use, what, organisation, problems }: CalendarEntry,
  next: CalendarEntry | undefined,
  gapDays: number,
  isBound: boolean,
): string {
  if (problems.length > 0) return 'It serves for nothing as it is.';
  if (use === 'server') return 'Clients end the handshake: no call arrives any more.';
  if (use === 'bank') return `The bank refuses the calls that are made with ${what}.`;
  if (use === 'ca') return 'Callers whose certificates it signed are refused.';
  const who = organisation ?? 'its holder';
  if (next === undefined) return `All calls of ${who} are refused.`;
  if (gapDays > 0)
    return `Calls of ${who} are refused for ${counted(gapDays, 'day')}, until the next one begins.`;
  if (isBound)
    return `Tokens and consents of ${who} that this certificate got: the bank binds them to it. With the next one, ${who} needs new ones.`;
  return `Nothing: ${who} goes on with the next one, and keeps its tokens and consents.`;
}
