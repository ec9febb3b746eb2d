/** Folds in the PSU's authorisation: discovery reads, authorization requests, and the outcome at the redirect. */
import { type Answer, type Call, type Fingerprint, ownCopy, parametersOf } from '../exchange/index.js';
import {
  CONSENT_STATUSES,
  isScaScenario,
  PAYMENT_STATUSES,
  type PaymentStatus,
  parseScope,
  SANDBOX,
  SCA_SCENARIOS,
  type ScaStatus,
  type Scope,
} from '../spec/index.js';
import { type ChangeSet, factOf, put, shortParameter } from './change-set.js';
import type { AuthorizeFact } from './facts.js';
import { foldSca } from './fold-access.js';
import { setScaStatus, setStatus } from './fold-status.js';
import { noteDiscoveryRead, takeOpenRead } from './keep-authorisation.js';
import { type AuthorizeRequest, authorisationIdIn, codeKey, keyOf, ownerOf } from './keys.js';

/** Errors at the redirect that tell of an SCA that failed; the others tell of a request that was wrong. */
const FAILED_SCA: ReadonlySet<string> = new Set(['access_denied', 'server_error']);

export function foldDiscovery(changeSet: ChangeSet, call: Call, _answer: Answer, tpp: string): void {
  noteDiscoveryRead(changeSet, shortParameter(call, 'authorizationId') ?? '', tpp, call.at);
}

/** The bank's own page of an SCA by redirect: the address that ends it names the outcome. */
export function foldRedirect(
  changeSet: ChangeSet,
  call: Call,
  { status, header }: Answer,
  fingerprint: Fingerprint,
): void {
  const scenario = shortParameter(call, 'scenario') ?? '';
  const id = call.params.authorisationId ?? '';
  const fact = factOf(changeSet, 'authorisations', keyOf.authorisation(id));
  if (fact === undefined || status !== 302 || !isScaScenario(scenario)) return;
  const { error, scaStatus } = SCA_SCENARIOS[scenario];
  const code = parametersOf(header.location ?? '')
    .getAll('confirmationCode')
    .at(-1);
  if (changeSet.dialect.confirms && scenario === 'SCA_OK' && code !== undefined) {
    const sca = { approach: 'REDIRECT', at: call.at, confirmation: fingerprint(code) } as const;
    put(changeSet, 'authorisations', keyOf.authorisation(id), { ...fact, status: 'unconfirmed', sca });
    return;
  }
  setScaStatus(changeSet, id, fact.tpp, scaStatus, true);
  const of = parseScope(fact.scope);
  if (error === null) authoriseResource(changeSet, fact.tpp, of, call.at);
  else rejectResource(changeSet, fact.tpp, of, call.at);
}

interface Outcome {
  readonly code: string | null;
  readonly error: string | null;
}

export function foldAuthorize(
  changeSet: ChangeSet,
  call: Call,
  answer: Answer,
  fingerprint: Fingerprint,
): void {
  const outcome = outcomeOf(call, answer);
  const { dialect } = changeSet;
  const authorisationId = authorisationIdIn(call, changeSet.ledger, dialect);
  const authorisation = factOf(changeSet, 'authorisations', keyOf.authorisation(authorisationId));
  const own = parseScope(authorisation?.scope ?? '');
  const scope = shortParameter(call, 'scope') ?? (own === undefined ? '' : dialect.writeScope(own));
  // A bank that is asked in the form of the specification, and says yes, has understood it.
  const read = dialect.parseScope(scope) ?? parseScope(scope);
  const resource = read ?? (dialect.isScope(scope) ? own : undefined);
  const request = authorizeRequestOf(call, scope);
  const isRefused = outcome?.error != null && !FAILED_SCA.has(outcome.error);
  // A request that was refused binds nothing.
  if (isRefused && factOf(changeSet, 'authorizes', keyOf.authorize(request))?.awaited === undefined) return;
  const tpp = ownerOfFlow(changeSet, call, authorisationId, resource);
  const isAwaited = outcome === null && answer.source === 'upstream';
  foldRequest(changeSet, call, tpp, request, isAwaited ? { awaited: call.id } : {});
  if (outcome === null || isRefused) return;
  if (outcome.code !== null) {
    const code = codeKey(outcome.code, fingerprint);
    put(changeSet, 'codes', code, { code, tpp, scope: scope || null, issuedAt: call.at, usedAt: null });
    setScaStatus(changeSet, authorisationId, tpp, successOf(call), true);
    authoriseResource(changeSet, tpp, resource, call.at);
  } else if (authorisation !== undefined) {
    setScaStatus(changeSet, authorisationId, tpp, 'failed', true);
    if (tpp !== null) rejectResource(changeSet, tpp, resource, call.at);
  }
}

function foldRequest(
  changeSet: ChangeSet,
  call: Call,
  tpp: string | null,
  request: AuthorizeRequest,
  awaited: Pick<AuthorizeFact, 'awaited'>,
): void {
  const { state, challenge, authorisationId } = request;
  const key = keyOf.authorize(request);
  const known = factOf(changeSet, 'authorizes', key);
  if (known === undefined && tpp !== null) takeOpenRead(changeSet, authorisationId, tpp);
  if (known === undefined || known.awaited !== awaited.awaited) {
    const first = known ?? { at: call.at, tpp };
    put(changeSet, 'authorizes', key, { at: first.at, tpp: first.tpp, ...request, ...awaited });
  }
  if (state !== '') foldUse(changeSet, 'state', state, tpp, authorisationId, call.at);
  if (challenge !== '') foldUse(changeSet, 'challenge', challenge, tpp, authorisationId, call.at);
}

