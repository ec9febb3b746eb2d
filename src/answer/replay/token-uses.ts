/** The consent or payment of each token answer: from its scope, or from the calls in which its tokens are used. */
import { type Call, type Exchange, formValue, textMember } from '../../exchange/index.js';
import { consentScope, paymentScope } from '../../spec/index.js';

const SCOPE = /^(?:AIS|PIS|PIIS):./;
const BEARER = /^Bearer +([^ ]+)$/i;

/**
 * `AIS:<consent id>` by the position of the token answer; without those that nothing tells of. An answer without scope
 * is for the consent or payment of the first call with its token, also where that was refreshed before.
 */
export function readTokenUses(exchanges: readonly Exchange[]): ReadonlyMap<number, string> {
  /** The answer at the root of a line of refreshes, by each token of the line. */
  const rootOf = new Map<string, number>();
  const roots = new Map<number, number>();
  const scopes = new Map<number, string>();
  for (const [index, exchange] of exchanges.entries()) {
    const root = exchange.call.operation === 'oauth.token' ? addAnswer(exchange, index, rootOf) : null;
    if (root !== null) roots.set(index, root);
    const said = root === null ? undefined : textMember(exchange.answer?.content, 'scope');
    const scope = said !== undefined && SCOPE.test(said) ? said : null;
    if (root !== null && scope !== null) scopes.set(root, scope);
    learnUse(exchange.call, rootOf, scopes);
  }
  const told = [...roots].flatMap(([index, root]) => {
    const scope = scopes.get(root);
    return scope === undefined ? [] : [[index, scope] as const];
  });
  return new Map(told);
}

/** Gives the root; null where no token was given. */
function addAnswer(exchange: Exchange, index: number, rootOf: Map<string, number>): number | null {
  const tokens = ['access_token', 'refresh_token'].flatMap(
    (name) => textMember(exchange.answer?.content, name) ?? [],
  );
  if (tokens.length === 0) return null;
  const refreshed = formValue(exchange.call.content, 'refresh_token');
  const root = (refreshed === undefined ? undefined : rootOf.get(refreshed)) ?? index;
  for (const token of tokens) rootOf.set(token, root);
  return root;
}

function learnUse(
  { header, params }: Call,
  rootOf: ReadonlyMap<string, number>,
  scopes: Map<number, string>,
): void {
  const token = BEARER.exec(header.authorization ?? '')?.[1];
  const root = token === undefined ? undefined : rootOf.get(token);
  if (root === undefined || scopes.has(root)) return;
  const consent = header['consent-id'] ?? params.consentId;
  if (params.paymentId !== undefined) scopes.set(root, paymentScope(params.paymentId));
  else if (consent !== undefined) scopes.set(root, consentScope(consent));
}
