/** The list of sessions, each with its export and its report. */
import type { ShownSession } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { get, useAsked } from '../api.js';
import { grouped, minute } from '../format.js';
import { dialog } from '../shell/dialog.js';
import { SessionDialog } from '../shell/dialogs.js';
import { session } from '../state/in-force.js';
import { Action, AskedTable } from '../view.js';

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
          ['Began', ({ startedAt }) => minute(startedAt), 'id'],
          ['Newest call', ({ lastAt }) => minute(lastAt), 'id'],
          ['Calls', ({ exchanges }) => grouped(exchanges), 'num'],
          ['Marks', ({ marks }) => marks.length, 'num'],
          ['Export', ({ links, name }) => <Downloads links={links.export} of={name} />],
          ['Report', ({ links, name }) => <Downloads links={links.report} of={name} />],
        ]}
      />
    </div>
  );
}

export function Downloads({
  links,
  of,
}: {
  readonly links: Readonly<Record<string, string>>;
  readonly of: string;
}) {
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
