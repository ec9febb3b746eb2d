/** The keys of ledger facts, and the look-ups that rules and sources share. */
import { hash } from 'node:crypto';
import {
  type Call,
  type Exchange,
  type Fingerprint,
  formValue,
  mayHide,
  namedResource,
  ownCopy,
  queryValue,
  resourceOfScope,
} from '../exchange/index.js';
import {
  type Dialect,
  dialectOf,
  isSandboxResource,
  isUuid,
  operationRow,
  parseScope,
  SANDBOX,
  sandboxCodeScope,
  scopeText,
} from '../spec/index.js';
import type {
  AuthorisationFact,
  AuthorizeFact,
  CodeFact,
  ConsentFact,
  Ledger,
  LedgerFamilies,
  LedgerFamily,
  LinkFact,
  PaymentFact,
} from './facts.js';
import type { Index, Use } from './family.js';

/** The owner of what a call without certificate data does: a HAR file does not say who called. */
export const UNOBSERVED_TPP = 'unobserved';

const LONGEST_PART = 200;
/** Ids and values come from outside: a long one stands in a key as its digest, so that keys stay small. */
export const short = (part: string): string => (part.length <= LONGEST_PART ? part : digestOf(part));
const digestOf = (part: string): string => hash('sha256', part, 'base64url');
/** The same of what somebody may have put a secret into: a key is not redacted. */
const hidden = (part: string): string => (mayHide(part) ? digestOf(part) : short(part));

/**
 * Equal for the same request sent again: to the same address, with the same body, under the same consent and token. Null
 * where the body was not recorded whole.
 */
export function digestOfCall({ header, request }: Call, fingerprint: Fingerprint): string | null {
  const { digest, bearer } = request;
  const consent = header['consent-id'];
  if (digest === null || (bearer === null && consent === undefined)) return digest;
  return `${digest} ${hidden(consent ?? '')} ${bearer === null ? '' : fingerprint(bearer)}`;
}

export type AuthorizeRequest = Omit<AuthorizeFact, 'at' | 'tpp' | 'awaited'>;
const REQUEST_PARTS = [
  'authorisationId',
  'clientId',
  'scope',
  'state',
  'redirectUri',
  'challenge',
  'method',
] as const satisfies readonly (keyof AuthorizeRequest)[];

export const keyOf = {
  /** Two TPPs may hold the same literal sandbox id. */
  resource: (tpp: string, id: string): string => `${tpp} ${short(id)}`,
  authorisation: (id: string): string => short(id),
  authorisationOfTpp: (id: string, tpp: string): string => `${short(id)} ${tpp}`,
  /** Each TPP exchanges the sandbox's literal codes for itself. */
  codeOfTpp: (code: string, tpp: string): string =>
    sandboxCodeScope(code) === undefined ? code : `${code} ${tpp}`,
  /** Requests that differ in anything are several; the steps of the bank's page repeat one, and share its key. */
  authorize: (request: AuthorizeRequest): string =>
    hash('sha256', JSON.stringify(REQUEST_PARTS.map((part) => request[part])), 'base64url'),
  access: (tpp: string, consentId: string, operation: string, accountId: string): string =>
    `${tpp} ${short(consentId)} ${operation} ${short(accountId)}`,
  usedOnce: (kind: string, value: string): string => `${kind} ${hidden(value)}`,
  /** A UUID is the same in capitals (RFC 9562 4). */
  requestId: (tpp: string, requestId: string): string => {
    const lower = requestId.toLowerCase();
    return `${tpp} ${lower !== requestId && isUuid(requestId) ? lower : short(requestId)}`;
  },
  use: (kind: 'id' | 'access' | 'page' | 'poll' | 'code' | 'refresh', key: string): string =>
    `${kind} ${key}`,
  link: (tpp: string, { path, query }: Pick<LinkFact, 'path' | 'query'>): string =>
    (query.length === 0 ? hidden : digestOf)(JSON.stringify([tpp, path, query])),
};

/** A code as the ledger holds it: its fingerprint, but the sandbox's literal codes, which are no secret, as they are. */
export function codeKey(code: string, fingerprint: Fingerprint): string {
  return sandboxCodeScope(code) === undefined ? fingerprint(code) : code;
}

/** A code by its `codeKey`, as it was given last, or exchanged by this TPP. */
export function codeOf(
  { codes }: Pick<Ledger, 'codes'>,
  code: string,
  tpp: string | null,
): CodeFact | undefined {
  const given = codes.get(code);
  if (tpp === null || sandboxCodeScope(code) === undefined) return given;
  const own = codes.get(keyOf.codeOfTpp(code, tpp));
  return own === undefined || (given?.issuedAt ?? 0) > (own.usedAt ?? 0) ? given : own;
}

/**
 * Whether a call is out of a file that holds no certificates, so that any TPP may be behind it. A listener of ours that
 * asks for none saw the PSU's browser, and behind that is no TPP.
 */
export function hidesCaller({ certificate, listener, connection }: Call): boolean {
  return certificate === 'not-observed' && (listener !== 'psu' || connection.tls === 'not-observed');
}

/** The TPP whose facts a call adds to; null for the PSU's browser, or a call without certificate. */
export function ownerOf(call: Call): string | null {
  return call.tpp ?? (hidesCaller(call) ? UNOBSERVED_TPP : null);
}

export function consentOf(ledger: Ledger, tpp: string | null, id: string): ConsentFact | undefined {
  return tpp === null ? undefined : ledger.consents.get(keyOf.resource(tpp, id));
}

