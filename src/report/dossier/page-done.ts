/** The second page: what was done and what was not, and how the bank was reached. */
import { counted, day, grouped } from '../html/text.js';
import type { Report } from '../model.js';
import { availability } from './availability.js';
import { type Block, type Cell, cell, heading, NOT_TESTED, type Table, text } from './blocks.js';

export function pageDone(report: Report): Block[] {
  return [
    heading('What was done, and what was not'),
    matrix(report),
    text(
      `Hatched with a dash: not tested in this period. Empty: cannot happen.${injected(report)}`,
      'small',
      'quiet',
    ),
    heading('Access asked for, access used'),
    ...access(report),
    heading('Availability and speed, as seen from here'),
    ...availability(report),
    heading('Daily limit without the customer present'),
    ...dailyLimit(report),
    heading('Certificates'),
    ...certificates(report),
  ];
}

/** For the reader, who must not take them for the bank's. */
function injected({ head: { faults } }: Report): string {
  const calls = faults.reduce((sum, one) => sum + one.calls, 0);
  if (calls === 0) return '';
  return ` Injected fault: whoever ran the test let calls fail on purpose (${counted(calls, 'call')}); neither the bank nor the third party provider is judged by that.`;
}

type Outcomes = Report['exercised']['rows'][number]['outcomes'];
const OUTCOMES: readonly (readonly [keyof Outcomes, string])[] = [
  ['success', 'success'],
  ['refusedByPsu', 'refused by customer'],
  ['timeout', 'timeout'],
  ['wrongCredentials', 'wrong credentials'],
  ['bankError', 'bank error'],
  ['refused', 'refused'],
  ['injected', 'injected fault'],
  ['open', 'end not known'],
];

const MOST_ROWS = 40;
const right = { align: 'right' } as const;

function matrix({ exercised: { rows } }: Report): Table {
  return {
    kind: 'table',
    columns: [
      { head: 'Operation', share: 18 },
      { head: 'done', share: 6, align: 'centre' },
      ...OUTCOMES.map(([, head]) => ({ head, share: 9.5, align: 'centre' as const })),
    ],
    rows: rows
      .slice(0, MOST_ROWS)
      .map(({ label, done, outcomes }) => [
        cell(label),
        done === 0 ? NOT_TESTED : cell(grouped(done)),
        ...OUTCOMES.map(([outcome]) => outcomeCell(outcomes[outcome])),
      ]),
    of: rows.length,
    least: rows.length,
  };
}

function outcomeCell(count: number | null): Cell {
  if (count === null) return cell('');
  return count === 0 ? NOT_TESTED : cell(grouped(count));
}

function access({ access: rows }: Report): Block[] {
  if (rows.length === 0) return [text('No consent was authorised or used.')];
  const isUnused = ({ neverUsed }: Report['access'][number]) => neverUsed.length > 0;
  const sorted = [...rows].sort(
    (a, b) => Number(isUnused(b)) - Number(isUnused(a)) || b.consents - a.consents,
  );
  return [
    {
      kind: 'table',
      columns: [
        { head: 'Kind of consent', share: 26 },
        { head: 'Consents', share: 10, ...right },
        { head: 'Asked for', share: 32 },
        { head: 'Never used', share: 32 },
      ],
      rows: sorted
        .slice(0, MOST_ROWS)
        .map(({ label, consents, askedFor, neverUsed, omitted }) => [
          cell(label),
          cell(grouped(consents)),
          cell(askedFor.length === 0 ? 'not recorded' : askedFor.join(', ')),
          neverUsed.length === 0
            ? cell(omitted === 0 ? 'all was used' : 'not known')
            : cell(neverUsed.map((one) => `${one.right} in ${grouped(one.consents)}`).join(', '), 'alarm'),
        ]),
      of: rows.length,
      least: 2,
    },
  ];
}

function dailyLimit({ dailyLimit: { days, window, rows } }: Report): Block[] {
  if (days.length === 0) return [text('No account was read without the customer.')];
  const over = rows.reduce((sum, row) => sum + row.over, 0);
  const worst = [...days].sort((a, b) => b.most - b.allowed - (a.most - a.allowed) || b.refused - a.refused);
  return [
    text(
      `Counted by ${window[0]?.toLowerCase()}${window.slice(1)}. Accesses above the limit: ${grouped(over)}.`,
      'small',
      'quiet',
    ),
    {
      kind: 'table',
      columns: [
        { head: 'Day, the highest first', share: 34 },
        { head: 'Most of one account', share: 22, ...right },
        { head: 'Allowed', share: 22, ...right },
        { head: 'Refused (429)', share: 22, ...right },
      ],
      rows: worst
        .slice(0, MOST_LIMITS)
        .map((one) => [
          cell(day(one.day)),
          cell(grouped(one.most), one.most > one.allowed ? 'alarm' : 'plain'),
          cell(grouped(one.allowed)),
          cell(grouped(one.refused)),
        ]),
      of: days.length,
      least: 1,
    },
  ];
}

const MOST_LIMITS = 5;

function certificates({ certificates: { list, omitted, absent } }: Report): Block[] {
  if (list.length === 0)
    return [
      text(
        absent === 0
          ? 'No certificate was recorded.'
          : `${counted(absent, 'call')} came without a certificate.`,
      ),
    ];
  const sorted = [...list].sort((a, b) => a.daysLeft - b.daysLeft);
  return [
    {
      kind: 'table',
      columns: [
        { head: 'Subject, the first to end first', share: 38 },
        { head: 'Issued by', share: 20 },
        { head: 'From', share: 14 },
        { head: 'To', share: 14 },
        { head: 'Days left at its last use', share: 14, ...right },
      ],
      rows: sorted
        .slice(0, MOST_ROWS)
        .map(({ subject, issuer, notBefore, notAfter, daysLeft, use }) => [
          cell(`${use === 'other' ? '' : `${use}: `}${subject}`),
          cell(issuer),
          cell(day(notBefore)),
          cell(day(notAfter)),
          cell(grouped(daysLeft), daysLeft < SOON ? 'alarm' : 'plain'),
        ]),
      of: list.length + omitted,
      least: 1,
    },
  ];
}

const SOON = 30;
