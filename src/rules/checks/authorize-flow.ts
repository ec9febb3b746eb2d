/** Finds the TPP and the creation that an authorization request belongs to: the PSU's browser shows no certificate. */
import type { Call } from '../../exchange/index.js';
import {
  type AuthorisationFact,
  authorisationOf,
  type ConsentFact,
  consentOf,
  hidesCaller,
  type Ledger,
  mayBeUnseen,
  type PaymentFact,
  paymentOf,
  UNOBSERVED_TPP,
} from '../../ledger/index.js';
import {
  parseScope,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_PAYMENTS,
  type Scope,
  sandboxConsent,
} from '../../spec/index.js';
import type { CallContext } from '../rule.js';
import { onceOf } from './parameters.js';

type Creation = ConsentFact | PaymentFact;

/** `PSDcc-NCA-number`, and the other schemes (VAT, NTR) that stand in certificates. */
const ORGANISATION = /^[A-Z]{5}-.+$/;
const PSD_ORGANISATION = /^PSD[A-Z]{2}-[A-Z]{2,8}-.+$/;

export function isOrganisation(text: string, profile: CallContext['options']['profile']): boolean {
  return (profile === 'production' ? PSD_ORGANISATION : ORGANISATION).test(text);
}

export function authorisationIdOf(call: Call): string {
  return call.params.authorisationId ?? '';
}

/** The authorisation of the path: that of the client, where it got one under this id; else that under the id alone. */
export function authorisationIn({
  call,
  ledger,
}: Pick<CallContext, 'call' | 'ledger'>): AuthorisationFact | undefined {
  return authorisationOf(ledger, authorisationIdOf(call), onceOf(call.request.query, 'client_id'));
}

/** The sandbox's eight ids stand for an authorisation of every TPP: the ledger knows one of them alone under it. */
export function isSharedAuthorisation(id: string): boolean {
  return Object.hasOwn(SANDBOX_AUTHORISATIONS, id);
}

/** undefined: it names no consent or payment. */
export function scopeOf({ call, options }: Pick<CallContext, 'call' | 'options'>): Scope | undefined {
  const text = onceOf(call.request.query, 'scope');
  return text === undefined ? undefined : options.dialect.parseScope(text);
}

/** The consent or payment that a scope names, as that TPP created it. */
export function resourceOf(ledger: Ledger, tpp: string | undefined, scope: Scope): Creation | undefined {
  if (tpp === undefined) return undefined;
  return scope.service === 'PIS' ? paymentOf(ledger, tpp, scope.id) : consentOf(ledger, tpp, scope.id);
}

function isLiteralScope(scope: Scope): boolean {
  return scope.service === 'PIS' ? SANDBOX_PAYMENTS.has(scope.id) : sandboxConsent(scope.id) !== undefined;
}

/** Whether the authorisation of the path is for a literal resource of the sandbox, or for nothing that was seen. */
export function isOfSandbox(context: Pick<CallContext, 'call' | 'ledger'>): boolean {
  const scope = parseScope(authorisationIn(context)?.scope ?? '');
  return scope === undefined || isLiteralScope(scope);
}

/** The resource that the scope names, created by the client or the owner of the authorisation. */
export function namedBy(
  scope: Scope,
  { call, ledger }: Pick<CallContext, 'call' | 'ledger'>,
): Creation | undefined {
  const byClient = resourceOf(ledger, onceOf(call.request.query, 'client_id'), scope);
  if (byClient?.authorisations.includes(authorisationIdOf(call))) return byClient;
  const byOwner = resourceOf(ledger, authorisationIn({ call, ledger })?.tpp, scope);
  // A file without certificates says of no creation whose it is.
  return byOwner ?? byClient ?? resourceOf(ledger, UNOBSERVED_TPP, scope);
}

/**
 * The creation that the request follows: what its scope names, where that has the authorisation of the path; else
 * what the authorisation was created for; else what the scope names.
 */
export function creationOf(context: Pick<CallContext, 'call' | 'ledger' | 'options'>): Creation | undefined {
  const scope = scopeOf(context);
  const named = scope && namedBy(scope, context);
  const id = authorisationIdOf(context.call);
  if (named?.authorisations.includes(id)) return named;
  const authorisation = authorisationIn(context);
  const own = authorisation && parseScope(authorisation.scope);
  return (own && resourceOf(context.ledger, authorisation.tpp, own)) ?? named;
}

/**
 * The TPP-Redirect-URI that the request is held against; null where none was given, undefined where no creation was
 * seen. Of several creations under one id each flow keeps its own, but where several flows share its id too.
 */
export function returnAddressOf(
  context: Pick<CallContext, 'call' | 'ledger' | 'options'>,
): string | null | undefined {
  const isShared = isSharedAuthorisation(authorisationIdOf(context.call));
  const own = isShared ? undefined : authorisationIn(context)?.redirectUri;
  return own === undefined ? creationOf(context)?.redirectUri : own;
}

/** Whether the authorisation is for what the scope names; consents for accounts and for funds are of one kind. */
export function isFor(authorisation: AuthorisationFact, scope: Scope): boolean {
  const own = parseScope(authorisation.scope);
  return own?.id === scope.id && (own.service === 'PIS') === (scope.service === 'PIS');
}

/** `unknown` where it cannot be told who calls. A scope that names nothing is judged by one rule only. */
export function standingOf(scope: Scope, context: CallContext): 'named' | 'unnamed' | 'unknown' {
  if (context.options.profile === 'sandbox' && isLiteralScope(scope)) return 'named';
  if (namedBy(scope, context) !== undefined) return 'named';
  const authorisation = authorisationIn(context);
  const isElsewhere =
    authorisation !== undefined && !isSharedAuthorisation(authorisation.id) && !isFor(authorisation, scope);
  // Whatever was never seen, the authorisation that was seen is not for it.
  if (isElsewhere) return 'unnamed';
  if (mayBeUnseen(context.ledger, scope.service === 'PIS' ? 'payments' : 'consents', scope.id))
    return 'unknown';
  if (authorisation !== undefined) return 'unnamed';
  // A file without certificates is of a browser or a proxy, and may begin after the creation.
  if (hidesCaller(context.call)) return 'unknown';
  const client = onceOf(context.call.request.query, 'client_id');
  return client !== undefined && isOrganisation(client, context.options.profile) ? 'unnamed' : 'unknown';
}
