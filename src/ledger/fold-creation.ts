/** Folds in creations: consents, payments, and their authorisations (§Rules tied to creation). */
import { type Answer, type Call, memberOf } from '../exchange/index.js';
import {
  bankDayAt,
  CONSENT_STATUSES,
  type ConsentStatus,
  consentScope,
  DISCOVERY_PATH,
  type Dialect,
  dateOf,
  isDate,
  isFixedIdentifier,
  PAYMENT_STATUSES,
  type PaymentStatus,
  paymentScope,
  SCA_STATUSES,
  type ScaStatus,
  scaLinkForm,
  scopeInPath,
} from '../spec/index.js';
import {
  boundTo,
  type ChangeSet,
  factOf,
  put,
  shortLink,
  shortMember,
  shortText,
  wholeMember,
} from './change-set.js';
import type { AuthorisationFact, PaymentFact } from './facts.js';
import { putAuthorisation } from './keep-authorisation.js';
import { keyOf } from './keys.js';

/** Only the newest authorisations of a resource are kept. */
const MOST_AUTHORISATIONS = 20;

export function foldConsent(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const id = shortMember(answer.content, 'consentId');
  if (id === undefined) return;
  const created = creationOf(call, answer);
  const status = shortMember(answer.content, 'consentStatus') ?? '';
  const body = call.content.kind === 'json' ? call.content.value : undefined;
  const recurring = memberOf(body, 'recurringIndicator');
  put(changeSet, 'consents', keyOf.resource(tpp, id), {
    id,
    tpp,
    ...created,
    status: Object.hasOwn(CONSENT_STATUSES, status) ? (status as ConsentStatus) : 'received',
    validUntil:
      shortMember(answer.content, 'validUntil') ??
      validUntilOf(shortText(memberOf(body, 'validUntil')), id, call, answer, changeSet.dialect),
    recurring: typeof recurring === 'boolean' ? recurring : null,
    frequencyPerDay: wholeMember(call.content, 'frequencyPerDay') ?? null,
    accounts: null,
    ...boundTo(changeSet, call),
  });
  foldImplicit(changeSet, answer, tpp, consentScope(id), created);
}

/**
 * Our own bank shortens it, and tells so only where the consent is read (reading `consent-days-shortened`). A literal
 * consent of the sandbox has no end, and other banks may grant more.
 */
function validUntilOf(
  asked: string | undefined,
  id: string,
  { at }: Call,
  { source }: Answer,
  { consentDays }: Dialect,
): string | null {
  if (asked === undefined || source !== 'emulator' || isFixedIdentifier(id)) return asked ?? null;
  const longest = dateOf(bankDayAt(at) + consentDays);
  return isDate(asked) && asked > longest ? longest : asked;
}

export function foldPayment(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const id = shortMember(answer.content, 'paymentId');
  if (id === undefined) return;
  const created = creationOf(call, answer);
  const status = shortMember(answer.content, 'transactionStatus') ?? '';
  put(changeSet, 'payments', keyOf.resource(tpp, id), {
    id,
    tpp,
    ...created,
    status: Object.hasOwn(PAYMENT_STATUSES, status) ? (status as PaymentStatus) : 'RCVD',
    product: call.params.paymentProduct ?? '',
  });
  foldImplicit(changeSet, answer, tpp, paymentScope(id), created);
}

type Creation = ReturnType<typeof creationOf>;

function creationOf(call: Call, answer: Answer) {
  const scaOAuth = shortLink(answer.content, 'scaOAuth');
  const scaStatus = shortLink(answer.content, 'scaStatus');
  const given = scaOAuth !== undefined || scaStatus !== undefined;
  const implicit = given && call.header['tpp-explicit-authorisation-preferred'] !== 'true';
  const authorisation = given ? authorisationIdOf(scaStatus, scaOAuth) : undefined;
  return {
    createdAt: call.at,
    implicit,
    ...addressesOf(call),
    link: scaOAuth === undefined ? null : scaLinkForm(scaOAuth),
    authorisations: authorisation === undefined ? [] : [authorisation],
    statusAt: call.at,
  };
}

type Addresses = Pick<PaymentFact, 'redirectUri' | 'nokRedirectUri'>;

