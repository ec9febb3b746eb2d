/** Records authorisations in the ledger, also where the sandbox gives one id to several flows and TPPs. */
import { SANDBOX_AUTHORISATIONS } from '../spec/index.js';
import { type ChangeSet, factOf, put } from './change-set.js';
import type { AuthorisationFact } from './facts.js';
import { keyOf } from './keys.js';

const MOST_OPEN_READS = 50;
const isLiteral = (id: string): boolean => Object.hasOwn(SANDBOX_AUTHORISATIONS, id);

/** So long after its discovery read a flow may still be before its authorization request. */
const SIDE_BY_SIDE_MS = 30_000;

/**
 * The sandbox hands out the same few ids to all: each TPP keeps its own fact beside that under the id alone, which stays as
 * it is once a second one got the id. So gateways that share a store do not wait for each other's TPPs.
 */
export function putAuthorisation(changeSet: ChangeSet, fact: AuthorisationFact, at: number): void {
  const key = keyOf.authorisation(fact.id);
  if (!isLiteral(fact.id)) {
    put(changeSet, 'authorisations', key, fact);
    return;
  }
  const ownKey = keyOf.authorisationOfTpp(fact.id, fact.tpp);
  const openReads = (factOf(changeSet, 'authorisations', ownKey)?.openReads ?? []).filter(
    (readAt) => at - readAt < SIDE_BY_SIDE_MS,
  );
  const own = openReads.length === 0 ? fact : { ...fact, openReads };
  const known = factOf(changeSet, 'authorisations', key);
  if (known?.shared !== true) {
    const shared = known !== undefined && known.tpp !== fact.tpp;
    put(changeSet, 'authorisations', key, shared ? { ...own, shared } : own);
  }
  put(changeSet, 'authorisations', ownKey, own);
}

export function noteDiscoveryRead(changeSet: ChangeSet, id: string, tpp: string, at: number): void {
  changeAuthorisation(changeSet, id, tpp, (fact) => {
    // The first read tells all: whether it came before authorize.
    const discoveryReadAt = fact.discoveryReadAt ?? at;
    if (!isLiteral(id)) return fact.discoveryReadAt === null ? { ...fact, discoveryReadAt } : fact;
    const openReads = [...(fact.openReads ?? []), at].slice(-MOST_OPEN_READS);
    return { ...fact, discoveryReadAt, openReads };
  });
}

/** A flow has gone on from its discovery read. */
export function takeOpenRead(changeSet: ChangeSet, id: string, tpp: string): void {
  const own = factOf(changeSet, 'authorisations', keyOf.authorisationOfTpp(id, tpp));
  if (own?.openReads === undefined || own.openReads.length === 0) return;
  changeAuthorisation(changeSet, id, tpp, (fact) => ({ ...fact, openReads: fact.openReads?.slice(1) ?? [] }));
}

function changeAuthorisation(
  changeSet: ChangeSet,
  id: string,
  tpp: string,
  change: (fact: AuthorisationFact) => AuthorisationFact,
): void {
  for (const key of [keyOf.authorisation(id), keyOf.authorisationOfTpp(id, tpp)]) {
    const fact = factOf(changeSet, 'authorisations', key);
    if (fact?.tpp !== tpp || fact.shared === true) continue;
    const changed = change(fact);
    if (changed !== fact) put(changeSet, 'authorisations', key, changed);
  }
}
