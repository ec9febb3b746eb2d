/** What of the interface was exercised; rules that never were come before those that passed. */
import type { Report } from '../../model.js';
import type { Links } from '../links.js';
import { Section, Wide } from '../parts.js';
import { Matrix } from '../pictures/matrix.js';
import { counted, grouped, visible } from '../text.js';
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
      <Wide label="Operations by outcome">
        <table>
          <caption>Operations by outcome</caption>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" class="num">
                Calls
              </th>
              <th scope="col" class="num">
                Success
              </th>
              <th scope="col" class="num">
                Refused
              </th>
              <th scope="col" class="num">
                Other 4xx
              </th>
              <th scope="col" class="num">
                5xx
              </th>
              <th scope="col" class="num">
                No answer
              </th>
              <th scope="col">Statuses</th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ operation, method, path, summary, calls, outcomes, statuses }) => (
              <tr key={operation} class={calls === 0 ? 'zero' : undefined}>
                <th scope="row">
                  {summary}
                  <br />
                  <code>
                    {method} {path}
                  </code>
                </th>
                <td class="num">{grouped(calls)}</td>
                <td class="num">{grouped(outcomes.success)}</td>
                <td class="num">{grouped(outcomes.refused)}</td>
                <td class="num">{grouped(outcomes.clientError)}</td>
                <td class="num">{grouped(outcomes.serverError)}</td>
                <td class="num">{grouped(outcomes.none)}</td>
                <td>
                  {statuses.map(({ value, count }) => `${visible(value)} × ${grouped(count)}`).join(', ') ||
                    '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </details>
  );
}
