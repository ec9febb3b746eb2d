/** Rights that consents ask for, and those that calls used: minimal access. */
import { type Exchange, isObject, queryValue } from '../../exchange/index.js';
import { consentOf, type Ledger, ownerOf } from '../../ledger/index.js';
import { operationRow } from '../../spec/index.js';
import type { Access, Report } from '../model.js';
import { answerMembers, type Collector, membersOf, order } from './collector.js';

type Kind = Access['kind'];

const KINDS: Readonly<Record<Kind, string>> = {
  'all-accounts': 'All accounts',
  'list-of-accounts': 'The list of accounts',
  'list-with-balances': 'The list of accounts with balances',
  'chosen-accounts': 'Chosen accounts',
  'chosen-at-the-bank': 'Accounts that the PSU chooses at the bank',
  'not-recorded': 'Created before this recording',
};

const RIGHTS = ['accounts', 'balances', 'transactions', 'owner’s name', 'trusted beneficiaries'] as const;
type Right = (typeof RIGHTS)[number];

/** Rights that each kind of all accounts asks for; the value may add the owner’s name. */
const GLOBAL: readonly (readonly [member: string, kind: Kind, rights: readonly Right[]])[] = [
  ['allPsd2', 'all-accounts', ['accounts', 'balances', 'transactions']],
  ['availableAccounts', 'list-of-accounts', ['accounts']],
  ['availableAccountsWithBalance', 'list-with-balances', ['accounts', 'balances']],
  ['availableAccountsWithBalances', 'list-with-balances', ['accounts', 'balances']],
];

interface Followed {
  readonly id: string;
  readonly row: ReturnType<typeof openRow>;
  readonly asked: readonly Right[];
  readonly used: Set<Right>;
  isAuthorised: boolean;
}

const MOST_CONSENTS = 50_000;

export function collectAccess(): Collector<Report['access']> {
  const rows = new Map<string, ReturnType<typeof openRow>>();
  const consents = new Map<string, Followed>();
  let ledger: Ledger | null = null;

  function open(id: string, tpp: string, kind: Kind, asked: readonly Right[]): Followed | undefined {
    const key = `${tpp} ${id}`;
    const place = `${tpp} ${kind}`;
    const row = rows.get(place) ?? openRow(tpp, kind);
    rows.set(place, row);
    for (const right of asked) row.asked.add(right);
    const known = consents.get(key);
    if (known !== undefined) settle(known);
    if (known === undefined && consents.size >= MOST_CONSENTS) {
      row.omitted++;
      return undefined;
    }
    const followed = { id, row, asked, used: new Set<Right>(), isAuthorised: false };
    consents.set(key, followed);
    return followed;
  }

  return {
    take(seen) {
      const { call } = seen.record.exchange;
      const group = call.operation?.split('.', 1)[0];
      const tpp = ownerOf(call);
      ledger = seen.ledger;
      if (!seen.ok || tpp === null || (group !== 'consents' && group !== 'accounts')) return;
      if (call.operation !== null && operationRow(call.operation).creates === 'consent') {
        const { consentId } = answerMembers(seen.record.exchange);
        if (typeof consentId === 'string') open(consentId, tpp, ...askedIn(call.content));
        return;
      }
      const id = group === 'accounts' ? call.header['consent-id'] : call.params.consentId;
      if (id === undefined || id === '') return;
      const known = consents.get(`${tpp} ${id}`);
      const followed = known ?? (group === 'accounts' ? open(id, tpp, 'not-recorded', []) : undefined);
      if (followed === undefined) return;
      followed.isAuthorised ||= group === 'accounts' || isAuthorised(seen.ledger, tpp, id);
      if (group === 'accounts') learnUse(followed, seen.record.exchange);
    },
    finish() {
      for (const followed of consents.values()) {
        followed.isAuthorised ||= ledger !== null && isAuthorised(ledger, followed.row.tpp, followed.id);
        settle(followed);
      }
      return [...rows.values()]
        .filter(({ consents: counted, omitted }) => counted + omitted > 0)
        .map(accessRow)
        .sort((a, b) => order(a.tpp, b.tpp) || order(a.kind, b.kind));
    },
  };
}

const openRow = (tpp: string, kind: Kind) => ({
  tpp,
  kind,
  consents: 0,
  omitted: 0,
  asked: new Set<Right>(),
  neverUsed: new Map<Right, number>(),
});

const isAuthorised = (ledger: Ledger, tpp: string, id: string): boolean => {
  const fact = consentOf(ledger, tpp, id);
  return fact?.status === 'valid' || fact?.scaAt !== undefined;
};

/** A consent that nobody authorised gave no access that could be used. */
function settle({ row, asked, used, isAuthorised }: Followed): void {
  if (!isAuthorised) return;
  row.consents++;
  for (const right of asked)
    if (!used.has(right)) row.neverUsed.set(right, (row.neverUsed.get(right) ?? 0) + 1);
}

function accessRow({ tpp, kind, consents, omitted, asked, neverUsed }: ReturnType<typeof openRow>): Access {
  return {
    tpp,
    kind,
    label: KINDS[kind],
    consents,
    askedFor: RIGHTS.filter((right) => asked.has(right)),
    neverUsed: RIGHTS.flatMap((right) => {
      const count = neverUsed.get(right);
      return count === undefined ? [] : [{ right, consents: count }];
    }),
    omitted,
  };
}

function askedIn(content: Exchange['call']['content']): readonly [Kind, readonly Right[]] {
  const { access } = membersOf(content.kind === 'json' ? content.value : null);
  const asked = membersOf(access);
  for (const [member, kind, rights] of GLOBAL) {
    const value = asked[member];
    if (typeof value === 'string')
      return [kind, value === 'allAccountsWithOwnerName' ? [...rights, 'owner’s name'] : rights];
  }
  const lists = (['accounts', 'balances', 'transactions'] as const).filter((one) =>
    Array.isArray(asked[one]),
  );
  const { ownerName, trustedBeneficiaries } = membersOf(asked.additionalInformation);
  const isChosen = lists.some((one) => Array.isArray(asked[one]) && asked[one].length > 0);
  const rights: Right[] = [
    ...lists,
    ...(ownerName === undefined ? [] : (['owner’s name'] as const)),
    ...(trustedBeneficiaries === undefined ? [] : (['trusted beneficiaries'] as const)),
  ];
  return [isChosen ? 'chosen-accounts' : 'chosen-at-the-bank', rights];
}

function learnUse({ asked, used }: Followed, exchange: Exchange): void {
  const { operation } = exchange.call;
  if (operation === 'accounts.balances') used.add('balances');
  else if (operation === 'accounts.transactions' || operation === 'accounts.transaction')
    used.add('transactions');
  else {
    used.add('accounts');
    if (queryValue(exchange.call, 'withBalance') === 'true') used.add('balances');
    // Nobody asks for the name by a call of its own: it is used once an answer gives it.
    if (asked.includes('owner’s name') && !used.has('owner’s name') && namesOwner(exchange))
      used.add('owner’s name');
  }
}

function namesOwner(exchange: Exchange): boolean {
  const { accounts, account, ...own } = answerMembers(exchange);
  const list = Array.isArray(accounts) ? accounts : [account ?? own];
  return list.some((one) => isObject(one) && ('ownerName' in one || 'ownerNames' in one));
}
