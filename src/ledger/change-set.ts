/**
 * A change set: collects the changes of one exchange to the ledger. Reads see them on top of the ledger, which stays
 * as it is.
 */
import {
  type Answer,
  type Call,
  type Content,
  type Fingerprint,
  formValue,
  linkOf,
  memberOf,
  ownCopy,
  queryValue,
  textMember,
} from '../exchange/index.js';
import type { Dialect } from '../spec/index.js';
import type { Bound, Facts, LedgerChange, LedgerFamilies, LedgerFamily, LedgerState } from './facts.js';

export interface ChangeSet {
  readonly ledger: LedgerState;
  readonly changes: LedgerChange[];
  readonly dialect: Dialect;
}

export type Fold = (
  changeSet: ChangeSet,
  call: Call,
  answer: Answer,
  tpp: string,
  /** `heardAt`: when the answer was there, epoch ms. */
  know: { readonly fingerprint: Fingerprint; readonly heardAt: number },
) => void;

export function factOf<F extends LedgerFamily>(
  changeSet: ChangeSet,
  family: F,
  key: string,
): LedgerFamilies[F] | undefined {
  for (let i = changeSet.changes.length - 1; i >= 0; i--) {
    const change = changeSet.changes[i];
    // The family says which fact it is.
    if (change?.family === family && change.key === key)
      return (change.fact ?? undefined) as LedgerFamilies[F] | undefined;
  }
  const facts: Facts = changeSet.ledger;
  return facts[family].get(key);
}

export function put<F extends LedgerFamily>(
  changeSet: ChangeSet,
  family: F,
  key: string,
  fact: LedgerFamilies[F] | null,
): void {
  changeSet.changes.push({ family, key, fact });
}

/** The certificate of the call, where the bank binds to it what it hands out. */
export const boundTo = ({ dialect }: ChangeSet, { certificate }: Call): Bound =>
  dialect.isBoundToCertificate && typeof certificate === 'object'
    ? { certificate: certificate.fingerprint256 }
    : {};

/** Longer ids, codes and addresses than this are not learned: nothing of the interface is as long. */
const LONGEST = 2_000;

export const shortMember = (content: Content, name: string) => shortText(textMember(content, name));
export const shortLink = (content: Content, name: string) => shortText(linkOf(content, name));
export const shortField = (content: Content, name: string) => shortText(formValue(content, name));
export const shortParameter = (call: Call, name: string) => shortText(queryValue(call, name));

export function wholeMember(content: Content, name: string): number | undefined {
  const value = content.kind === 'json' ? memberOf(content.value, name) : undefined;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** A text that is not empty; for itself, so that a fact does not keep the call alive that it was learned of. */
export function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? ownCopy(value) : undefined;
}
