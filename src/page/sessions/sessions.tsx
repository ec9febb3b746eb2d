/** Sessions: what was recorded, as lists, files and reports. */
import type { ShownSession } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { grouped, minute } from '../format.js';
import { dialog } from '../shell/open-dialog.js';
import { session } from '../state/standing.js';
import { AskedTable } from '../table.js';
import { Action } from '../view.js';
import { Downloads } from './downloads.js';

export function Sessions() {
  // Where calls go now may be another session.
  const asked = useAsked(`sessions ${session.value}`, () => get<readonly ShownSession[]>('/api/sessions'));
  return (
    <div class="page">
      <h1>Sessions</h1>
      <p>
        <Action
          onClick={() => {
            dialog.value = { kind: 'session' };
          }}
        >
          New session
        </Action>
      </p>
      <AskedTable
        asked={asked}
        label="Sessions"
        keyOf={({ name }) => name}
        nothing="None yet."
        columns={[
          [
            'Session',
            ({ name, current }) => (
              <>
                <a href={hrefWith({ view: 'calls', session: current ? null : name, q: '', open: null })}>
                  {name}
                </a>
                {current ? <span class="badge fine">current</span> : null}
              </>
            ),
          ],
          ['Began', ({ startedAt }) => minute(startedAt), 'num'],
          ['Newest call', ({ lastAt }) => minute(lastAt), 'num'],
          ['Calls', ({ exchanges }) => grouped(exchanges), 'num'],
          ['Marks', ({ marks }) => marks.length, 'num'],
          ['Export', ({ links, name }) => <Downloads links={links.export} of={name} />],
          ['Report', ({ links, name }) => <Downloads links={links.report} of={name} />],
        ]}
      />
    </div>
  );
}
