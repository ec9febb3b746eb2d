/** Snapshots of the living bank: taken, gone back to, dropped; and the bank as it was at the beginning. */
import type { ShownBank, ShownSnapshot } from '../../admin/index.js';
import { act, type Method, useGet, withQuery } from '../api.js';
import { minute } from '../format.js';
import { refreshInForce } from '../state/in-force.js';
import { doing } from '../state/said.js';
import { Action, ActionForm, AskedTable, filledIn } from '../view.js';

export function Snapshots({ session, onChange }: { session: string | null; onChange: () => void }) {
  const asked = useGet<readonly ShownSnapshot[]>('/api/bank/snapshots', { session });
  const change = async (method: Method, rest: string, done: string) => {
    await doing(
      () => act<ShownBank | ShownSnapshot>(method, withQuery(`/api/bank/${rest}`, { session })),
      done,
    );
    asked.again();
    onChange();
    refreshInForce();
  };
  const named = (name: string) => `snapshots/${encodeURIComponent(name)}`;
  return (
    <section>
      <h2>Snapshots</h2>
      <ActionForm
        verb="Keep"
        onSend={(form) => {
          const { name = '' } = filledIn(form, ['name']);
          return change('PUT', named(name), `The snapshot ${name} was taken.`);
        }}
      >
        <label>
          Keep the present state as{' '}
          <input name="name" required autocomplete="off" placeholder="before-the-change" />
        </label>
      </ActionForm>
      <AskedTable
        asked={asked}
        label="Snapshots"
        keyOf={({ name }) => name}
        nothing="No snapshots yet."
        columns={[
          ['Name', ({ name }) => name],
          ['Taken', ({ at }) => minute(at), 'num'],
          ['Clock', ({ now }) => (now === null ? 'of the machine' : minute(now)), 'num'],
          [
            '',
            ({ name }) => (
              <>
                <Action
                  of={name}
                  onClick={() =>
                    change('POST', `${named(name)}/restore`, `The bank was restored to ${name}.`)
                  }
                >
                  Go back to it
                </Action>
                <Action of={name} onClick={() => change('DELETE', named(name), `${name} is dropped.`)}>
                  Drop
                </Action>
              </>
            ),
            'acts-cell',
          ],
        ]}
      />
      <p>
        <Action onClick={() => change('POST', 'reset', 'The bank was reset.')}>Forget everything</Action>
      </p>
    </section>
  );
}
