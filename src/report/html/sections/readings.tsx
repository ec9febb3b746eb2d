/** What the specification leaves open, how it was read, and what was observed. */
import type { Report } from '../../model.js';
import { Name, Nothing, Section, Wide } from '../parts.js';
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
  const seen = readings.some(({ observed }) => observed.length > 0);
  return (
    <Wide label={`Readings: ${title}`}>
      <table class="readings">
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Open in the specification</th>
            <th scope="col">Read as</th>
            {seen ? <th scope="col">Observed</th> : null}
          </tr>
        </thead>
        <tbody>
          {readings.map(({ id, clause, section, open, chosen, why, source, observed }) => (
            <tr key={id}>
              <th scope="row">
                {open}
                <br />
                <span class="soft">
                  {section} <Name>{clause}</Name>
                </span>
              </th>
              <td>
                {chosen}
                <br />
                <span class="soft">
                  {why} Source: {source}.
                </span>
              </td>
              {seen ? (
                <td>
                  {observed.map(({ value, count }) => (
                    <div key={value}>
                      {visible(value)} <span class="soft num">× {grouped(count)}</span>
                    </div>
                  ))}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
