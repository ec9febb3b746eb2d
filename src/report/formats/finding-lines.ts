/** Writes a finding in one line, for all text formats. */
import type { FindingGroup, Occurrence, Report } from '../model.js';

export const WHOSE = { tpp: 'TPP', aspsp: 'bank' } as const;

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