export function paymentOf(ledger: Ledger, tpp: string | null, id: string): PaymentFact | undefined {
  return tpp === null ? undefined : ledger.payments.get(keyOf.resource(tpp, id));
}

/** The authorisation that `tpp` got; else the one under the id alone. */
export function authorisationOf(ledger: Ledger, id: string, tpp?: string): AuthorisationFact | undefined {
  const own = tpp === undefined ? undefined : ledger.authorisations.get(keyOf.authorisationOfTpp(id, tpp));
  return own ?? ledger.authorisations.get(keyOf.authorisation(id));
}

/** The calls under way that use up what the key stands for (see `keyOf.use`), in the order of their arrival. */
export function usesOf({ underWay }: Ledger, key: string): readonly Use[] {
  return underWay.of(key);
}

export const nameOf = {
  /** The key of a TPP's own facts, and of authorization requests with its name. */
  tpp: (tpp: string): string => `of ${tpp}`,
  /** Authorization requests of nobody known, by their client_id. */
  client: (clientId: string): string => `by ${clientId}`,
  /** Links by the last segment of their path. */
  end: (path: string): string => `to ${path.slice(path.lastIndexOf('/') + 1)}`,
} as const;

/** Whether an authorization request bears the name of a TPP that is not known to have begun it. */
export const bearsOtherName = ({ tpp, clientId }: LedgerFamilies['authorizes']): boolean =>
  tpp !== null && clientId !== tpp && clientId !== SANDBOX.clientId;

const byId = ({ id, tpp }: { readonly id: string; readonly tpp: string }): readonly string[] =>
  tpp === UNOBSERVED_TPP || isSandboxResource(id) ? [] : [id];

export const INDEXES: { readonly [F in LedgerFamily]?: Index<LedgerFamilies[F]> } = {
  consents: { namesOf: byId },
  payments: { namesOf: byId },
  authorizes: {
    namesOf: (fact) => {
      const { tpp, clientId } = fact;
      if (tpp === null) return [nameOf.client(clientId)];
      return bearsOtherName(fact) ? [nameOf.tpp(tpp), nameOf.tpp(clientId)] : [nameOf.tpp(tpp)];
    },
  },
  links: { namesOf: ({ tpp, path }) => [nameOf.tpp(tpp), nameOf.end(path)] },
};

/** The authorisation that an authorization request is for: of the path; else the newest open one of what the scope names. */
export function authorisationIdIn(call: Call, ledger: Ledger, { parseScope }: Dialect): string {
  const { authorisationId } = call.params;
  if (authorisationId !== undefined) return ownCopy(authorisationId);
  const client = queryValue(call, 'client_id') ?? null;
  const scope = parseScope(queryValue(call, 'scope') ?? '');
  if (scope === undefined) return '';
  const of = scope.service === 'PIS' ? paymentOf : consentOf;
  return of(ledger, client, scope.id)?.authorisations.at(-1) ?? '';
}

/** The exchange with its `scope`, where it has one and the ledger knows it; as it was before the exchange, or after. */
export function withScope(
  exchange: Exchange,
  ledger: Ledger,
  fingerprint: Fingerprint,
  dialect: Dialect = dialectOf(),
): Exchange {
  const { call, answer } = exchange;
  if (call.operation === null) return exchange;
  const { group } = operationRow(call.operation);
  const isRead = group === 'accounts' || call.operation === 'payments.read';
  if (!isRead && group !== 'oauth') return exchange;
  const named = namedResource(exchange);
  const hasFailed = answer === null || answer.status >= 400;
  if (named !== null && !(isRead && hasFailed)) return exchange;
  const scope = (isRead ? tokenScope : scopeBehind)(call, ledger, fingerprint, dialect) ?? '';
  const parsed = parseScope(scope) ?? dialect.parseScope(scope);
  const text = parsed === undefined ? '' : scopeText(parsed);
  const resource = resourceOfScope(text);
  const isNamed = resource === null || (resource.kind === named?.kind && resource.id === named.id);
  return isNamed ? exchange : { ...exchange, scope: text };
}

function tokenScope(call: Call, ledger: Ledger, fingerprint: Fingerprint): string | undefined {
  const { bearer } = call.request;
  const fact = bearer === null ? undefined : ledger.tokens.get(fingerprint(bearer));
  return fact?.tpp === ownerOf(call) ? fact.scope : undefined;
}

/** The scope of an OAuth call that names it by a code, a refresh token or an authorisation alone. */
function scopeBehind(
  call: Call,
  ledger: Ledger,
  fingerprint: Fingerprint,
  dialect: Dialect,
): string | null | undefined {
  if (call.operation === 'oauth.authorize' || call.operation === 'sca.redirect')
    return (
      authorisationOf(ledger, authorisationIdIn(call, ledger, dialect))?.scope ?? queryValue(call, 'scope')
    );
  if (call.operation === 'oauth.discovery')
    return authorisationOf(ledger, queryValue(call, 'authorizationId') ?? '')?.scope;
  const code = formValue(call.content, 'code');
  if (code !== undefined)
    return codeOf(ledger, codeKey(code, fingerprint), ownerOf(call))?.scope ?? sandboxCodeScope(code);
  const refresh = formValue(call.content, 'refresh_token');
  return refresh === undefined ? undefined : ledger.refreshTokens.get(fingerprint(refresh))?.scope;
}
