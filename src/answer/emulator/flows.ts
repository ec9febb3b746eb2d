/**
 * The authorisations that the emulator creates: an id for each flow, so that two TPPs, or two flows of one TPP, never
 * share a page. The eight ids of the specification belong to nobody and keep their status (reading `creation-
 * authorisation-ids`).
 */
import type { Call } from '../../exchange/index.js';
import { type AuthorisationFact, authorisationOf, type Ledger } from '../../ledger/index.js';
import {
  SANDBOX_AUTHORISATIONS,
  type SandboxAuthorisationId,
  SCA_STATUSES,
  type ScaStatus,
} from '../../spec/index.js';
import type { Bank, Moment } from './bank.js';
import { MOST_ATTEMPTS } from './sca-steps.js';

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

/** The purpose of an authorisation: `AIS:<consent id>`, or a payment or its cancellation. */
export interface FlowAim {
  readonly scope: string;
  readonly cancels?: true;
}

/** The authorisation in the path, if this TPP got it for that. */
export function flowFor(
  ledger: Ledger,
  call: Call,
  { scope, cancels }: FlowAim,
): AuthorisationFact | undefined {
  const flow = flowOf(ledger, call.params.authorisationId ?? '');
  if (flow === undefined || flow.tpp !== call.tpp || flow.scope !== scope) return undefined;
  return flow.cancels === cancels ? flow : undefined;
}

export function flowStatus({ ledger, now }: Moment, call: Call, aim: FlowAim): ScaStatus | undefined {
  const flow = flowFor(ledger, call, aim);
  return flow && statusOfFlow(flow, now);
}

/** The sandbox's PSU confirms by itself (reading `sca-decoupled`). */
export const CONFIRMS_AFTER_MS = 20_000;

function statusOfFlow({ status, sca }: AuthorisationFact, now: number): ScaStatus {
  if (sca === undefined || SCA_STATUSES[status].final) return status;
  if ((sca.failures ?? 0) >= MOST_ATTEMPTS) return 'failed';
  const isConfirmed =
    sca.approach === 'DECOUPLED' && status === 'started' && now - sca.at >= CONFIRMS_AFTER_MS;
  return isConfirmed ? 'finalised' : status;
}

/** Whether the PSU has authorised a resource in one of these. */
export function isAuthorised(ledger: Ledger, authorisations: readonly string[], now: number): boolean {
  return authorisations.some((id) => {
    const flow = flowOf(ledger, id);
    const status = flow && statusOfFlow(flow, now);
    return status === 'finalised' || status === 'exempted';
  });
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
