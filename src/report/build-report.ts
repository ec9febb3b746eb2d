/** Builds a report in one pass over a recording; what grows with the traffic is capped, and the report says so. */
import { arrivedAt } from '../exchange/index.js';
import { counted, dialectOf, plural, SandgateError } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { collectAccess } from './build/access.js';
import { collectAppendix } from './build/appendix.js';
import { collectAvailability } from './build/availability.js';
import { compareBaseline } from './build/baseline.js';
import { type Collector, seeExchange } from './build/collector.js';
import { createBankOf } from './build/counterparts.js';
import { collectCoverage } from './build/coverage.js';
import { collectDailyLimit } from './build/daily-limit.js';
import { collectDeviations } from './build/deviations.js';
import { collectBreaks, gatherEvidence } from './build/evidence.js';
import { collectExercised } from './build/exercised.js';
import { collectFindings } from './build/findings.js';
import { collectGaps } from './build/gaps.js';
import { buildHead, clockOf } from './build/head.js';
import { collectInjected, injectedNotes } from './build/injected.js';
import { collectJourneys } from './build/journeys.js';
import { listNotTested } from './build/not-tested.js';
import { asTold, faultsShown, type Hide, hideNamed, openOne, waivedShown } from './build/one-tpp.js';
import { countOwn, createJudgedOf, ownNotes } from './build/own-calls.js';
import { createOwners } from './build/owner.js';
import { collectParties } from './build/parties.js';
import { comparePublished } from './build/published.js';
import { collectReadings } from './build/readings.js';
import { collectRules, ruleRows } from './build/rules.js';
import { collectTraffic } from './build/traffic.js';
import { buildVerdict } from './build/verdict.js';
import { type Caps, REPORT_VERSION, type Report } from './model.js';
import { type ReportOptions, type ReportSource, recipeOf } from './source.js';

export const DEFAULT_CAPS: Caps = { occurrences: 25, appendix: 20_000, lanes: 300, steps: 200, rows: 500 };

/** Takes every exchange of its source in order, and every break of its chain, then is closed once. The same source and
 * options give the same report, to the byte. */
export function openReport(source: ReportSource, options: ReportOptions) {
  const caps = { ...DEFAULT_CAPS, ...options.caps };
  const parts = collectParts(source, caps);
  const collectors: readonly Pick<Collector<unknown>, 'take'>[] = Object.values(parts);
  const ownerOf = createOwners(caps.rows);
  const judgedOf = createJudgedOf(source.ownRules);
  const begun = new Set(source.unfinished);
  const breaks = collectBreaks();
  const span: Span = {
    all: 0,
    exchanges: 0,
    from: null,
    to: null,
    last: null,
    isForeign: false,
    moved: 0,
    unread: 0,
  };
  const one = options.tpp === undefined ? null : openOne(source, options.tpp);
  checkBaseline(options);
  return {
    take(record: RecordedExchange): void {
      const ledger = source.ledgerAfter(record);
      const owner = ownerOf(record.exchange, ledger);
      const { call } = record.exchange;
      span.all++;
      // A beginning is no end of what was recorded, wherever it stands.
      if (!begun.has(call.id)) span.last = call.id;
      if (isForeign(record)) span.isForeign = true;
      one?.see(record.exchange, owner);
      if (one !== null && owner !== options.tpp) return;
      const judged = judgedOf(record);
      const shown = one === null ? judged : asTold(judged);
      const seen = seeExchange(shown, ++span.exchanges, ledger, owner);
      for (const collector of collectors) collector.take(seen);
      if (call.ahead !== 0) span.moved++;
      if (record.exchange.withheld === 'enciphered') span.unread++;
      // Exchanges are recorded as they end, and may have begun in another order.
      const at = new Date(arrivedAt(call)).toISOString();
      if (span.from === null || at < span.from) span.from = at;
      if (span.to === null || at > span.to) span.to = at;
    },
    takeBreak: breaks.take,
    close: (): Report => {
      if (one === null) return assemble(source, options, caps, { ...parts, breaks }, span);
      if (!one.isKnown()) throw one.unknown();
      const { source: own, hide } = one.close();
      const report = assemble(own, options, caps, { ...parts, breaks }, span, hide);
      return { ...report, ...hideNamed(report, hide) };
    },
  };
}

