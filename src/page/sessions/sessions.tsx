/** Sessions: what was recorded, as lists, files and reports. */
import type { ShownRule, ShownSession } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { get, useAsked, useGet } from '../api.js';
import { counted, grouped, minute } from '../format.js';
import { dialog } from '../shell/dialog.js';
import { SessionDialog } from '../shell/dialogs.js';
import { session, sessionInfo } from '../state/in-force.js';
import { Action, AskedTable } from '../view.js';
import { Found } from './catalogue.js';

export function Sessions() {
  // New calls may go to another session by now.
  const asked = useAsked(`sessions ${session.value}`, () => get<readonly ShownSession[]>('/api/sessions'));
  return (
    <div class="page">
      <h1>Sessions</h1>
      <p>
        <Action onClick={() => (dialog.value = <SessionDialog />)}>New session</Action>
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

export function Report() {
  const { session } = address.value;
  const info = sessionInfo.value;
  const asked = useGet<readonly ShownRule[]>('/api/rules', { session });
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
          ['Exchanges', Found, 'num'],
        ]}
      />
    </div>
  );
}

function Downloads({ links, of }: { readonly links: Readonly<Record<string, string>>; readonly of: string }) {
  return (
    <span class="downloads">
      {Object.entries(links).map(([format, href]) => (
        <a key={format} href={href} download>
          {format}
          <span class="hidden"> of {of}</span>
        </a>
      ))}
    </span>
  );
}
