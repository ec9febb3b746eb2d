/** The report of the session: what was found most, and the whole as a file. */
import type { ShownRule } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { counted, grouped } from '../format.js';
import { sessionInfo } from '../state/standing.js';
import { AskedTable } from '../table.js';
import { Downloads } from './downloads.js';

export function Report() {
  const { session } = address.value;
  const info = sessionInfo.value;
  const asked = useAsked(`report ${session}`, () => get<readonly ShownRule[]>('/api/rules', { session }));
  return (
    <div class="page">
      <h1>Report</h1>
      {info === null ? (
        <p class="soft">Nothing was recorded in this session yet.</p>
      ) : (
        <>
          <p>
            Session <b>{info.name}</b>, {counted(info.exchanges, 'exchange')}.
          </p>
          <p>
            The whole report: <Downloads links={info.links.report} of={info.name} />
          </p>
          <p>
            What was recorded: <Downloads links={info.links.export} of={info.name} />
          </p>
        </>
      )}
      <h2>Found so far</h2>
      <AskedTable
        asked={asked}
        label="Found so far"
        chosen={(all) => all.filter(({ found }) => found > 0).sort((a, b) => b.found - a.found)}
        keyOf={({ id }) => id}
        nothing="No rule was violated."
        columns={[
          ['Rule', ({ id, statement }) => <span title={statement}>{id}</span>, 'mono'],
          ['Severity', ({ worst }) => (worst === null ? '' : <span class={`badge ${worst}`}>{worst}</span>)],
          ['What to do', ({ fix }) => fix, 'text'],
          [
            'Exchanges',
            ({ id, found }) => (
              <a href={hrefWith({ view: 'calls', q: `rule:${id}`, open: null })}>{grouped(found)}</a>
            ),
            'num',
          ],
        ]}
      />
    </div>
  );
}
