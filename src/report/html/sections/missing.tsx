/** The list of what stands between the recording and production, and of what it does not show. */
import type { Report } from '../../model.js';
import { Name, Nothing, Recorded, Section, Time } from '../parts.js';
import { Table } from '../table.js';
import { groupedOrNone, visible } from '../text.js';

export function MissingSection({ report: { gaps, notTested } }: { report: Report }) {
  return (
    <Section
      id="missing"
      title="Before production"
      lead="What production would refuse, what only a sandbox allows, and what this recording does not show."
    >
      {gaps.length === 0 ? <Nothing>No gap was found.</Nothing> : <Gaps gaps={gaps} />}
      <h3>Not tested</h3>
      {notTested.length === 0 ? (
        <Nothing>Every operation and rule was.</Nothing>
      ) : (
        <ul class="plain">
          {notTested.map(({ what, why }) => (
            <li key={what}>
              {visible(what)} <span class="soft">{why}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Gaps({ gaps }: { gaps: Report['gaps'] }) {
  return (
    <Table
      label="Gaps"
      caption="Gaps to close before production"
      isCaptionHidden
      rows={gaps}
      columns={[
        ['What', ({ what }) => visible(what), 'head'],
        [
          'To do',
          ({ mend, rule }) => (
            <>
              {mend}
              {rule === undefined ? null : (
                <>
                  {' '}
                  <Name>{rule}</Name>
                </>
              )}
            </>
          ),
        ],
        ['TPP', ({ tpp }) => (tpp === undefined ? '–' : <Recorded text={tpp} />), 'tpp'],
        ['Since', ({ since }) => (since === undefined ? '–' : <Time at={since} />)],
        ['Calls', ({ times }) => groupedOrNone(times), 'num'],
      ]}
    />
  );
}
