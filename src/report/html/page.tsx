/** The whole page of a report: head, contents, sections in the order in which they matter. */
import { bankLines, makerLines, profilesText, whoseOf } from '../formats/lines.js';
import type { Report } from '../model.js';
import { renderApart } from './apart.js';
import { Contents, type ContentsEntry, Document } from './document.js';
import { FilterBar } from './filter-bar.js';
import { Linked, linksOf } from './links.js';
import { AppendixSection } from './sections/appendix.js';
import { AvailabilitySection } from './sections/availability.js';
import { BankSection } from './sections/bank.js';
import { BaselineSection } from './sections/baseline.js';
import { CertificatesSection } from './sections/certificates.js';
import { CoverageSection } from './sections/coverage.js';
import { DailyLimitSection } from './sections/daily-limit.js';
import { EvidenceSection, LEVELS } from './sections/evidence.js';
import { FindingsSection } from './sections/findings.js';
import { JourneysSection } from './sections/journeys.js';
import { MissingSection } from './sections/missing.js';
import { ReadingsSection } from './sections/readings.js';
import { ScopeSection } from './sections/scope.js';
import { TrafficSection } from './sections/traffic.js';
import { VerdictSection } from './sections/verdict.js';
import { counted, span, titled, visible } from './text.js';

type PageParts = { readonly report: Report; readonly statement: string | null };

function Page({ report, statement }: PageParts) {
  return (
    <Document title={report.head.title} statement={statement} skip="Skip to the verdict">
      <Head report={report} />
      <Contents entries={entriesOf(report)} />
      <Main report={report} statement={statement} />
      <footer>
        <p>
          Made by {report.head.gateway.name} {report.head.gateway.version} from{' '}
          {visible(report.head.recording.name)}. Tokens, codes and cookies in this report are fingerprints;
          the secrets themselves were never kept.
        </p>
      </footer>
    </Document>
  );
}

function Head({ report: { head, tpps, against, evidence } }: { report: Report }) {
  const { recording } = head;
  const sources = against
    .map(({ source }) => source)
    .filter((source) => source !== 'none' && source !== 'tpp');
  const facts = [
    recording.from === null || recording.to === null ? null : span(recording.from, recording.to),
    counted(recording.exchanges, 'exchange'),
    tpps.length === 1 && tpps[0] !== undefined
      ? visible(tpps[0].name ?? tpps[0].id)
      : counted(tpps.length, 'TPP'),
    `answered by ${sources.join(', ') || 'nobody'}`,
    `profile ${profilesText(head)}`,
    ...bankLines(head).map((line) => visible(`bank profile ${line}`)),
    ...makerLines(head).map(visible),
    evidence.level === 'broken' ? null : `evidence: ${LEVELS[evidence.level]}`,
  ];
  return (
    <header>
      <p class="brand">Sandgate</p>
      <h1>{visible(head.title)}</h1>
      <p class="facts-line">
        {facts
          .filter((fact) => fact !== null)
          .map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        {evidence.level === 'broken' ? <strong class="badge must">evidence: broken</strong> : null}
      </p>
    </header>
  );
}

function entriesOf(report: Report): readonly ContentsEntry[] {
  const { coverage, journeys } = report;
  const called = coverage.operations.filter(({ calls }) => calls > 0).length;
  return [
    ['verdict', 'Verdict', null],
    ...(report.baseline === null
      ? []
      : [['baseline', 'Since the last report', String(report.baseline.new.length)] as const]),
    ['scope', 'What was judged', null],
    ['missing', 'Before production', String(report.gaps.length)],
    ['findings', 'Findings', String(report.findings.reduce((sum, { count }) => sum + count, 0))],
    ['coverage', 'Coverage', `${called}/${coverage.operations.length}`],
    ['journeys', 'Journeys', String(journeys.lanes.length + journeys.omitted)],
    ['daily-limit', 'Daily limit', null],
    ['certificates', 'Certificates', String(report.certificates.list.length + report.certificates.omitted)],
    [
      'bank-deviations',
      `${titled(whoseOf(report).aspsp)}’s deviations`,
      String(report.bankDeviations.length),
    ],
    ['readings', 'Readings', null],
    ['availability', 'Availability', null],
    ['traffic', 'Traffic', null],
    ['evidence', 'Evidence', null],
    ['appendix', 'Appendix', String(report.appendix.exchanges.length)],
  ];
}

function Main({ report, statement }: PageParts) {
  return (
    <main id="main">
      <VerdictSection report={report} />
      {report.baseline === null ? null : <BaselineSection baseline={report.baseline} />}
      <ScopeSection report={report} />
      <MissingSection report={report} />
      <FilterBar />
      <FindingsSection report={report} />
      <CoverageSection report={report} />
      <JourneysSection journeys={report.journeys} />
      <DailyLimitSection dailyLimit={report.dailyLimit} />
      <CertificatesSection certificates={report.certificates} />
      <BankSection deviations={report.bankDeviations} />
      <ReadingsSection readings={report.readings} />
      <AvailabilitySection availability={report.availability} />
      <TrafficSection traffic={report.traffic} />
      <EvidenceSection evidence={report.evidence} statement={statement} />
      <AppendixSection appendix={report.appendix} />
    </main>
  );
}

export const htmlBytes = (report: Report): Buffer => Buffer.concat([...htmlChunks(report)]);

/** A whole document; the same report gives the same bytes. `statement`: the file of the statement that signs it. */
export function* htmlChunks(
  report: Report,
  { statement = null }: { statement?: string | null } = {},
): Generator<Buffer> {
  const links = linksOf(report);
  yield Buffer.from('<!doctype html>\n');
  yield* renderApart(<Page report={report} statement={statement} />, (part) => (
    <Linked links={links}>{part}</Linked>
  ));
  yield Buffer.from('\n');
}
