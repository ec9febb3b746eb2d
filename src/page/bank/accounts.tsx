/** PSUs of the living bank with their accounts, and one account with its postings and what can be done to it. */
import { useEffect, useState } from 'preact/hooks';
import type { AccountAction, ShownAccount, ShownPsu } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { act, useGet, withQuery } from '../api.js';
import { counted } from '../format.js';
import { doing } from '../state/said.js';
import { Action, ActionForm, filledIn, Part, Row, Table } from '../view.js';
import type { WorldParts } from './resources.js';

const PAGE = 20;

export function Accounts({ session, moved }: WorldParts) {
  const { open } = address.value;
  const [from, setFrom] = useState(0);
  const asked = useGet<readonly ShownPsu[]>('/api/bank/psus', { session, from, limit: PAGE });
  return (
    <section>
      <h2>PSUs and their accounts</h2>
      {open === null ? null : <OneAccount key={open} id={open} session={session} moved={moved} />}
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
                [
                  'Accounts',
                  ({ accounts }) => (
                    <ul class="plain">
                      {accounts.map(({ resourceId, iban, currency, name, status }) => (
                        <li key={resourceId}>
                          <a class="mono id" href={hrefWith({ open: resourceId })}>
                            {iban}
                          </a>{' '}
                          {currency}, {name}
                          {status === 'enabled' ? '' : `, ${status}`}
                        </li>
                      ))}
                    </ul>
                  ),
                ],
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

const VERBS = {
  block: 'Block',
  unblock: 'Unblock',
  close: 'Close the account',
  reopen: 'Reopen',
  'change-iban': 'Change the IBAN',
} as const satisfies Partial<Record<AccountAction, string>>;
const isVerb = (action: AccountAction) => action !== 'book';

function OneAccount({ id, session, moved }: WorldParts & { readonly id: string }) {
  const path = `/api/bank/accounts/${encodeURIComponent(id)}`;
  const asked = useGet<ShownAccount>(path, { session });
  useEffect(asked.again, [moved]);
  const change = async (action: AccountAction, wanted?: object) => {
    await doing(
      () => act<ShownAccount>('POST', withQuery(`${path}/${action}`, { session }), wanted),
      ({ iban, status, balance, currency }) => `${iban} is ${status}, with ${balance} ${currency}.`,
    );
    asked.again();
  };
  const book = (form: FormData) => {
    const { when, ...entry } = filledIn(form, ['amount', 'text', 'date', 'when']);
    return change('book', { ...entry, ...(when === 'pending' ? { pending: true } : {}) });
  };
  return (
    <section class="card" aria-label="Account">
      <Part asked={asked}>
        {(account) => (
          <>
            <h3>
              {account.name} of {account.owners.join(' and ')} <a href={hrefWith({ open: null })}>Hide</a>
            </h3>
            <dl class="kv">
              <Row term="IBAN">
                <span class="mono">{account.iban}</span>
                {account.formerIbans.length === 0 ? '' : `, before: ${account.formerIbans.join(', ')}`}
              </Row>
              <Row term="Status">{account.status}</Row>
              <Row term="Balance">
                <span class="num">
                  {account.balance} {account.currency}, {account.available} available
                </span>
              </Row>
            </dl>
            <div class="acts">
              {account.actions.filter(isVerb).map((action) => (
                <Action key={action} onClick={() => change(action)}>
                  {VERBS[action]}
                </Action>
              ))}
            </div>
            <ActionForm verb="Book" onSend={book}>
              <label>
                Amount <input name="amount" required size={10} placeholder="-12.50" autocomplete="off" />
              </label>
              <label>
                Text <input name="text" required maxLength={140} autocomplete="off" />
              </label>
              <label>
                Day <input name="date" type="date" />
              </label>
              <label>
                <input type="checkbox" name="when" value="pending" /> Pending
              </label>
            </ActionForm>
            <Postings account={account} />
          </>
        )}
      </Part>
    </section>
  );
}

function Postings({ account: { transactions } }: { readonly account: ShownAccount }) {
  const { pending, booked, count } = transactions;
  const rows = [...pending, ...booked].map((entry, i) => ({ entry, isPending: i < pending.length, i }));
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  return (
    <>
      <p class="soft">
        {counted(count, 'posting')}
        {count > booked.length ? `; the newest ${booked.length} are shown` : ''}
      </p>
      <div class="low">
        <Table
          label="Postings"
          rows={rows}
          keyOf={({ i }) => String(i)}
          nothing="Nothing was booked yet."
          columns={[
            ['Day', ({ entry, isPending }) => (isPending ? 'pending' : text(entry.bookingDate)), 'id'],
            ['Amount', ({ entry: { transactionAmount: of } }) => `${of.amount} ${of.currency}`, 'num'],
            ['With', ({ entry }) => text(entry.creditorName ?? entry.debtorName)],
            ['Text', ({ entry }) => text(entry.remittanceInformationUnstructured), 'text'],
          ]}
        />
      </div>
    </>
  );
}
