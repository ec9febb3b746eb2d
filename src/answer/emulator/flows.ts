/**
 * The authorisations that the emulator creates: an id for each flow, so that two TPPs, or two flows of one TPP, never
 * share a page. The eight ids of the specification belong to nobody and keep their status (reading `creation-
 * authorisation-ids`).
 */
import type { Call } from '../../exchange/index.js';
import { type AuthorisationFact, authorisationOf, type Ledger } from '../../ledger/index.js';
import { SANDBOX_AUTHORISATIONS, type SandboxAuthorisationId, type ScaStatus } from '../../spec/index.js';
import type { Bank } from './bank.js';

/** This id stands for a new authorisation. */
const RECEIVED = '22222222-2222-2222-2222-222222222222' satisfies SandboxAuthorisationId;

/** Reading `authorisation-list`. */
export const LISTED_AUTHORISATIONS: readonly SandboxAuthorisationId[] = [
  '11111111-1111-1111-1111-111111111111',
  RECEIVED,
];

/** The id of a new flow; nothing can be kept for a caller that nobody knows, who gets the specification's. */
export function openFlow({ ids }: Bank, call: Call): string {
  return call.tpp === null ? RECEIVED : ids.authorisation();
}

export function flowOf(ledger: Ledger, id: string): AuthorisationFact | undefined {
  return isSandboxAuthorisation(id) ? undefined : authorisationOf(ledger, id);
}

export function isKnownAuthorisation(ledger: Ledger, id: string): boolean {
  return isSandboxAuthorisation(id) || flowOf(ledger, id) !== undefined;
}

/** The status of the authorisation that this TPP got for a resource (`AIS:<consent id>`), else undefined. */
export function flowStatus(ledger: Ledger, call: Call, scope: string): ScaStatus | undefined {
  const flow = flowOf(ledger, call.params.authorisationId ?? '');
  return flow !== undefined && flow.tpp === call.tpp && flow.scope === scope ? flow.status : undefined;
}

export function sandboxStatus({ params: { authorisationId = '' } }: Call): ScaStatus | undefined {
  return isSandboxAuthorisation(authorisationId) ? SANDBOX_AUTHORISATIONS[authorisationId] : undefined;
}

/** The ids of a list: those of the specification, and those of the resource as this TPP created it. */
export function listedAuthorisations(created: { readonly authorisations: readonly string[] } | undefined) {
  const own = created?.authorisations.filter((id) => !isSandboxAuthorisation(id)) ?? [];
  return [...LISTED_AUTHORISATIONS, ...own];
}

function isSandboxAuthorisation(id: string): id is SandboxAuthorisationId {
  return Object.hasOwn(SANDBOX_AUTHORISATIONS, id);
}
