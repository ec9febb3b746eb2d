/** Changes in the findings since an older report. */
import type { Report } from '../../model.js';
import { ToRule, Whose } from '../links.js';
import { filterMarks, Nothing, Section, Severity, Wide } from '../parts.js';
import { type Column, Headings, Rows } from '../table.js';
import { counted, grouped, visible } from '../text.js';

type Baseline = NonNullable<Report['baseline']>;
const PARTS = [
  ['new', 'New'],
  ['open', 'Still open'],
  ['fixed', 'Fixed'],
  ['unknown', 'Not exercised again'],
] as const;

export function BaselineSection({ baseline }: { baseline: Baseline }) {
  const total = PARTS.reduce((sum, [key]) => sum + baseline[key].length, 0);
  return (
    <Section
      id="baseline"
      title="Since the last report"
      lead={
        <>
          Compared with {visible(baseline.name)}
          {baseline.session === null ? '' : `, session ${visible(baseline.session)}`}, profile{' '}
          {baseline.profile}:{' '}
          {PARTS.map(([key, label]) => `${baseline[key].length} ${label.toLowerCase()}`).join(', ')}.
          {baseline.catalogueChanged ? ' The catalogue of rules has changed in between.' : ''}
        </>
      }
    >
      {total === 0 ? <Nothing>Neither report has a finding.</Nothing> : <Compared baseline={baseline} />}
    </Section>
  );
}

function Compared({ baseline }: { baseline: Baseline }) {
  const columns: readonly Column<Baseline['new'][number]>[] = [
    ['Severity', ({ severity }) => <Severity severity={severity} />],
    ['Rule', ({ rule }) => <ToRule rule={rule} />, 'head'],
    ['Operation', ({ operation }) => operation ?? '–'],
    ['Place', ({ place }) => visible(place)],
    ['At fault', ({ judges }) => <Whose judges={judges} />],
    ['Findings', ({ count }) => grouped(count), 'num'],
  ];
  return (
    <Wide label="Findings compared">
      <table>
        <caption>Findings are the same if rule, operation and place are the same</caption>
        <Headings columns={columns} />
        {PARTS.filter(([key]) => baseline[key].length > 0).map(([key, label]) => (
          <tbody key={key}>
            <tr class="group">
              <th scope="rowgroup" colSpan={6}>
                {label} <span class="soft">{counted(baseline[key].length, 'finding')}</span>
              </th>
            </tr>
            <Rows
              rows={baseline[key]}
              columns={columns}
              rowProps={(one) => ({ 'data-f': filterMarks([one]) })}
            />
          </tbody>
        ))}
      </table>
    </Wide>
  );
}
