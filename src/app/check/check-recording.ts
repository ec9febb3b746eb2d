/** `sandgate check` as a function: findings by rule, counts of verdicts, and whether the gate fails. */
import { createFingerprint, type RecordingFile, through } from '../../exchange/index.js';
import { type FileBytes, openRecordingFile } from '../../exchange/recording/index.js';
import { type Finding, GRAVITY, RULES, type Rule, type Severity } from '../../rules/index.js';
import type { RecordedExchange } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { createOfflineJudge } from '../report/judging.js';
import { digestOf } from './file-digest.js';
import { judgeRecording } from './judge-recording.js';

/** A finding, and the exchange that it is from. */
export interface Occurrence extends Pick<Finding, 'place' | 'expected' | 'actual' | 'waived'> {
  readonly exchange: string;
  /** ISO 8601. */
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

export interface CheckResult {
  readonly format: RecordingFile['format'];
  readonly session: string | null;
  readonly profile: string;
  readonly exchanges: number;
  readonly skipped: RecordingFile['skipped'];
  /** By severity, in the order must, should, note. */
  readonly counts: Readonly<Record<Finding['severity'], VerdictCounts>>;
  /** The gravest first, then in the order of the catalogue. */
  readonly findings: readonly RuleFindings[];
  /** Rules that no exchange let be judged, because the file does not hold what they need. */
  readonly notObserved: readonly string[];
  /** Whether any rule complied or was violated: of failed connections, or of no call at all, none is. */
  readonly isTested: boolean;
  /** Nothing was judged, or an unwaived finding is as grave as the gate asks, or graver. */
  readonly failed: boolean;
}

export interface CheckOptions {
  /** What the user called the file. */
  readonly name: string;
  readonly host?: string | undefined;
  readonly failOn: 'must' | 'should';
  /** YYYY-MM-DD. */
  readonly today: string;
}

const severities = ['must', 'should', 'note'] as const;

/** `bytes` are a HAR or a cassette; a file that is neither is a SandgateError. */
export function checkRecording(bytes: FileBytes, config: Config, options: CheckOptions): CheckResult {
  const { name, host } = options;
  const recording = openRecordingFile(bytes, {
    name,
    segment: config.segment,
    host,
  });
  // The key is out of the file: the same file gives the same fingerprints, and nobody else can compute them.
  const fingerprint = createFingerprint(digestOf(bytes));
  const { segment, origins } = recording;
  const judge = createOfflineJudge(config, {
    fingerprint,
    segment,
    origins,
    foreign: recording.recordedBy !== undefined,
    today: options.today,
  });
  const tally = createTally();
  const { calls } = recording;
  const judged = judgeRecording({ judge, fingerprint, overrides: config.rules ?? {}, calls });
  for (const record of through(recording.records(), judged)) tally.take(record);
  const findings = tally.findings();
  const counts = tally.counts(judge.options.profile, config.rules ?? {});
  const isTested = Object.values(counts).some(({ complied, violated }) => complied + violated > 0);
  return {
    format: recording.format,
    session: recording.session ?? null,
    profile: config.profile,
    exchanges: calls.length,
    skipped: recording.skipped,
    counts,
    findings,
    notObserved: tally.notObserved(),
    isTested,
    failed:
      !isTested ||
      findings.some(
        ({ severity, occurrences }) =>
          GRAVITY[severity] <= GRAVITY[options.failOn] &&
          occurrences.some(({ waived }) => waived === undefined),
      ),
  };
}

/** So many different verdicts wait to be counted. */
const MOST_UNSETTLED = 256;

function createTally() {
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
        group.occurrences.push(occurrenceOf(finding, record));
        found.set(finding.rule, group);
      }
    },
    findings: (): RuleFindings[] =>
      RULES.flatMap((rule) => {
        const group = found.get(rule.id);
        return group === undefined ? [] : [{ rule, ...group }];
      }).sort((a, b) => GRAVITY[a.severity] - GRAVITY[b.severity]),
    counts: (profile: 'sandbox' | 'production', overrides: Readonly<Record<string, Severity>>) => {
      settle();
      return countBySeverity(verdicts, grave, (rule) => overrides[rule.id] ?? rule.severity[profile]);
    },
    notObserved: (): string[] => {
      settle();
      return RULES.map(({ id }) => id).filter((id) => {
        const counts = verdicts.get(id);
        return counts !== undefined && counts.complied + counts.violated === 0;
      });
    },
  };
}

function countBySeverity(
  verdicts: ReadonlyMap<string, VerdictCounts>,
  grave: ReadonlyMap<string, number>,
  severityOf: (rule: Rule) => Severity,
): CheckResult['counts'] {
  const counts = Object.fromEntries(
    severities.map((severity) => [severity, { complied: 0, violated: 0, 'not-observed': 0 }]),
  ) as Record<Finding['severity'], VerdictCounts>;
  for (const rule of RULES) {
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
