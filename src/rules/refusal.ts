/** Combines all refused violations of a call into one refusal: messages, an OAuth error, a redirect or a page. */
import { budgetOf } from '../ledger/index.js';
import { statusOf, type TokenError, type WireErrorCode } from '../spec/index.js';
import { isOfSandbox, returnAddressOf } from './checks/authorize-flow.js';
import { onceOf } from './checks/parameters.js';
import {
  type CallContext,
  type Finding,
  type Refusal,
  type RefusalKind,
  type Rule,
  remedyOf,
} from './rule.js';
import { tellable } from './tellable.js';

export interface Refused {
  readonly rule: Rule;
  readonly finding: Finding;
  readonly kind: RefusalKind;
  readonly publicActual: string | undefined;
}

const LONGEST_MESSAGE = 500;
const PATH_CODES: ReadonlySet<WireErrorCode> = new Set(['SERVICE_INVALID', 'PRODUCT_UNKNOWN']);
const REST = 6;

/** The order of the catalogue: certificate, signature, request (its path before its form), token, consent, the rest. */
function rankOf({ rule, kind }: Refused): number {
  if (rule.id.startsWith('certificate/')) return 0;
  if (!('code' in kind)) return rule.id.startsWith('requests/') ? 3 : REST;
  const { code } = kind;
  if (rule.id.startsWith('signature/') && code !== 'FORMAT_ERROR') return 1;
  if (PATH_CODES.has(code) || (rule.id.startsWith('requests/') && code === 'RESOURCE_UNKNOWN')) return 2;
  if (rule.id.startsWith('requests/') || code === 'FORMAT_ERROR') return 3;
  if (code.startsWith('TOKEN_')) return 4;
  return code.startsWith('CONSENT_') ? 5 : REST;
}

export function buildRefusal(refused: readonly Refused[], context: CallContext): Refusal {
  const { call } = context;
  const ordered = tellable(refused).sort((a, b) => rankOf(a) - rankOf(b));
  if (call.operation === 'oauth.token') return tokenRefusal(ordered);
  if (call.operation === 'oauth.authorize') return authorizeRefusal(ordered, isProven(context));
  return messagesRefusal(ordered, context);
}

/** The problem, its place and the remedy, in at most 500 characters, as the interface allows. */
function textOf({ rule, finding, publicActual }: Refused): string {
  const found = publicActual === undefined ? '' : `, found ${publicActual}`;
  const fault = `${finding.place}: expected ${finding.expected}${found}`;
  return cut(`${fault}${fault.endsWith('.') ? '' : '.'} ${remedyOf(rule, finding.expected).fix}`);
}

const cut = (text: string): string =>
  text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE - 1)}…` : text;

function messagesRefusal(ordered: readonly Refused[], { call, ledger, window }: CallContext): Refusal {
  const messages = ordered.map((one) => ({
    code: 'code' in one.kind ? one.kind.code : ('FORMAT_ERROR' as const),
    text: textOf(one),
    path: one.finding.place,
  }));
  const status = statusOfKind(ordered[0]?.kind);
  const headers: (readonly [string, string])[] = [];
  if (status === 405 && call.allow !== undefined) headers.push(['Allow', call.allow.join(', ')]);
  if (status === 401 && messages.some(({ code }) => code.startsWith('TOKEN_')))
    headers.push(['WWW-Authenticate', 'Bearer error="invalid_token"']);
  if (status === 429) {
    const freesUpAt = budgetOf(ledger, call, window)?.freesUpAt ?? call.at;
    headers.push(['Retry-After', String(Math.max(1, Math.ceil((freesUpAt - call.at) / 1000)))]);
  }
  return { kind: 'messages', status, messages, headers };
}

const statusOfKind = (kind: Refused['kind'] | undefined): number =>
  kind !== undefined && 'code' in kind ? (kind.status ?? statusOf(kind.code)) : 400;

/** The token endpoint speaks OAuth, whatever is wrong (RFC 6749 5.2). */
function tokenRefusal(ordered: readonly Refused[]): Refusal {
  const [first] = ordered as readonly [Refused, ...Refused[]];
  return { kind: 'token', error: tokenErrorOf(first), description: descriptionOf(ordered) };
}

function tokenErrorOf({ rule, kind }: Refused): TokenError {
  if ('token' in kind) return kind.token;
  return rule.id.startsWith('certificate/') ? 'invalid_client' : 'invalid_request';
}

/** The sandbox takes any address for its literal resources, and where no creation named one (§Authentication 3). */
function isProven({ call, ledger, options }: CallContext): boolean {
  const address = returnAddressOf({ call, ledger, options });
  if (options.profile === 'sandbox' && (address == null || isOfSandbox({ call, ledger }))) return true;
  const redirectUri = onceOf(call.request.query, 'redirect_uri');
  return redirectUri !== undefined && address === redirectUri;
}

/** A page comes before a redirect: the browser is not sent to an address that is not proven (RFC 6749 4.1.2.1). */
function authorizeRefusal(ordered: readonly Refused[], isProven: boolean): Refusal {
  const page = ordered.find(({ kind }) => !isProven || !('redirect' in kind || 'token' in kind));
  if (page !== undefined) {
    const title = 'page' in page.kind ? page.kind.page : 'This request cannot be authorised';
    return { kind: 'page', status: statusOfKind(page.kind), title, text: textOf(page) };
  }
  const redirect = ordered.find(({ kind }) => 'redirect' in kind)?.kind;
  const error = redirect !== undefined && 'redirect' in redirect ? redirect.redirect : 'invalid_request';
  return { kind: 'redirect', error, description: descriptionOf(ordered) };
}

/** In the characters that RFC 6749 allows for error_description. */
function descriptionOf(ordered: readonly Refused[]): string {
  const text = ordered.map(textOf).join(' ');
  return cut(text)
    .replaceAll('“', "'")
    .replaceAll('”', "'")
    .replaceAll('"', "'")
    .replaceAll('…', '...')
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
    .slice(0, LONGEST_MESSAGE);
}
