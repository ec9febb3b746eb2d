/** The authorization requests of a recording: the steps of each PSU, and how each ended for the TPP. */
import {
  bankStatusOf,
  type Call,
  type Exchange,
  formValue,
  type Injection,
  queryValue,
} from '../../exchange/index.js';

/** One way of the PSU, from the authorization request to the redirect to the TPP, however many steps it took. */
export interface Flow {
  /** Positions of its exchanges in the recording; none where the browser's steps were not recorded. */
  readonly members: readonly number[];
  /** `AIS:<consent id>`, where it is known. */
  readonly scope: string | null;
  readonly asked: Asked;
  readonly outcome: Outcome;
  /** What a fault did to the end. */
  readonly injected?: Injection | undefined;
}

/** The outcome, who authorises and which accounts, as far as a request says so. */
export type Asked = Readonly<Partial<Record<'scenario' | 'psu' | 'accounts', string>>>;

export type Outcome =
  /** Back to the TPP with these parameters; `base` where that was not the redirect_uri. */
  | {
      readonly kind: 'redirect';
      readonly parameters: readonly (readonly [string, string])[];
      readonly base: string | null;
    }
  /** The end is not recorded; the TPP exchanged this code afterwards. */
  | { readonly kind: 'code'; readonly code: string }
  /** The end is not recorded, and no code was exchanged. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'page'; readonly status: number };

const STEPS: ReadonlySet<string> = new Set(['choice', 'scenario', 'psu', 'accounts']);

/** Also one at a path of the bank's own, on the listener for browsers. */
export function isAuthorizationRequest({ operation, listener, request }: Call): boolean {
  if (operation === 'oauth.authorize') return true;
  if (operation !== null || listener !== 'psu' || request.method !== 'GET') return false;
  const names = new Set(request.query.map(([name]) => name));
  return names.has('redirect_uri') && (names.has('response_type') || names.has('state'));
}

/** The key that all steps of one authorization request share. */
export function flowKey({ request }: Call): string {
  const pairs = request.query.filter(([name]) => !STEPS.has(name)).map((pair) => pair.join('='));
  return `${request.path}\n${pairs.sort().join('\n')}`;
}

/** How far a request is on the emulator's pages: the SCA page, the information page, the redirect. */
export function stepOf(call: Call): 0 | 1 | 2 {
  if (queryValue(call, 'scenario') !== undefined) return 2;
  return queryValue(call, 'choice') === undefined ? 0 : 1;
}

export function askedBy(call: Call): Asked {
  const asked = {
    scenario: queryValue(call, 'scenario') ?? queryValue(call, 'choice'),
    psu: queryValue(call, 'psu'),
    accounts: queryValue(call, 'accounts'),
  };
  // An empty one leaves the choice to the bank.
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined && value !== ''));
}

/** A way as it is read; `outcome` null: not ended yet, or by a redirect to the bank's own pages. */
interface Draft extends Pick<Flow, 'scope'> {
  readonly members: number[];
  asked: Asked;
  outcome: Outcome | null;
  injected?: Injection;
}

type ScopeAt = (index: number) => string | null;

/**
 * `unseen`: for codes that come out of nowhere, by the position of the token request that exchanged them. `scopeAt`: what
 * the tokens are for that were given at a position; null where nothing tells.
 */
export function readFlows(
  exchanges: readonly Exchange[],
  scopeAt: ScopeAt,
): { readonly flows: readonly Flow[]; readonly unseen: ReadonlyMap<number, Flow> } {
  const drafts: Draft[] = [];
  const open = new Map<string, Draft>();
  for (const [index, { call, answer, injected }] of exchanges.entries()) {
    if (answer === null || !isAuthorizationRequest(call)) continue;
    const key = flowKey(call);
    let draft = open.get(key);
    if (draft === undefined) {
      draft = { members: [], scope: queryValue(call, 'scope') ?? null, asked: {}, outcome: null };
      drafts.push(draft);
      open.set(key, draft);
    }
    draft.members.push(index);
    draft.asked = { ...draft.asked, ...askedBy(call) };
    const { status, header } = answer;
    const isReturn = injected?.kind.startsWith('return/') === true;
    if (status < 300 && !isReturn) continue;
    open.delete(key);
    if (injected !== undefined) draft.injected = injected;
    if (injected?.kind === 'return/twice') continue;
    const isRedirect = status >= 300 && status < 400;
    draft.outcome = isRedirect ? redirectOf(call, header.location, isReturn) : { kind: 'page', status };
  }
  const unseen = claimCodes(exchanges, drafts, scopeAt);
  const flows = drafts.map((draft) => ({
    ...draft,
    outcome: draft.outcome ?? ({ kind: 'unknown' } as const),
  }));
  return { unseen, flows };
}

/** null: to the bank's own page, or to nowhere. */
function redirectOf(call: Call, location = '', isReturn = false): Outcome | null {
  const [base = '', query = ''] = location.split('#', 1)[0]?.split(/\?(.*)/s, 2) ?? [];
  const parameters = [...new URLSearchParams(query)];
  if (!isReturn && !parameters.some(([name]) => name === 'code' || name === 'error')) return null;
  const [wanted = '', own = ''] = (queryValue(call, 'redirect_uri') ?? '').split(/\?(.*)/s, 2);
  const known = new Set([...new URLSearchParams(own)].map((pair) => pair.join('=')));
  return {
    kind: 'redirect',
    parameters: parameters.filter((pair) => !known.has(pair.join('='))),
    base: base === wanted ? null : base,
  };
}

/**
 * A code that no recorded redirect gave is the outcome of the way before it that has none. Those of which is known what
 * they are for come first: what is left is for the others.
 */
function claimCodes(exchanges: readonly Exchange[], drafts: readonly Draft[], scopeAt: ScopeAt) {
  const redirects = drafts.flatMap(({ outcome }) => (outcome?.kind === 'redirect' ? outcome.parameters : []));
  const given = new Set(redirects.flatMap(([name, value]) => (name === 'code' ? value : [])));
  const codes = exchanges.flatMap((exchange, index) => {
    const code = exchangedCode(exchange);
    if (code === null || given.has(code)) return [];
    given.add(code);
    return { index, code, scope: scopeAt(index) };
  });
  const unseen = new Map<number, Flow>();
  const isKnown = ({ scope }: { readonly scope: string | null }) => scope !== null;
  for (const { index, code, scope } of codes.toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))) {
    const outcome: Outcome = { kind: 'code', code };
    const before = drafts.filter((one) => one.outcome === null && (one.members.at(-1) as number) < index);
    const draft =
      scope === null
        ? before[0]
        : (before.find((one) => one.scope === scope) ?? before.find((one) => one.scope === null));
    if (draft === undefined) unseen.set(index, { members: [], scope, asked: {}, outcome });
    else draft.outcome = outcome;
  }
  return unseen;
}

/** The code of a token request that the bank took. */
export function exchangedCode(exchange: Exchange): string | null {
  const { call } = exchange;
  if (call.operation !== 'oauth.token' || bankStatusOf(exchange) !== 200) return null;
  return formValue(call.content, 'code') ?? null;
}
