/** The first page: who and what, the verdict, and what it rests on. */
import { ofNobody } from '../formats/lines.js';
import { counted, day, grouped, span } from '../html/text.js';
import type { Report } from '../model.js';
import { type Block, cell, heading, type Pairs, type Table, text } from './blocks.js';
import {
  addresses,
  answered,
  callers,
  interfaceOf,
  isBank,
  isBroken,
  nameOf,
  organisations,
  restsOn,
} from './words.js';

export function pageWho(report: Report): Block[] {
  const { head } = report;
  const { from, to, exchanges } = head.recording;
  const period = from === null || to === null ? 'Nothing was recorded' : `Recorded ${span(from, to)}`;
  const made =
    head.madeAt === null
      ? 'no date of making'
      : `made ${span(head.madeAt, head.madeAt).split(' to ')[0]} UTC`;
  const rules = head.profile.judged === 'production' ? 'production' : 'the sandbox';
  return [
    text(`Conformity record · Sandgate ${head.gateway.version} · ${made}`, 'small', 'quiet'),
    { ...text(`${callers(report)} at ${answered(report)}`, 'title'), least: 6 },
    text(`${period} · ${counted(exchanges, 'call')} · judged by the rules for ${rules}`, 'small', 'quiet'),
    ...(head.unrecorded === null ? [] : [{ ...text(head.unrecorded.sentence, 'small', 'alarm'), least: 2 }]),
    ...(head.clock === null ? [] : [{ ...text(head.clock.sentence, 'small'), least: 2 }]),
    ...(isBroken(report)
      ? [
          {
            ...text(`BROKEN. ${report.evidence.sentence} This record is not sealed.`, 'strong', 'alarm'),
            boxed: true as const,
          },
        ]
      : []),
    heading('Who'),
    who(report),
    heading('Verdict'),
    { ...text(ownSentence(report), 'verdict'), least: 4 },
    figures(report),
    ...(organisations(report).length > 1 ? [eachTpp(report), COUNTED_HOW] : []),
    ...nobodyKnown(report),
    worst(report),
    heading('Who answered, and what was seen of it'),
    { ...text(ofAnswerer(report)), least: 3 },
    ...(isBank(report) ? deviations(report) : []),
    { ...text(evidenceText(report)), boxed: true, least: 5 },
  ];
}

function evidenceText(report: Report): string {
  const { line, meaning } = restsOn(report);
  return `Evidence: ${line.toLowerCase()}. ${meaning} Page 3 says how to check this.`;
}

function who(report: Report): Pairs {
  const { head, tpps } = report;
  const stated = (value: string | null) => value ?? 'Not stated';
  return {
    kind: 'pairs',
    columns: [
      tpps.length === 1 ? oneTpp(report) : manyTpps(report),
      [
        ['Answered by', answererText(report)],
        ['Interface', interfaceOf(report)],
        ['Purpose', stated(head.purpose)],
        ['Made for', stated(head.madeFor)],
        ['Prepared by', stated(head.preparedBy)],
      ],
    ],
  };
}

function answererText(report: Report): string {
  const name = answered(report);
  if (!isBank(report)) return `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const [first, ...more] = addresses(report).filter((address) => address !== name);
  return first === undefined
    ? name
    : `${name}, ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}

function oneTpp(report: Report): [string, string][] {
  const [tpp] = report.tpps;
  if (tpp === undefined) return [];
  const { id, roles, nca } = tpp;
  return [
    ['Third party provider', nameOf(tpp)],
    ['Authorisation number · roles', `${id} · ${roles.join(', ') || 'no role in the certificate'}`],
    ['Competent authority', nca.name ?? nca.id ?? 'Not in the certificate'],
    ['Certificate', certificateText(report, id)],
  ];
}

/** The one that ends last; the others stand on page 2. */
function certificateText({ certificates }: Report, tpp: string): string {
  const [last] = certificates.list
    .filter((one) => one.tpp === tpp)
    .sort((a, b) => Date.parse(b.notAfter) - Date.parse(a.notAfter));
  if (last === undefined) return 'None was recorded';
  const trust = last.chain.trusted ? 'trusted' : 'not trusted here';
  return `${last.use === 'other' ? 'Certificate' : last.use} by ${last.issuer}, ${trust}; ends ${day(last.notAfter)}, ${counted(Math.abs(last.daysLeft), 'day')} ${last.daysLeft < 0 ? 'before' : 'after'} its last use`;
}

function manyTpps(report: Report): [string, string][] {
  const { tpps, otherCallers } = report;
  if (tpps.length === 0)
    return [
      ['Third party provider', 'Not known: no certificate of one was recorded'],
      ['Calls without a certificate', grouped(otherCallers.noCertificate)],
      ['Calls of which no certificate was recorded', grouped(otherCallers.notObserved)],
    ];
  return [
    [
      'Third party providers',
      `${tpps.length + otherCallers.notListed}, each with a verdict of its own below`,
    ],
    ['Calls of none of them', grouped(ofNobody(report))],
  ];
}

/** A record about one organisation says its verdict. */
function ownSentence(report: Report): string {
  const [one, ...more] = organisations(report);
  if (one !== undefined && more.length === 0) return one.sentence;
  return report.verdict.tpp.sentence.replace(
    /^The TPP /,
    more.length === 0 ? 'The caller ' : 'Together they ',
  );
}