interface Span {
  /** Exchanges of the whole recording, where the report is about one TPP. */
  all: number;
  exchanges: number;
  from: string | null;
  to: string | null;
  last: string | null;
  isForeign: boolean;
  /** Exchanges that were judged by another time than the machine's. */
  moved: number;
  /** Exchanges whose content is enciphered by a key that is not at hand. */
  unread: number;
}

/** A gateway always knows whether a call came over TLS; without that, the call was imported from elsewhere. */
const isForeign = ({ exchange: { call } }: RecordedExchange): boolean =>
  call.operation !== null && call.connection.tls === 'not-observed';

function collectParts({ judgings, notes, ownRules }: ReportSource, caps: Caps) {
  const { judging } = recipeOf(judgings);
  const dialects = judgings.map(({ bankProfile, segment }) => dialectOf(bankProfile, segment));
  return {
    rules: collectRules(judgings, ownRules, caps),
    findings: collectFindings(caps, ownRules),
    coverage: collectCoverage(dialects),
    exercised: collectExercised(dialects),
    access: collectAccess(),
    journeys: collectJourneys(caps),
    dailyLimit: collectDailyLimit(judging, caps),
    parties: collectParties(caps, createBankOf(notes)),
    deviations: collectDeviations(),
    readings: collectReadings(),
    traffic: collectTraffic(),
    availability: collectAvailability(judging, caps),
    appendix: collectAppendix(caps),
    injected: collectInjected(notes),
    own: countOwn(),
    gaps: collectGaps(judging, ownRules, caps),
  };
}

function assemble(
  source: ReportSource,
  options: ReportOptions,
  caps: Caps,
  parts: ReturnType<typeof collectParts> & { readonly breaks: ReturnType<typeof collectBreaks> },
  { all, last, isForeign, moved, unread, ...span }: Span,
  /** Only where the report is about one TPP. */
  hide: Hide | null = null,
): Report {
  const figures = parts.rules.finish();
  const { groups: findings, cited: exchanges, ...found } = parts.findings.finish(figures.all);
  const waived = hide === null ? found.waived : waivedShown(found.waived, hide);
  const coverage = { ...parts.coverage.finish(), rules: ruleRows(figures.all.rows) };
  const journeys = parts.journeys.finish();
  const dailyLimit = parts.dailyLimit.finish();
  const { tpps, otherCallers, against, certificates } = parts.parties.finish();
  const appendix = parts.appendix.finish();
  const clock = clockOf(source.clockNotes, moved, span.exchanges, caps.rows);
  const cut = cutNotes({ findings, journeys, dailyLimit, certificates, appendix });
  const injected = parts.injected.finish();
  const faults = hide === null ? injected : faultsShown(injected, hide);
  const remarks = [
    ...aboutOne(options),
    ...injectedNotes(faults, source.evidence),
    ...ownNotes(parts.own.finish(), source.evidence),
    ...source.remarks,
    ...unreadNotes(unread),
    ...cut,
  ];
  const head = { ...buildHead(source, options, span, clock, waived, remarks), faults };
  const verdict = buildVerdict(figures, findings, tpps);
  const { unfinished = [] } = source;
  return {
    format: 'sandgate-report',
    version: REPORT_VERSION,
    head,
    tpps,
    otherCallers,
    against,
    verdict,
    baseline: baselineOf(options, { findings, coverage, head }),
    findings,
    gaps: parts.gaps.finish({ against, certificates, tpps, operations: coverage.operations }),
    coverage,
    notTested: listNotTested({ coverage, tpps, answerer: verdict.answerer }),
    exercised: parts.exercised.finish(),
    access: parts.access.finish(),
    journeys,
    dailyLimit,
    certificates,
    bankDeviations: parts.deviations.finish()(findings),
    readings: parts.readings.finish(),
    traffic: parts.traffic.finish(),
    availability: availabilityOf(parts, options),
    evidence: gatherEvidence(
      source.evidence,
      { exchanges: all, last, isForeign, isPart: options.tpp !== undefined },
      parts.breaks.found,
    ),
    exchanges,
    appendix,
    recipe: {
      rejudged: source.rejudged,
      ...recipeOf(source.judgings),
      ...(options.tpp === undefined ? {} : { tpp: options.tpp }),
      host: source.host,
      earlier: { sessions: [...source.earlier.sessions], leftAside: source.earlier.leftAside },
      ...(unfinished.length === 0 ? {} : { unfinished: [...unfinished] }),
      ...(options.statistics === undefined ? {} : { statistics: options.statistics }),
      caps,
    },
  };
}

