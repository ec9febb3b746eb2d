/** Folds in later statuses of consents, payments and authorisations, from reads and deletions. */
import { type Answer, type Call, memberOf } from '../exchange/index.js';
import {
  CONSENT_STATUSES,
  type ConsentStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
  SCA_STATUSES,
  type ScaStatus,
} from '../spec/index.js';
import { type ChangeSet, type Fold, factOf, put, shortMember, shortText, wholeMember } from './change-set.js';
import type { LedgerFamilies } from './facts.js';
import { keyOf } from './keys.js';

export const foldConsentStatus: Fold = (changeSet, call, answer, tpp, { heardAt }) => {
  const key = keyOf.resource(tpp, call.params.consentId ?? '');
  const fact = factOf(changeSet, 'consents', key);
  if (fact === undefined) return;
  const status = shortMember(answer.content, 'consentStatus') ?? fact.status;
  // The bank may grant less than was asked for (reading consent-days-shortened); the grant counts.
  const validUntil = shortMember(answer.content, 'validUntil') ?? fact.validUntil;
  const frequencyPerDay = wholeMember(answer.content, 'frequencyPerDay') ?? fact.frequencyPerDay;
  if (!Object.hasOwn(CONSENT_STATUSES, status)) return;
  const isAsBefore = validUntil === fact.validUntil && frequencyPerDay === fact.frequencyPerDay;
  if (isSaid(fact, status) && isAsBefore) return;
  const statusAt = status === fact.status ? fact.statusAt : heardAt;
  const { statusInferred: _, ...said } = fact;
  const granted = { validUntil, frequencyPerDay };
  put(changeSet, 'consents', key, { ...said, status: status as ConsentStatus, statusAt, ...granted });
};

export const foldConsentDeletion: Fold = (changeSet, call, _answer, tpp, { heardAt }) => {
  const id = call.params.consentId ?? '';
  const key = keyOf.resource(tpp, id);
  const fact = factOf(changeSet, 'consents', key);
  // A consent that had ended may be deleted all the same, and stays as it ended.
  if (fact === undefined || hasEnded(fact, CONSENT_STATUSES)) return;
  put(changeSet, 'consents', key, { ...fact, deletedAt: call.at });
  // It may have ended before, unknown to anybody but the bank, which has not said so.
  const terminated = { status: 'terminatedByTpp', at: heardAt, inferred: true } as const;
  setStatus(changeSet, 'consents', { tpp, id }, terminated);
};

export const foldPaymentStatus: Fold = (changeSet, call, answer, tpp, { heardAt }) => {
  const id = call.params.paymentId ?? '';
  const status = shortMember(answer.content, 'transactionStatus') ?? '';
  if (Object.hasOwn(PAYMENT_STATUSES, status))
    setStatus(changeSet, 'payments', { tpp, id }, { status: status as PaymentStatus, at: heardAt });
};

/** Also where the payment is not known: its literal id is polled as any other. */
export const foldPoll: Fold = (changeSet, call, answer, tpp, know) => {
  foldPaymentStatus(changeSet, call, answer, tpp, know);
  const key = keyOf.resource(tpp, call.params.paymentId ?? '');
  // Calls end in another order than they came.
  const at = Math.max(call.at, factOf(changeSet, 'polls', key)?.at ?? 0);
  put(changeSet, 'polls', key, { at });
};

/** 204: cancelled. 202: an authorisation is needed first, and the body tells the status. */
export const foldCancellation: Fold = (changeSet, call, answer, tpp, know) => {
  if (answer.status !== 204) {
    foldPaymentStatus(changeSet, call, answer, tpp, know);
    return;
  }
  const id = call.params.paymentId ?? '';
  const fact = factOf(changeSet, 'payments', keyOf.resource(tpp, id));
  if (fact === undefined || !hasEnded(fact, PAYMENT_STATUSES))
    setStatus(changeSet, 'payments', { tpp, id }, { status: 'CANC', at: know.heardAt });
};

/** Whether the bank itself has said that nothing follows. */
function hasEnded<S extends string>(
  fact: { readonly status: S; readonly statusInferred?: true },
  life: Readonly<Record<S, { readonly final: boolean }>>,
): boolean {
  return fact.statusInferred === undefined && life[fact.status].final;
}

export function foldScaStatus(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const status = shortMember(answer.content, 'scaStatus') ?? '';
  if (Object.hasOwn(SCA_STATUSES, status))
    setScaStatus(changeSet, call.params.authorisationId ?? '', tpp, status as ScaStatus);
}

const MOST_ACCOUNTS = 500;

const isFurtherPage = ({ request: { query } }: Call): boolean =>
  query.some(([name, value]) => (name === 'page' || name === 'pageIndex') && Number(value) > 0);

/** A list may come in pages, so what was listed before stays listed. */
export function foldAccounts(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const key = keyOf.resource(tpp, call.header['consent-id'] ?? '');
  const fact = factOf(changeSet, 'consents', key);
  const list = answer.content.kind === 'json' ? memberOf(answer.content.value, 'accounts') : undefined;
  if (fact === undefined || !Array.isArray(list)) return;
  const ids = new Set(fact.accounts);
  // A page from the middle of a list has others before it.
  let more = fact.moreAccounts === true || (fact.accounts === null && isFurtherPage(call));
  for (const account of list) {
    const id = shortText(memberOf(account, 'resourceId'));
    if (id === undefined) more ||= memberOf(account, '_links') !== undefined;
    else if (ids.size < MOST_ACCOUNTS) ids.add(id);
    else if (!ids.has(id)) more = true;
    if (more && ids.size === MOST_ACCOUNTS) break;
  }
  if (fact.accounts?.length === ids.size && more === (fact.moreAccounts === true)) return;
  put(changeSet, 'consents', key, { ...fact, accounts: [...ids], ...(more ? { moreAccounts: more } : {}) });
}

function isSaid(fact: { status: string; statusInferred?: true }, status: string): boolean {
  return fact.status === status && fact.statusInferred === undefined;
}

/** The fact in a status: as the bank said it, or as it follows from how the SCA ended. */
function inStatus<F extends { status: string; statusInferred?: true }>(
  fact: F,
  status: F['status'],
  inferred: boolean,
) {
  if (inferred) return { ...fact, status, statusInferred: true as const };
  const { statusInferred: _, ...said } = fact;
  return { ...said, status };
}

export function setStatus<F extends 'consents' | 'payments'>(
  changeSet: ChangeSet,
  family: F,
  { tpp, id }: { readonly tpp: string; readonly id: string },
  { status, at, inferred = false }: { status: LedgerFamilies[F]['status']; at: number; inferred?: boolean },
): void {
  const key = keyOf.resource(tpp, id);
  const fact = factOf(changeSet, family, key);
  if (fact !== undefined && !isSaid(fact, status))
    put(changeSet, family, key, {
      ...inStatus(fact, status, inferred),
      statusAt: at,
    } as LedgerFamilies[F]);
}

/** `tpp`: whose authorisation it is, where that can be told. */
export function setScaStatus(
  changeSet: ChangeSet,
  id: string,
  tpp: string | null,
  status: ScaStatus,
  inferred = false,
): void {
  const keys = [keyOf.authorisation(id), ...(tpp === null ? [] : [keyOf.authorisationOfTpp(id, tpp)])];
  for (const key of keys) {
    const fact = factOf(changeSet, 'authorisations', key);
    if (fact !== undefined && fact.shared !== true && !isSaid(fact, status))
      put(changeSet, 'authorisations', key, inStatus(fact, status, inferred));
  }
}