function figures(report: Report): Block {
  const [one, ...more] = organisations(report);
  const { rules } = one !== undefined && more.length === 0 ? one : report.verdict.tpp;
  const alarm = (count: number) => (count > 0 ? { tone: 'alarm' as const } : {});
  return {
    kind: 'numbers',
    items: [
      {
        value: grouped(rules.mustViolated),
        label: 'obligations (must) violated',
        ...alarm(rules.mustViolated),
      },
      { value: grouped(rules.shouldViolated), label: 'recommendations (should) violated' },
      { value: grouped(rules.complied), label: 'rules complied with' },
      { value: grouped(rules.notApplicable + rules.notObserved), label: 'rules not tested' },
    ],
  };
}

const MOST_ROWS = 12;

/** `13 of 91,204`. */
export const outOf = ({ calls, outOf: all }: Pick<Report['findings'][number], 'calls' | 'outOf'>): string =>
  all === 0 ? grouped(calls) : `${grouped(calls)} of ${grouped(all)}`;

/** Findings on the TPP that no waiver covers, the gravest and most frequent first. */
export function openFindings({ findings }: Report) {
  const weight = { must: 0, should: 1, note: 2 };
  return findings
    .filter(({ judges, count, waived }) => judges === 'tpp' && count > waived)
    .sort((a, b) => weight[a.severity] - weight[b.severity] || b.calls - a.calls);
}

function worst(report: Report): Block {
  const open = openFindings(report);
  if (open.length === 0) return text('No finding is open.', 'plain');
  return {
    kind: 'table',
    columns: [
      { head: 'Worst first', share: 58 },
      { head: 'Severity', share: 10 },
      { head: 'Calls', share: 14, align: 'right' },
      { head: 'Last', share: 18, align: 'right' },
    ],
    rows: open
      .slice(0, MOST_ROWS)
      .map((one) => [
        cell(one.statement),
        cell(one.severity, one.severity === 'must' ? 'alarm' : 'plain'),
        cell(outOf(one)),
        cell(one.last === null ? '' : day(one.last)),
      ]),
    of: open.length,
  };
}

function eachTpp(report: Report): Table {
  const all = organisations(report);
  const sorted = [...all].sort(
    (a, b) => b.rules.mustViolated - a.rules.mustViolated || b.rules.shouldViolated - a.rules.shouldViolated,
  );
  const right = { align: 'right' } as const;
  return {
    kind: 'table',
    columns: [
      { head: 'Third party provider', share: 46 },
      { head: 'Calls', share: 12, ...right },
      { head: 'Must violated', share: 11, ...right },
      { head: 'Should violated', share: 11, ...right },
      { head: 'Complied', share: 10, ...right },
      { head: 'Not tested', share: 10, ...right },
    ],
    rows: sorted
      .slice(0, MOST_ROWS)
      .map(({ tpp, name, exchanges, rules }) => [
        cell(name === null ? `${tpp}` : `${name}, ${tpp}`),
        cell(grouped(exchanges)),
        cell(grouped(rules.mustViolated), rules.mustViolated > 0 ? 'alarm' : 'plain'),
        cell(grouped(rules.shouldViolated)),
        cell(grouped(rules.complied)),
        cell(grouped(rules.notApplicable + rules.notObserved)),
      ]),
    of: all.length,
    least: 2,
  };
}

/** With the number of calls of none of them, the table's add up to all calls. */
const COUNTED_HOW = text(
  'Calls of a provider include pages of customers that it sent to the bank, and notifications to it. Of none of them are connections that failed, and calls and pages that name no provider.',
  'small',
  'quiet',
);

function nobodyKnown({ verdict }: Report): Block[] {
  const nobody = verdict.tpps.find(({ tpp }) => tpp === null);
  if (nobody === undefined) return [];
  const { rules, exchanges } = nobody;
  return [
    text(
      `Calls of nobody known are counted apart: ${counted(exchanges, 'call')}, with ${counted(rules.mustViolated, 'obligation')} and ${counted(rules.shouldViolated, 'recommendation')} violated.`,
      'small',
      'quiet',
    ),
  ];
}

function ofAnswerer({ verdict }: Report): string {
  switch (verdict.answerer) {
    case 'emulator':
      return 'Answered by the built-in emulator, which is no bank; this record says nothing of a bank.';
    case 'replay':
      return 'Answered out of a recording; this record says nothing of how a bank answers now.';
    case 'nobody':
      return 'Nobody answered a call.';
    default:
      return verdict.aspsp.sentence;
  }
}

function deviations({ bankDeviations }: Report): Block[] {
  const ofBank = bankDeviations.filter(({ sources }) => sources.includes('upstream'));
  if (ofBank.length === 0) return [];
  return [
    {
      kind: 'table',
      columns: [
        { head: 'The bank deviated from its interface', share: 86 },
        { head: 'Answers', share: 14, align: 'right' },
      ],
      rows: ofBank.slice(0, MOST_ROWS).map(({ statement, count }) => [cell(statement), cell(grouped(count))]),
      of: ofBank.length,
    },
  ];
}