/** `scope`: that of the query, or of the authorisation where the query has none. */
export function authorizeRequestOf(call: Call, scope: string): AuthorizeRequest {
  return {
    authorisationId: ownCopy(call.params.authorisationId ?? ''),
    clientId: shortParameter(call, 'client_id') ?? '',
    scope,
    state: shortParameter(call, 'state') ?? '',
    redirectUri: shortParameter(call, 'redirect_uri') ?? '',
    challenge: shortParameter(call, 'code_challenge') ?? '',
    // RFC 7636 4.3
    method: shortParameter(call, 'code_challenge_method') ?? 'plain',
  };
}

function foldUse(
  changeSet: ChangeSet,
  kind: 'state' | 'challenge',
  value: string,
  tpp: string | null,
  purpose: string,
  at: number,
): void {
  const key = keyOf.usedOnce(kind, value);
  put(changeSet, 'usedOnce', key, { kind, value: value.slice(0, 200), tpp, purpose, at });
}

/** Code or error of a redirect to the TPP; null where the answer is none: a page, or a redirect on to the bank. */
function outcomeOf(call: Call, answer: Answer): Outcome | null {
  const location = answer.header.location;
  const redirectUri = shortParameter(call, 'redirect_uri');
  if (answer.status < 300 || answer.status >= 400 || location === undefined || redirectUri === undefined)
    return null;
  const parameters = parametersOf(location);
  const [code, error] = [parameters.get('code'), parameters.get('error')];
  // The error may go to TPP-Nok-Redirect-URI; a code only to where it was asked for.
  const toTpp = location.startsWith(redirectUri.split(/[?#]/, 1)[0] as string);
  if (error !== null) return { code: null, error };
  return code !== null && code !== '' && toTpp ? { code, error: null } : null;
}

/**
 * Whose flow it is: the browser shows no certificate. The sandbox's authorisation ids are shared by all TPPs, so a
 * client_id that names one that got it comes before the authorisation, which knows one of them only.
 */
function ownerOfFlow(
  changeSet: ChangeSet,
  call: Call,
  authorisationId: string,
  resource: Scope | undefined,
): string | null {
  const client = tppOfClient(shortParameter(call, 'client_id'));
  if (
    client !== null &&
    factOf(changeSet, 'authorisations', keyOf.authorisationOfTpp(authorisationId, client))
  )
    return client;
  if (client !== null && resource !== undefined) {
    const key = keyOf.resource(client, resource.id);
    const fact = factOf(changeSet, resource.service === 'PIS' ? 'payments' : 'consents', key);
    if (fact?.authorisations.includes(authorisationId)) return client;
  }
  const authorisation = factOf(changeSet, 'authorisations', keyOf.authorisation(authorisationId));
  // An id shared by several TPPs names nobody's flow.
  if (authorisation?.shared === true) return null;
  return authorisation?.tpp ?? ownerOf(call) ?? client;
}

/** In production client_id is the TPP's organizationIdentifier (§Authentication 3). */
function tppOfClient(clientId: string | undefined): string | null {
  return clientId === undefined || clientId === SANDBOX.clientId ? null : clientId;
}

function successOf(call: Call): ScaStatus {
  const scenario = shortParameter(call, 'scenario') ?? shortParameter(call, 'choice') ?? '';
  return isScaScenario(scenario) && SCA_SCENARIOS[scenario].error === null
    ? SCA_SCENARIOS[scenario].scaStatus
    : 'finalised';
}

/** SCA done: the consent is valid, the payment accepted at least technically (reading consent-transitions). */
export function authoriseResource(
  changeSet: ChangeSet,
  tpp: string | null,
  resource: Scope | undefined,
  at: number,
): void {
  if (resource === undefined || tpp === null) return;
  const { service, id } = resource;
  const of = { tpp, id };
  const key = keyOf.resource(tpp, id);
  if (service === 'PIS') {
    const status = factOf(changeSet, 'payments', key)?.status;
    if (isBehind(status) || status === 'RJCT')
      setStatus(changeSet, 'payments', of, { status: 'ACTC', at, inferred: true });
    return;
  }
  foldSca(changeSet, tpp, id, at);
  const status = factOf(changeSet, 'consents', key)?.status;
  const behind = status !== undefined && CONSENT_STATUSES[status].rank < CONSENT_STATUSES.valid.rank;
  // A PSU that failed once may be let try again.
  if (behind || status === 'rejected')
    setStatus(changeSet, 'consents', of, { status: 'valid', at, inferred: true });
}

function rejectResource(changeSet: ChangeSet, tpp: string, resource: Scope | undefined, at: number): void {
  if (resource === undefined) return;
  const { service, id } = resource;
  const of = { tpp, id };
  const key = keyOf.resource(tpp, id);
  if (service === 'PIS') {
    if (isBehind(factOf(changeSet, 'payments', key)?.status))
      setStatus(changeSet, 'payments', of, { status: 'RJCT', at, inferred: true });
    return;
  }
  const status = factOf(changeSet, 'consents', key)?.status;
  if (status === 'received' || status === 'partiallyAuthorised')
    setStatus(changeSet, 'consents', of, { status: 'rejected', at, inferred: true });
}

const isBehind = (status: PaymentStatus | undefined): boolean =>
  status !== undefined && PAYMENT_STATUSES[status].rank < PAYMENT_STATUSES.ACTC.rank;
