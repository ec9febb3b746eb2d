/** Words that several pages of the dossier share: who called, who answered, and what the record rests on. */
import type { Report } from '../model.js';

export type Verdict = Report['verdict'];

/** Organisations by themselves; calls of nobody known are no organisation. */
export const organisations = ({ verdict }: Report): Verdict['tpps'] =>
  verdict.tpps.filter(({ tpp }) => tpp !== null);

/** `1 d 3 h`, `1 h 29 min`, `47 min`. Not rounded to the nearest: `floor` for what was at least so long, `ceil` for what was at most. */
export function lengthOf(ms: number, round: 'floor' | 'ceil'): string {
  const step = [3_600_000, 60_000, 1_000].find((one, i) => ms >= (i === 0 ? 24 : 1) * one) ?? 1;
  const whole = Math[round](ms / step) * step;
  const parts = UNITS.map(([unit, size, within]) => [Math.floor(whole / size) % within, unit] as const);
  return (
    parts
      .filter(([count]) => count > 0)
      .map((part) => part.join(' '))
      .join(' ') || '0 ms'
  );
}

const UNITS = [
  ['d', 86_400_000, Number.POSITIVE_INFINITY],
  ['h', 3_600_000, 24],
  ['min', 60_000, 60],
  ['s', 1_000, 60],
  ['ms', 1, 1_000],
] as const;

export const nameOf = ({ name, id }: Report['tpps'][number]): string => name ?? id;

export function callers({ tpps, otherCallers }: Report): string {
  const [first] = tpps;
  if (first === undefined) return 'A caller that is not known';
  const many = tpps.length + otherCallers.notListed;
  if (tpps.length === 1) return nameOf(first);
  return `${many} third party providers`;
}

const STAND_INS: Readonly<Record<Exclude<Verdict['answerer'], 'bank' | 'several'>, string>> = {
  emulator: 'the built-in emulator',
  replay: 'a recording that was replayed',
  nobody: 'nobody',
};

export const isBank = ({ verdict: { answerer } }: Report): boolean =>
  answerer === 'bank' || answerer === 'several';

/** A name of a bank only where a bank answered. */
export function answered(report: Report): string {
  const { answerer } = report.verdict;
  if (answerer !== 'bank' && answerer !== 'several') return STAND_INS[answerer];
  const titles = (report.head.bankProfiles ?? [])
    .filter(({ digest }) => digest !== null)
    .map(({ title }) => title);
  const [name = addresses(report)[0] ?? 'a bank that is not named'] = titles;
  return name;
}

/** Addresses of the bank. Clients of a gateway name the gateway; those of a HAR file named the bank. */
export function addresses({ against, head }: Report): string[] {
  const banks = against.filter(({ source }) => source === 'upstream');
  const isDirect = head.recording.kind === 'har';
  return [...new Set(banks.flatMap((one) => (isDirect ? one.hosts : one.banks)))];
}

export const interfaceOf = ({ head }: Report): string =>
  (head.bankProfiles ?? []).map(({ title, name }) => `${title} (bank profile ${name})`).join(', then ') ||
  'The built-in interface, Berlin Group NextGenPSD2';

export const isBroken = ({ evidence }: Report): boolean => evidence.level === 'broken';

type Witness = NonNullable<Report['evidence']['witness']>;

const isStamped = ({ stamps, checkpoints }: Witness): boolean =>
  stamps !== null && stamps.shown === checkpoints && checkpoints > 0;

/** The evidence: one line of five, and its meaning. */
export function restsOn({ evidence }: Report): { readonly line: string; readonly meaning: string } {
  const { witness } = evidence;
  switch (evidence.level) {
    case 'witnessed':
      return witness !== null && isStamped(witness)
        ? {
            line: 'Witnessed and time-stamped',
            meaning: `The calls were chained as they were recorded. A key of the gateway signed where the chain stood, and ${witness.stamps?.authorities.join('; ') || 'a time stamping authority'} stamped each signature. Nobody can have changed, added or removed a call since.`,
          }
        : {
            line: 'Witnessed',
            meaning:
              'The calls were chained as they were recorded, and a key of the gateway signed where the chain stood. Without that key nobody can have changed, added or removed a call since. No independent service attests the time.',
          };
    case 'consistent':
      return {
        line: 'Consistent',
        meaning:
          'The calls are chained and the chain is whole. Nothing shows here that all of it was signed as it was recorded: if it was not, whoever holds the store could have made another chain that is just as whole.',
      };
    case 'imported':
      return {
        line: 'Imported',
        meaning:
          'The calls were read from a file. Nothing proves that the file holds what was sent and received.',
      };
    case 'broken':
      return {
        line: 'Broken',
        meaning:
          'The chain of the recording is not whole: calls were changed, added or removed after they were recorded. This record proves nothing.',
      };
  }
}
