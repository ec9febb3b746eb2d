/** Compares findings with an older report: new, still open, fixed. */
import type { FindingGroup, Report } from '../model.js';
import type { ReportOptions } from '../source.js';

type Compared = NonNullable<Report['baseline']>['new'][number];

/** Findings are the same where rule, operation and place are; waived ones count as none. */
export function compareBaseline(
  { name, report: older }: NonNullable<ReportOptions['baseline']>,
  now: Pick<Report, 'findings' | 'coverage' | 'head'>,
): NonNullable<Report['baseline']> {
  const before = placesOf(older.findings);
  const found = placesOf(now.findings);
  const exercised = new Set(
    now.coverage.rules.filter(({ complied, violated }) => complied + violated > 0).map(({ rule }) => rule),
  );
  const gone = [...before].filter(([key]) => !found.has(key)).map(([, place]) => place);
  const kept = [...found];
  return {
    name,
    session: older.head.recording.session,
    catalogueChanged: older.head.catalogue.digest !== now.head.catalogue.digest,
    profile: older.head.profile.judged,
    new: kept.filter(([key]) => !before.has(key)).map(([, place]) => place),
    open: kept.filter(([key]) => before.has(key)).map(([, place]) => place),
    fixed: gone.filter(({ rule }) => exercised.has(rule)),
    unknown: gone.filter(({ rule }) => !exercised.has(rule)),
  };
}

function placesOf(groups: readonly FindingGroup[]): Map<string, Compared> {
  const places = new Map<string, Compared>();
  for (const { rule, severity, judges, operations } of groups) {
    for (const { operation, place, count, waived } of operations) {
      if (count === waived) continue;
      const compared = { rule, severity, judges, operation, place, count: count - waived };
      places.set(placeKey(compared), compared);
    }
  }
  return places;
}

export const placeKey = (finding: Pick<Compared, 'rule' | 'operation' | 'place'>): string =>
  `${finding.rule}\n${finding.operation ?? ''}\n${finding.place}`;