function addressesOf({ header }: Call): Addresses {
  return {
    redirectUri: shortText(header['tpp-redirect-uri']) ?? null,
    nokRedirectUri: shortText(header['tpp-nok-redirect-uri']) ?? null,
  };
}

function addressesOfStart(call: Call, creation: Addresses | undefined): Addresses {
  const own = addressesOf(call);
  const { redirectUri, nokRedirectUri } = own.redirectUri === null ? (creation ?? own) : own;
  return { redirectUri, nokRedirectUri };
}

function foldImplicit(
  changeSet: ChangeSet,
  answer: Answer,
  tpp: string,
  scope: string,
  created: Creation,
): void {
  const { createdAt, redirectUri, nokRedirectUri, link, authorisations } = created;
  const [id] = authorisations;
  if (id === undefined) return;
  const status = scaStatusIn(answer);
  const addresses = { redirectUri, nokRedirectUri };
  putAuthorisation(
    changeSet,
    { id, tpp, scope, status, link, ...addresses, discoveryReadAt: null, ...scaOf(answer, createdAt) },
    createdAt,
  );
}

/** The authorisation that an answer names, and where its link leads; undefined where it names none. */
function startedIn(answer: Answer) {
  const scaOAuth = shortLink(answer.content, 'scaOAuth');
  const id =
    shortMember(answer.content, 'authorisationId') ??
    authorisationIdOf(shortLink(answer.content, 'scaStatus'), scaOAuth);
  const link = scaOAuth === undefined ? null : scaLinkForm(scaOAuth);
  return id === undefined ? undefined : { id, link, status: scaStatusIn(answer), discoveryReadAt: null };
}

export function foldAuthorisation(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const started = startedIn(answer);
  if (started === undefined) return;
  const { id, link } = started;
  const { consentId, paymentId } = call.params;
  const family = consentId === undefined ? 'payments' : 'consents';
  const resourceId = consentId ?? paymentId ?? '';
  const scope = scopeInPath(call.params) ?? '';
  const key = keyOf.resource(tpp, resourceId);
  const fact = factOf(changeSet, family, key);
  const flow = { ...started, tpp, scope, ...addressesOfStart(call, fact) };
  putAuthorisation(changeSet, { ...flow, ...scaOf(answer, call.at) }, call.at);
  if (fact === undefined) return;
  const authorisations = [...fact.authorisations.filter((known) => known !== id), id];
  const changed = {
    ...fact,
    link: link ?? fact.link,
    authorisations: authorisations.slice(-MOST_AUTHORISATIONS),
  };
  put(changeSet, family, key, changed);
}

/** The authorisation of a cancellation: made with the answer 202 to a DELETE of a payment, or by its TPP. */
export function foldCancellationStart(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  const started = startedIn(answer);
  if (started === undefined) return;
  const paymentId = call.params.paymentId ?? '';
  const addresses = addressesOfStart(call, factOf(changeSet, 'payments', keyOf.resource(tpp, paymentId)));
  const flow = { ...started, tpp, scope: paymentScope(paymentId), ...addresses, cancels: true } as const;
  putAuthorisation(changeSet, { ...flow, ...scaOf(answer, call.at) }, call.at);
}

/** Only a bank that sends no browser to its pages has one. */
function scaOf({ header }: Answer, at: number): Pick<AuthorisationFact, 'sca'> {
  const approach = header['aspsp-sca-approach'];
  return approach === 'DECOUPLED' || approach === 'EMBEDDED' ? { sca: { approach, at } } : {};
}

function scaStatusIn(answer: Answer): ScaStatus {
  const status = shortMember(answer.content, 'scaStatus') ?? '';
  return Object.hasOwn(SCA_STATUSES, status) ? (status as ScaStatus) : 'received';
}

/** The authorisation id that links name: as last part of the path, or in the query of a discovery link. */
function authorisationIdOf(scaStatus: string | undefined, scaOAuth: string | undefined): string | undefined {
  const href = scaStatus ?? scaOAuth;
  if (href === undefined) return undefined;
  const [path = '', query = ''] = href.split('#', 1)[0]?.split('?', 2) ?? [];
  if (path.endsWith(DISCOVERY_PATH)) return new URLSearchParams(query).get('authorizationId') ?? undefined;
  return path.slice(path.lastIndexOf('/') + 1) || undefined;
}
