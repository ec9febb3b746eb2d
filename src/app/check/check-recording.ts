/** `sandgate check` as a function: findings by rule, counts of verdicts, and whether the gate fails. */
import type { FileBytes } from '../../exchange/recording/index.js';
import {
  effectiveSeverity,
  type Finding,
  GRAVITY,
  isOwnRule,
  RULES,
  type Rule,
  type Severity,
} from '../../rules/index.js';
import { namedProfile } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { bankAdvice, bankRemarks } from '../report/asked-bank.js';
import { type FileToJudge, openJudgedFile } from '../report/file-source.js';

export interface Occurrence extends Pick<Finding, 'place' | 'expected' | 'actual' | 'waived'> {
  readonly exchange: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly requestId: string | null;
  readonly status: number | null;
}

export interface RuleFindings {
  readonly rule: Rule;
  readonly severity: Finding['severity'];
  readonly occurrences: readonly Occurrence[];
}

export interface VerdictCounts {
  complied: number;
  violated: number;
  'not-observed': number;
}

export type CheckResult = ReturnType<typeof checkRecording>;

const severities = ['must', 'should', 'note'] as const;

export function checkRecording(
  bytes: FileBytes,
  config: Config,
  { failOn, ...file }: Omit<FileToJudge, 'recipe'> & { readonly failOn: 'must' | 'should' },
) {
  const { recording, records, judging, own } = openJudgedFile(bytes, config, file);
  const { recordedUnder } = recording;
  const { bankProfile } = judging;
  const recorded = recordedUnder === undefined ? [] : [recordedUnder.profile];
  const tally = createTally([...RULES, ...own]);
  for (const record of records) tally.take(record);
  const findings = tally.findings();
  const counts = tally.counts((rule) =>
    effectiveSeverity(rule, config.profile, config.rules ?? {}, recording.dialect.profile),
  );
  const isTested = Object.values(counts).some(({ complied, violated }) => complied + violated > 0);
  const isGrave = ({ severity, occurrences }: RuleFindings): boolean =>
    GRAVITY[severity] <= GRAVITY[failOn] && occurrences.some(({ waived }) => waived === undefined);
  return {
    format: recording.format,
    session: recording.session ?? null,
    profile: config.profile,
    /** Files of own rules. */
    ownRules: config.loadedRules === undefined ? [] : (config.ownRules ?? []),
    ...(bankProfile === undefined ? {} : { bankProfile: namedProfile(bankProfile) }),
    exchanges: recording.calls.length,
    skipped: recording.skipped,
    /** Sentences on a recording under another bank profile than the one that it is judged by, or that was asked for. */
    remarks: bankRemarks(recorded, [bankProfile]),
    advice: bankAdvice(recorded, file.asked ?? null),
    /** By severity, in the order must, should, note. */
    counts,
    /** Findings of own rules come last; the gravest first, then in the order of the catalogue. */
    findings,
    /** Rules that no exchange let be judged, because the file does not hold what they need. */
    notObserved: tally.notObserved(),
    /** Whether any rule complied or was violated: failed connections comply with none. */
    isTested,
    /** Nothing was judged, or an unwaived finding is as grave as the gate asks, or graver. */
    failed: !isTested || findings.some(isGrave),
  };
}

/** Different verdicts that wait to be counted. */
const MOST_UNSETTLED = 256;

function createTally(rules: readonly Rule[]) {
  const verdicts = new Map<string, VerdictCounts>();
  /** Not counted rule by rule yet: the judge gives the same verdicts to like exchanges. */
  const seen = new Map<RecordedExchange['verdicts'], number>();
  const found = new Map<string, { severity: Finding['severity']; occurrences: Occurrence[] }>();
  /** Violations that are more than a note; the others are one, whatever the rule weighs. */
  const grave = new Map<string, number>();
  const countsOf = (rule: string): VerdictCounts => {
    const known = verdicts.get(rule) ?? { complied: 0, violated: 0, 'not-observed': 0 };
    verdicts.set(rule, known);
    return known;
  };
  const settle = (): void => {
    for (const [given, times] of seen)
      for (const [rule, verdict] of Object.entries(given)) countsOf(rule)[verdict] += times;
    seen.clear();
  };
  return {
    take(record: RecordedExchange): void {
      seen.set(record.verdicts, (seen.get(record.verdicts) ?? 0) + 1);
      if (seen.size > MOST_UNSETTLED) settle();
      const weighty = record.findings.filter(({ severity }) => severity !== 'note');
      for (const rule of new Set(weighty.map(({ rule }) => rule)))
        grave.set(rule, (grave.get(rule) ?? 0) + 1);
      for (const finding of record.findings) {
        const group = found.get(finding.rule) ?? { severity: finding.severity, occurrences: [] };
        if (GRAVITY[finding.severity] < GRAVITY[group.severity]) group.severity = finding.severity;
        group.occurrences.push(occurrenceOf(finding, record));
        found.set(finding.rule, group);
      }
    },
    findings: (): RuleFindings[] =>
      rules
        .flatMap((rule) => {
          const group = found.get(rule.id);
          return group === undefined ? [] : [{ rule, ...group }];
        })
        .sort(
          (a, b) =>
            Number(isOwnRule(a.rule.id)) - Number(isOwnRule(b.rule.id)) ||
            GRAVITY[a.severity] - GRAVITY[b.severity],
        ),
    counts: (severityOf: (rule: Rule) => Severity) => {
      settle();
      return countBySeverity(rules, verdicts, grave, severityOf);
    },
    notObserved: (): string[] => {
      settle();
      return rules
        .map(({ id }) => id)
        .filter((id) => {
          const counts = verdicts.get(id);
          return counts !== undefined && counts.complied + counts.violated === 0;
        });
    },
  };
}

function countBySeverity(
  rules: readonly Rule[],
  verdicts: ReadonlyMap<string, VerdictCounts>,
  grave: ReadonlyMap<string, number>,
  severityOf: (rule: Rule) => Severity,
) {
  const counts = Object.fromEntries(
    severities.map((severity) => [severity, { complied: 0, violated: 0, 'not-observed': 0 }]),
  ) as Record<Finding['severity'], VerdictCounts>;
  for (const rule of rules) {
    const severity = severityOf(rule);
    const of = verdicts.get(rule.id);
    if (severity === 'off' || of === undefined) continue;
    for (const verdict of ['complied', 'violated', 'not-observed'] as const)
      counts[severity][verdict] += of[verdict];
    const notes = of.violated - (grave.get(rule.id) ?? 0);
    counts[severity].violated -= notes;
    counts.note.violated += notes;
  }
  return counts;
}

function occurrenceOf(finding: Finding, { exchange: { call, answer } }: RecordedExchange): Occurrence {
  return {
    exchange: call.id,
    at: new Date(call.at).toISOString(),
    method: call.request.method,
    path: call.request.path,
    requestId: call.header['x-request-id'] ?? null,
    status: answer?.status ?? null,
    place: finding.place,
    expected: finding.expected,
    ...(finding.actual === undefined ? {} : { actual: finding.actual }),
    ...(finding.waived === undefined ? {} : { waived: finding.waived }),
  };
}
