/** Findings and waivers, each in one line, for all text formats. */

import { counted, profileText } from '../../spec/index.js';
import type { Answerer, Availability, FindingGroup, Occurrence, Report, TppVerdict } from '../model.js';

/** An emulator or a replay is never called a bank. */
export const ANSWERERS: Readonly<Record<Answerer, string>> = {
  bank: 'bank',
  several: 'bank',
  nobody: 'bank',
  emulator: 'emulator',
  replay: 'replay',
};

export const whoseOf = ({ verdict }: Pick<Report, 'verdict'>) =>
  ({ tpp: 'TPP', aspsp: ANSWERERS[verdict.answerer] }) as const;

export const isBank = (answerer: Answerer): boolean => ANSWERERS[answerer] === 'bank';

/** The verdict of one alone is that of all. */
export const verdictsOfSeveral = ({ verdict }: Report): readonly TppVerdict[] =>
  verdict.tpps.length > 1 ? verdict.tpps : [];

/** Exchanges of no TPP: connections that failed, and calls of nobody known. */
export const ofNobody = ({ head, verdict }: Report): number =>
  verdict.tpps.reduce(
    (rest, { tpp, exchanges }) => (tpp === null ? rest : rest - exchanges),
    head.recording.exchanges,
  );

/** `Alpha Pay (PSDBE-NBB-1)` */
export function tppText({ tpp, name }: Pick<TppVerdict, 'tpp' | 'name'>): string {
  if (tpp === null) return 'a caller that is not known';
  return name === null ? tpp : `${name} (${tpp})`;
}

/** `Purpose: Yearly review.`, as the maker of the report gave them. */
export const makerLines = ({ purpose, preparedBy, madeFor }: Head): string[] => [
  ...(purpose === null ? [] : [`Purpose: ${purpose}`]),
  ...(madeFor === null ? [] : [`Made for: ${madeFor}`]),
  ...(preparedBy === null ? [] : [`Prepared by: ${preparedBy}`]),
];

/** `GET /stdgroup/v1/accounts → 200` */
export function callLine({ method, path, status }: Occurrence): string {
  return `${method} ${path} → ${status ?? 'no answer'}`;
}

/** `header X-Request-ID: expected a UUID, found nothing` */
export function placeLine({ place, expected, actual }: Occurrence): string {
  return `${place}: expected ${expected}, found ${actual ?? 'nothing'}`;
}

/** Clauses and sources, `; ` between them. */
export function basis({ clauses, sources }: FindingGroup): string {
  return [
    ...clauses.map(({ section }) => `specification, ${section}`),
    ...sources.map(({ title, place }) => (place === null ? title : `${title}, ${place}`)),
  ].join('; ');
}

/** Groups with a finding that no waiver covers. */
export function openGroups(report: Report): FindingGroup[] {
  return report.findings.filter(({ count, waived }) => count > waived);
}

const MINUTE_MS = 60_000;
const minutes = (ms: number): string => (ms / MINUTE_MS).toFixed(ms < 10 * MINUTE_MS ? 1 : 0);

/** `47 to 51 min`; a dash where it was never presumed. */
export function unavailableText({
  periods,
  atLeastMs,
  atMostMs,
}: Availability['services'][number]['total']['unavailable']): string {
  if (periods === 0) return '–';
  return atMostMs === null
    ? `at least ${minutes(atLeastMs)} min`
    : `${minutes(atLeastMs)} to ${minutes(atMostMs)} min`;
}

export const SERVICE_NAMES: Readonly<Record<Availability['services'][number]['service'], string>> = {
  AIS: 'Account information',
  PIS: 'Payment initiation',
  CBPII: 'Confirmation of funds',
};

const OUTSIDE: Readonly<Record<keyof Availability['outside'], string>> = {
  emulator: 'Answered by the built-in emulator',
  replay: 'Answered out of a recording',
  refused: 'Refused by the gateway',
  injected: 'Kept from the bank by an injected fault',
  unknown: 'Without a known end',
  noService: 'Of no service: unknown paths, discovery, tokens of no known consent or payment',
  pages: 'The bank’s pages for customers',
  callbacks: 'Notifications to third party providers',
  connections: 'Connections that never became a call',
};

/** Counts each call of the report in one row; the last is their sum. */
export function countedCalls({ services, outside }: Availability): [where: string, calls: number][] {
  const rows = [
    ...services.map(({ service, total }) => [`${SERVICE_NAMES[service]}, by the bank`, total.calls] as const),
    ...Object.entries(OUTSIDE).map(([key, where]) => [where, outside[key as keyof typeof OUTSIDE]] as const),
  ];
  const seen = rows.flatMap(([where, calls]): [string, number][] => (calls === 0 ? [] : [[where, calls]]));
  return [...seen, ['All calls', seen.reduce((sum, [, calls]) => sum + calls, 0)]];
}

/** `AIS 50 calls, 48 failed for technical and 1 for business reasons, unavailable 47 to 49 min` */
export const availabilityLines = ({ services }: Availability): string[] =>
  services.map(({ service, total }) => {
    const { calls, technical, business, unavailable } = total;
    const away = unavailable.periods === 0 ? '' : `, unavailable ${unavailableText(unavailable)}`;
    return `${service} ${counted(calls, 'call')}, ${technical} failed for technical and ${business} for business reasons${away}`;
  });

/** `owner’s name (in 2 of 14 consents)` */
export const neverUsedLines = ({ access }: Report): string[] =>
  access.flatMap(({ neverUsed, consents: all }) =>
    neverUsed.map(({ right, consents }) => `${right} (in ${consents} of ${counted(all, 'consent')})`),
  );

type Head = Report['head'];

/** `requests/psu-ip-address-valid on path /stdgroup/*, until 2027-01-31: “fixed with release 4” (3 findings)` */
function waiverLine({ rule, operation, tpp, path, until, reason, used }: Head['waivers'][number]): string {
  const match = [
    ...(operation === null ? [] : [`operation ${operation}`]),
    ...(tpp === null ? [] : [`TPP ${tpp}`]),
    ...(path === null ? [] : [`path ${path}`]),
  ].join(', ');
  return `${rule}${match === '' ? '' : ` on ${match}`}, until ${until}: “${reason}” (${counted(used, 'finding')})`;
}

export const waiverLines = ({ waivers }: Head): string[] => waivers.map(waiverLine);

/** `rules/house.ts (SHA-256 1f0c…): x-acme/consent-is-short` */
export const ownRuleLines = ({ ownRules = [] }: Head): string[] =>
  ownRules.map(
    ({ file, digest, rules }) => `${file} (SHA-256 ${digest}): ${rules.join(', ') || 'not at hand'}`,
  );

/** `Bank of Sandgate (bank-of-sandgate, 1a2b3c4d5e6f)`; none for the built-in interface alone. */
export const bankLines = ({ bankProfiles = [] }: Head): string[] =>
  bankProfiles.length === 0 ? [] : [bankProfiles.map(profileText).join(', then ')];

/** `sandbox, then production` */
export const profilesText = ({ profile }: Head): string =>
  (profile.periods ?? [profile.judged]).join(', then ');
