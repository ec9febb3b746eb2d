/** Payments of the living bank: executed or turned down by hand. */
import { useEffect } from 'preact/hooks';
import type { PaymentAction, ShownPayment } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { act, get, withQuery } from '../api.js';
import { useAsked } from '../ask.js';
import { shortId } from '../format.js';
import { filterOf } from '../state/journeys.js';
import { doing } from '../state/said.js';
import { Table } from '../table.js';
import { Action, Part } from '../view.js';
import type { WorldParts } from './world.js';

export function Payments({ session, moved }: WorldParts) {
  const asked = useAsked(`payments ${session}`, () =>
    get<readonly ShownPayment[]>('/api/bank/payments', { session, limit: 100 }),
  );
  useEffect(asked.again, [moved]);
  const decide = async (id: string, decision: PaymentAction) => {
    const path = withQuery(`/api/bank/payments/${encodeURIComponent(id)}/${decision}`, { session });
    await doing(
      () => act<ShownPayment>('POST', path),
      ({ transactionStatus }) => `Payment ${shortId(id)} is ${transactionStatus}.`,
    );
    asked.again();
  };
  return (
    <section>
      <h2>Payments</h2>
      <Part asked={asked}>
        {(all) => (
          <Table
            label="Payments"
            rows={all}
            keyOf={({ paymentId }) => paymentId}
            nothing="No TPP has created one yet."
            columns={[
              [
                'Payment',
                ({ paymentId }) => (
                  <a
                    class="mono"
                    title={paymentId}
                    href={hrefWith({
                      view: 'calls',
                      q: filterOf({ kind: 'payment', resource: paymentId }) ?? '',
                    })}
                  >
                    {shortId(paymentId)}
                  </a>
                ),
              ],
              ['Status', ({ transactionStatus }) => transactionStatus],
              ['Amount', amountOf, 'num'],
              ['Product', ({ product }) => product],
              ['TPP', ({ tpp }) => tpp, 'mono'],
              ['PSU', ({ psu }) => psu ?? '–'],
              [
                '',
                ({ paymentId }) => (
                  <>
                    <Action of={paymentId} onClick={() => decide(paymentId, 'settle')}>
                      Settle
                    </Action>
                    <Action of={paymentId} onClick={() => decide(paymentId, 'reject')}>
                      Reject
                    </Action>
                  </>
                ),
                'acts-cell',
              ],
            ]}
          />
        )}
      </Part>
    </section>
  );
}

function amountOf({ instructedAmount }: ShownPayment): string {
  const { amount = '–', currency = '' } = (instructedAmount ?? {}) as { amount?: string; currency?: string };
  return `${amount} ${currency}`;
}
