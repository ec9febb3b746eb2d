/** Consents and payments of the living bank, and what can be done to each by hand. */
import { useEffect } from 'preact/hooks';
import type { ConsentAction, PaymentAction, ShownConsent, ShownPayment } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { act, useGet, withQuery } from '../api.js';
import { minute, shortId } from '../format.js';
import { dialog } from '../shell/dialog.js';
import { filterOf } from '../state/journeys.js';
import { doing } from '../state/said.js';
import { Action, AskedTable, type Column, Tpp } from '../view.js';
import { OutcomeDialog } from './next-outcome.js';

export interface WorldParts {
  /** null: the world of calls that name no session. */
  readonly session: string | null;
  readonly moved: string | undefined;
}

export const Consents = (world: WorldParts) => (
  <Resources<ShownConsent, ConsentAction>
    {...world}
    kind="consent"
    idOf={({ consentId }) => consentId}
    statusOf={({ consentStatus }) => consentStatus}
    columns={[
      ['Created', ({ createdAt }) => minute(createdAt), 'id'],
      [
        'Access',
        ({ accessKind, recurringIndicator }) =>
          `${accessKind}${recurringIndicator === true ? ', recurring' : ''}`,
      ],
      ['TPP', ({ tpp }) => <Tpp id={tpp} />],
      ['PSU', ({ psu }) => psu ?? '–'],
      ['Until', ({ validUntil }) => String(validUntil ?? '–'), 'id'],
    ]}
    actions={{ revoke: 'Revoke', expire: 'Expire', reject: 'Reject' }}
  />
);

export const Payments = (world: WorldParts) => (
  <Resources<ShownPayment, PaymentAction>
    {...world}
    kind="payment"
    idOf={({ paymentId }) => paymentId}
    statusOf={({ transactionStatus }) => transactionStatus}
    columns={[
      ['Amount', amountOf, 'num'],
      ['Creditor', ({ creditorName }) => String(creditorName ?? '–')],
      ['Created', ({ createdAt }) => minute(createdAt), 'id'],
      ['Executed', ({ executesAt }) => (executesAt === null ? '–' : minute(executesAt)), 'id'],
      ['Product', ({ product }) => product],
      ['TPP', ({ tpp }) => <Tpp id={tpp} />],
      ['PSU', ({ psu }) => psu ?? '–'],
    ]}
    actions={{ settle: 'Settle', reject: 'Reject' }}
  />
);

const NAMES = { consent: 'Consent', payment: 'Payment' } as const;
const SERVICES = { consent: 'AIS', payment: 'PIS' } as const;
const AWAIT_SCA: ReadonlySet<string> = new Set(['received', 'partiallyAuthorised', 'RCVD', 'PATC']);

interface ResourcesParts<T, A extends string> extends WorldParts {
  readonly kind: keyof typeof NAMES;
  readonly idOf: (one: T) => string;
  readonly statusOf: (one: T) => string;
  readonly columns: readonly Column<T>[];
  readonly actions: Readonly<Record<A, string>>;
}

function Resources<T extends { readonly actions: readonly A[] }, A extends string>(
  parts: ResourcesParts<T, A>,
) {
  const { session, moved, kind, idOf, statusOf, columns, actions } = parts;
  const path = `/api/bank/${kind}s`;
  const name = NAMES[kind];
  const asked = useGet<readonly T[]>(path, { session, limit: 100 });
  useEffect(asked.again, [moved]);
  const take = async (id: string, action: string) => {
    await doing(
      () => act<T>('POST', withQuery(`${path}/${encodeURIComponent(id)}/${action}`, { session })),
      (one) => `${name} ${shortId(id)} is ${statusOf(one)}.`,
    );
    asked.again();
  };
  const linkOf = (id: string) => (
    <a class="mono id" title={id} href={hrefWith({ view: 'calls', q: filterOf({ resource: id }) ?? '' })}>
      {shortId(id)}
    </a>
  );
  const buttonsOf = (one: T) => (
    <>
      {AWAIT_SCA.has(statusOf(one)) ? (
        <Action
          of={idOf(one)}
          onClick={() => {
            dialog.value = <OutcomeDialog session={session} scope={`${SERVICES[kind]}:${idOf(one)}`} />;
          }}
        >
          Next outcome
        </Action>
      ) : null}
      {one.actions.map((action) => (
        <Action key={action} of={idOf(one)} onClick={() => take(idOf(one), action)}>
          {actions[action]}
        </Action>
      ))}
    </>
  );
  return (
    <section>
      <h2>{name}s</h2>
      <AskedTable
        asked={asked}
        label={`${name}s`}
        keyOf={idOf}
        nothing="None yet: TPPs create them."
        columns={[
          [name, (one) => linkOf(idOf(one))],
          ['Status', statusOf],
          ...columns,
          ['', buttonsOf, 'acts-cell'],
        ]}
      />
    </section>
  );
}

function amountOf({ instructedAmount }: ShownPayment): string {
  const { amount = '–', currency = '' } = (instructedAmount ?? {}) as { amount?: string; currency?: string };
  return `${amount} ${currency}`;
}
