/** Open points of the specification, with their readings and observations. */
import type { Report } from '../../model.js';
import { Name, Nothing, Section } from '../parts.js';
import { Table } from '../table.js';
import { counted, grouped, visible } from '../text.js';

type Reading = Report['readings'][number];

export function ReadingsSection({ readings }: { readings: readonly Reading[] }) {
  const observed = readings.filter((one) => one.observed.length > 0);
  const others = readings.filter((one) => one.observed.length === 0);
  return (
    <Section
      id="readings"
      title="Readings"
      lead={`Where the specification leaves something open, a reading says what was taken for right. ${observed.length} of ${counted(readings.length, 'reading')} could be seen in this recording.`}
    >
      {observed.length === 0 ? (
        <Nothing>None of them shows in this recording.</Nothing>
      ) : (
        <Readings title="Observed" readings={observed} />
      )}
      {others.length === 0 ? null : (
        <details>
          <summary>{counted(others.length, 'reading')} that this recording does not show</summary>
          <Readings title="Not observed" readings={others} />
        </details>
      )}
    </Section>
  );
}

function Readings({ title, readings }: { title: string; readings: readonly Reading[] }) {
  return (
    <Table
      label={`Readings: ${title}`}
      caption={title}
      isCaptionHidden
      look="readings"
      rows={readings}
      columns={[
        [
          'Open in the specification',
          ({ open, section, clause }) => (
            <>
              {open}
              <br />
              <span class="soft">
                {section} <Name>{clause}</Name>
              </span>
            </>
          ),
          'head',
        ],
        [
          'Read as',
          ({ chosen, why, source }) => (
            <>
              {chosen}
              <br />
              <span class="soft">
                {why} Source: {source}.
              </span>
            </>
          ),
        ],
        readings.some(({ observed }) => observed.length > 0) && [
          'Observed',
          ({ observed }) =>
            observed.map(({ value, count }) => (
              <div key={value}>
                {visible(value)} <span class="soft num">× {grouped(count)}</span>
              </div>
            )),
        ],
      ]}
    />
  );
}
