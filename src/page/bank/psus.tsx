/** PSUs of the living bank, with their log-ins and accounts. */
import { useState } from 'preact/hooks';
import type { ShownPsu } from '../../admin/index.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { Table } from '../table.js';
import { Part } from '../view.js';

const PAGE = 20;

export function Psus({ session }: { readonly session: string | null }) {
  const [from, setFrom] = useState(0);
  const asked = useAsked(`psus ${session} ${from}`, () =>
    get<readonly ShownPsu[]>('/api/bank/psus', { session, from, limit: PAGE }),
  );
  return (
    <section>
      <h2>PSUs</h2>
      <Part asked={asked}>
        {(all) => (
          <>
            <Table
              label="PSUs"
              rows={all}
              keyOf={({ id }) => id}
              nothing="There are no more."
              columns={[
                ['PSU', ({ id }) => id, 'id'],
                ['Name', ({ name }) => name],
                ['Log-in', ({ login, password }) => `${login} / ${password}`, 'mono'],
                ['Accounts', ({ accounts }) => <Accounts accounts={accounts} />],
              ]}
            />
            <p class="acts">
              {from === 0 ? null : (
                <button type="button" onClick={() => setFrom(Math.max(0, from - PAGE))}>
                  Previous
                </button>
              )}
              {all.length < PAGE ? null : (
                <button type="button" onClick={() => setFrom(from + PAGE)}>
                  Next
                </button>
              )}
            </p>
          </>
        )}
      </Part>
    </section>
  );
}

function Accounts({ accounts }: Pick<ShownPsu, 'accounts'>) {
  return (
    <ul class="plain">
      {accounts.map(({ resourceId, iban, currency, name }) => (
        <li key={resourceId}>
          <span class="mono id">{iban}</span> {currency}, {name}
        </li>
      ))}
    </ul>
  );
}
