/** What of the interface was exercised; rules that never were come before those that passed. */
import type { Report } from '../../model.js';
import type { Links } from '../links.js';
import { Section, Wide } from '../parts.js';
import { Matrix } from '../pictures/matrix.js';
import { Table } from '../table.js';
import { counted, grouped, tallied } from '../text.js';
import { RuleCoverage } from './rule-coverage.js';
import { Seen } from './seen.js';

type Coverage = Report['coverage'];

export function CoverageSection({ coverage, links }: { coverage: Coverage; links: Links }) {
  const called = coverage.operations.filter(({ calls }) => calls > 0).length;
  const idle = coverage.rules.filter(({ outcome }) => outcome === 'never-exercised').length;
  return (
    <Section
      id="coverage"
      title="Coverage"
      lead={`${called} of ${counted(coverage.operations.length, 'operation')} were called${
        coverage.unknownCalls === 0
          ? ''
          : `, and ${counted(coverage.unknownCalls, 'call')} named none that exists`
      }; ${counted(idle, 'rule')} had nothing to judge.`}
    >
      <h3>Operations and outcomes</h3>
      <Wide label="Picture of operations by outcome">
        <Matrix operations={coverage.operations} />
      </Wide>
      <OperationTable operations={coverage.operations} />
      <RuleCoverage rules={coverage.rules} links={links} />
      <Seen coverage={coverage} />
    </Section>
  );
}

function OperationTable({ operations }: { operations: Coverage['operations'] }) {
  return (
    <details>
      <summary>The same as a table, with paths and statuses</summary>
      <Table
        label="Operations by outcome"
        caption="Operations by outcome"
        rows={operations}
        rowProps={({ calls }) => ({ class: calls === 0 ? 'zero' : undefined })}
        columns={[
          [
            'Operation',
            ({ summary, method, path }) => (
              <>
                {summary}
                <br />
                <code>
                  {method} {path}
                </code>
              </>
            ),
            'head',
          ],
          ['Calls', ({ calls }) => grouped(calls), 'num'],
          ['Success', ({ outcomes }) => grouped(outcomes.success), 'num'],
          ['Refused', ({ outcomes }) => grouped(outcomes.refused), 'num'],
          ['Other 4xx', ({ outcomes }) => grouped(outcomes.clientError), 'num'],
          ['5xx', ({ outcomes }) => grouped(outcomes.serverError), 'num'],
          ['No answer', ({ outcomes }) => grouped(outcomes.none), 'num'],
          ['Statuses', ({ statuses }) => tallied(statuses) || '–'],
        ]}
      />
    </details>
  );
}
