/** The third page: what is missing, what was waived, and how to check the record. */
import { counted, day, grouped, groupedOrNone, span, stamp } from '../html/text.js';
import type { Report } from '../model.js';
import { type Block, cell, heading, text } from './blocks.js';
import { openFindings, outOf } from './page-who.js';
import { isBroken, restsOn } from './words.js';

export interface PageParts {
  /** Names of the attached files. */
  readonly attached: readonly string[];
  /** SHA-256 of the attached JSON report, hex. */
  readonly digest: string;
  /** Who seals, and when, epoch ms; null: nobody. */
  readonly seal: { readonly by: string; readonly at: number } | null;
}

export function pageMissing(report: Report, parts: PageParts): Block[] {
  return [
    heading('Before it is right: what is missing'),
    ...findings(report),
    ...gaps(report),
    ...notTested(report),
    heading('Waived'),
    ...waivers(report),
    heading('How to check this record'),
    { ...text(howTo(report, parts), 'small'), least: 6 },
    facts(report, parts),
    { kind: 'signatures', labels: ['Prepared by, date', 'Reviewed by, date'] },
  ];
}

const MOST_ROWS = 25;
const right = { align: 'right' } as const;
const isWhole = true;

function findings(report: Report): Block[] {
  const open = openFindings(report);
  if (open.length === 0) return [text('No finding is open.')];
  return [
    {
      kind: 'table',
      columns: [
        { head: 'What', share: 34, isWhole },
        { head: 'What to do', share: 40, isWhole },
        { head: 'Calls', share: 10, ...right },
        { head: 'Since', share: 16, ...right },
      ],
      rows: open
        .slice(0, MOST_ROWS)
        .map((one) => [
          { text: one.statement, box: true },
          cell(one.fix),
          cell(outOf(one)),
          cell(one.first === null ? '' : day(one.first)),
        ]),
      of: open.length,
    },
  ];
}

function gaps({ gaps: rows }: Report): Block[] {
  return [
    heading('Before production'),
    rows.length === 0
      ? text('Nothing was seen that production would refuse.')
      : {
          kind: 'table',
          columns: [
            { head: 'Refused by production, or allowed by a sandbox only', share: 46, isWhole },
            { head: 'What to do', share: 46, isWhole },
            { head: 'Calls', share: 8, ...right },
          ],
          rows: rows
            .slice(0, MOST_ROWS)
            .map(({ what, mend, times }) => [
              { text: what, box: true },
              cell(mend),
              cell(groupedOrNone(times)),
            ]),
          of: rows.length,
        },
  ];
}

function notTested({ notTested: rows }: Report): Block[] {
  if (rows.length === 0) return [];
  return [
    heading('Not tested, and why that matters'),
    {
      kind: 'table',
      columns: [
        { head: 'What never happened', share: 50 },
        { head: 'Why it matters', share: 50 },
      ],
      rows: rows.slice(0, MOST_ROWS).map(({ what, why }) => [cell(what), cell(why)]),
      of: rows.length,
    },
  ];
}

function waivers({ head, coverage }: Report): Block[] {
  if (head.waivers.length === 0) return [text('Nothing was waived.')];
  const statements = new Map(coverage.rules.map(({ rule, statement }) => [rule, statement]));
  const sorted = [...head.waivers].sort((a, b) => b.used - a.used);
  return [
    {
      kind: 'table',
      columns: [
        { head: 'What', share: 36 },
        { head: 'Reason', share: 36 },
        { head: 'Until', share: 18, ...right },
        { head: 'Findings', share: 10, ...right },
      ],
      rows: sorted
        .slice(0, MOST_ROWS)
        .map(({ rule, reason, until, used }) => [
          cell(statements.get(rule) ?? 'A rule that is no longer in the catalogue'),
          cell(reason),
          cell(day(until)),
          cell(grouped(used)),
        ]),
      of: sorted.length,
    },
  ];
}

function howTo(report: Report, { seal: sealed, attached }: PageParts): string {
  const computed =
    'The three pages are computed from the report attached to this file; no number was typed by hand.';
  if (isBroken(report))
    return `${computed} ${report.evidence.sentence} For this reason the record is not sealed.`;
  const seal =
    sealed === null
      ? 'It is not sealed: nothing in this file shows who made it.'
      : `It is sealed by ${sealed.by}: any reader of PDF files shows whether it was changed since.`;
  const statement = attached.includes('statement.jws')
    ? ' The attached statement is signed, and names the digest of each attached file.'
    : '';
  const where =
    report.evidence.fileDigest === null
      ? 'To check all of it without the store of the session, ask for its bundle (sandgate bundle), and run sandgate verify with its name; where the store is, with the name of this file.'
      : 'To check all of it, on any machine that has the file that it was made of: sandgate verify, with the name of this file.';
  return `${computed} ${restsOn(report).meaning} ${seal}${statement} ${where}`;
}

function facts(report: Report, { attached, digest, seal }: PageParts): Block {
  const { head, evidence } = report;
  const { witness } = evidence;
  const { from, to, session, name, exchanges } = head.recording;
  const period = from === null || to === null ? 'nothing recorded' : span(from, to);
  const stamps = witness?.stamps;
  const rows: (readonly [string, string])[] = [
    ['Recording', `${session ?? name}, ${counted(exchanges, 'call')}, ${period}`],
    evidence.fileDigest === null
      ? ['Chain ends at', evidence.head === null ? 'no call' : `sha256 ${evidence.head}`]
      : ['File', `sha256 ${evidence.fileDigest}`],
    [
      'Signed by key',
      witness === null
        ? 'no signature was checked'
        : `sha256 ${witness.key}, in ${counted(witness.checkpoints, 'checkpoint')}`,
    ],
    [
      'Time stamps',
      stamps === null || stamps === undefined
        ? 'none was checked'
        : `${grouped(stamps.shown)} checked, ${grouped(stamps.unchecked)} not checked, ${grouped(stamps.wanting)} wanting${stamps.authorities.length === 0 ? '' : `; by ${stamps.authorities.join('; ')}`}`,
    ],
    ['Rules', `${counted(head.catalogue.rules, 'rule')}, catalogue sha256 ${head.catalogue.digest}`],
    ['Attached', `${attached.join(', ')}; report.json has sha256 ${digest}`],
    [
      'Seal',
      seal === null
        ? 'none'
        : `${seal.by}, on ${stamp(new Date(seal.at).toISOString())} UTC by the clock of who sealed it`,
    ],
  ];
  return {
    kind: 'table',
    columns: [
      { head: 'Fact', share: 14 },
      { head: 'Value', share: 86 },
    ],
    rows: rows.map(([label, value]) => [cell(label, 'quiet'), cell(value)]),
    least: rows.length,
  };
}