const baselineOf = (
  { baseline }: ReportOptions,
  made: Parameters<typeof compareBaseline>[1],
): Report['baseline'] => (baseline === undefined ? null : compareBaseline(baseline, made));

const aboutOne = ({ tpp }: ReportOptions): string[] =>
  tpp === undefined
    ? []
    : [
        `Only calls of ${tpp}, of customers that it sent to the bank, and notifications to it are in this report.`,
      ];

/** Findings of others would be told as fixed, or as new. */
function checkBaseline({ tpp, baseline }: ReportOptions): void {
  if (baseline === undefined || baseline.report.recipe.tpp === tpp) return;
  if (baseline.report.tpps.length === 1 && baseline.report.tpps[0]?.id === tpp) return;
  throw new SandgateError('report.baseline-of-others', { name: baseline.name });
}

function availabilityOf(
  { availability }: Pick<ReturnType<typeof collectParts>, 'availability'>,
  { statistics }: ReportOptions,
): Report['availability'] {
  const seen = availability.finish();
  return statistics === undefined ? seen : { ...seen, published: comparePublished(seen, statistics) };
}

const unreadNotes = (count: number): string[] =>
  count === 0
    ? []
    : [
        `The content of ${counted(count, 'exchange')} is enciphered, and the store’s key was not at hand: they count with their recorded verdicts, and texts of findings, gaps and rights used are incomplete.`,
      ];

type Cut = Pick<Report, 'findings' | 'journeys' | 'dailyLimit' | 'certificates' | 'appendix'>;

function cutNotes({ findings, journeys, dailyLimit, certificates, appendix }: Cut): string[] {
  const omitted = findings.reduce((sum, group) => sum + group.omitted, 0);
  const rules = findings.filter((group) => group.omitted > 0).length;
  const broken = findings.flatMap(({ rule, operations }) =>
    operations.filter(({ place }) => place === 'rule').map(({ count }) => [rule, count] as const),
  );
  const notes: readonly (readonly [count: number, note: string])[] = [
    [
      broken.reduce((sum, [, count]) => sum + count, 0),
      `Own rules were broken and gave no verdict: ${[...new Set(broken.map(([rule]) => rule))].join(', ')}.`,
    ],
    [
      omitted,
      `${counted(omitted, 'finding')} of ${counted(rules, 'rule')} ${plural(omitted, 'is', 'are')} counted but not listed; the first of each rule are listed.`,
    ],
    [
      journeys.omitted,
      `${counted(journeys.omitted, 'more consent or payment is', 'more consents and payments are')} judged but not shown as ${plural(journeys.omitted, 'a journey', 'journeys')}.`,
    ],
    [
      dailyLimit.omitted,
      `${counted(dailyLimit.omitted, 'access belongs', 'accesses belong')} to consents that the list of daily limits omits.`,
    ],
    [
      certificates.omitted,
      `${counted(certificates.omitted, 'more certificate or later TPP is', 'more certificates and later TPPs are')} judged but not listed.`,
    ],
    [appendix.omitted, appendix.note ?? ''],
  ];
  return notes.filter(([count]) => count > 0).map(([, note]) => note);
}
