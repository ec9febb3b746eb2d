/** The gate: whether a report lets a pipeline pass. */
import type { FindingGroup, Report } from './model.js';

interface GateOptions {
  readonly failOn: 'must' | 'should';
  readonly of?: 'tpp' | 'aspsp' | undefined;
  /** Only what a baseline did not hold; without one everything is new. */
  readonly newOnly?: boolean;
}

/** A gate that judges nothing would always be open: where only connections failed, say, or a file holds no call. */
export function isUntested({ verdict }: Report, of?: GateOptions['of']): boolean {
  const parties = of === undefined ? [verdict.tpp, verdict.aspsp] : [verdict[of]];
  return parties.every(({ outcome }) => outcome === 'not-applicable' || outcome === 'not-observed');
}

/** Findings that stop a pipeline; waived ones do not count. */
export function findingsAtGate(report: Report, { failOn, of, newOnly = false }: GateOptions): number {
  const counts = ({ severity, judges }: Pick<FindingGroup, 'severity' | 'judges'>): boolean =>
    (severity === 'must' || severity === failOn) && (of === undefined || judges === of);
  const rows =
    newOnly && report.baseline !== null
      ? report.baseline.new
      : report.findings.map((group) => ({ ...group, count: group.count - group.waived }));
  return rows.filter(counts).reduce((sum, { count }) => sum + count, 0);
}
