/** Records authorisations in the ledger, also where the sandbox gives one id to several flows and TPPs. */
import { SANDBOX_AUTHORISATIONS } from '../spec/index.js';
import { type Draft, factOf, put } from './draft.js';
import type { AuthorisationFact } from './facts.js';
import { keyOf } from './keys.js';

const MOST_OPEN_READS = 50;
const isLiteral = (id: string): boolean => Object.hasOwn(SANDBOX_AUTHORISATIONS, id);

/** So long after its discovery read a flow may still be before its authorize request. */
const SIDE_BY_SIDE_MS = 30_000;

/** The sandbox hands out the same few ids to all: each TPP keeps its own fact beside the last one's. */
export function putAuthorisation(draft: Draft, fact: AuthorisationFact, at: number): void {
  const key = keyOf.authorisation(fact.id);
  if (!isLiteral(fact.id)) {
    put(draft, 'authorisations', key, fact);
    return;
  }
  const ownKey = keyOf.authorisationOfTpp(fact.id, fact.tpp);
  const openReads = (factOf(draft, 'authorisations', ownKey)?.openReads ?? []).filter(
    (readAt) => at - readAt < SIDE_BY_SIDE_MS,
  );
  const own = openReads.length === 0 ? fact : { ...fact, openReads };
  const known = factOf(draft, 'authorisations', key);
  const shared = known !== undefined && (known.shared === true || known.tpp !== fact.tpp);
  put(draft, 'authorisations', key, shared ? { ...own, shared } : own);
  put(draft, 'authorisations', ownKey, own);
}

/** The TPP has read the discovery document of its authorisation. */
export function noteDiscoveryRead(draft: Draft, id: string, tpp: string, at: number): void {
  changeAuthorisation(draft, id, tpp, (fact) => {
    // The first read tells all: whether it came before authorize.
    const discoveryReadAt = fact.discoveryReadAt ?? at;
    if (!isLiteral(id)) return fact.discoveryReadAt === null ? { ...fact, discoveryReadAt } : fact;
    const openReads = [...(fact.openReads ?? []), at].slice(-MOST_OPEN_READS);
    return { ...fact, discoveryReadAt, openReads };
  });
}

/** A flow has gone on from its discovery read. */
export function takeOpenRead(draft: Draft, id: string, tpp: string): void {
  const own = factOf(draft, 'authorisations', keyOf.authorisationOfTpp(id, tpp));
  if (own?.openReads === undefined || own.openReads.length === 0) return;
  changeAuthorisation(draft, id, tpp, (fact) => ({ ...fact, openReads: fact.openReads?.slice(1) ?? [] }));
}

/** Changes what is known of a TPP's authorisation, under both of its keys. */
function changeAuthorisation(
  draft: Draft,
  id: string,
  tpp: string,
  change: (fact: AuthorisationFact) => AuthorisationFact,
): void {
  for (const key of [keyOf.authorisation(id), keyOf.authorisationOfTpp(id, tpp)]) {
    const fact = factOf(draft, 'authorisations', key);
    if (fact?.tpp !== tpp) continue;
    const changed = change(fact);
    if (changed !== fact) put(draft, 'authorisations', key, changed);
  }
}
