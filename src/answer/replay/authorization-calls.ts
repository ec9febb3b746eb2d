/** The authorization requests of a recording: the steps of each PSU, and how each ended for the TPP. */
import { type Call, type Exchange, formValue, queryValue } from '../../exchange/index.js';

/** One way of the PSU, from the authorization request to the redirect to the TPP, however many steps it took. */
export interface Flow {
  /** Positions of its exchanges in the recording; none where the browser's steps were not recorded. */
  readonly members: readonly number[];
  /** `AIS:<consent id>`, where it is known. */
  readonly scope: string | null;
  /** What was asked of the emulator's pages. */
  readonly asked: Asked;
  readonly outcome: Outcome;
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
  /** A page was the end of it. */
  | { readonly kind: 'page'; readonly status: number };

const STEPS: ReadonlySet<string> = new Set(['choice', 'scenario', 'psu', 'accounts']);

/** Also one at a path of the bank's own, on the listener for browsers. */
export function isAuthorizationRequest({ operation, listener, request }: Call): boolean {
  if (operation === 'oauth.authorize') return true;
  if (operation !== null || listener !== 'psu' || request.method !== 'GET') return false;
  const names = new Set(request.query.map(([name]) => name));
  return names.has('redirect_uri') && (names.has('response_type') || names.has('state'));
}

/** What the steps of one authorization request have in common. */
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

interface Draft {
  readonly members: number[];
  readonly scope: string | null;
  asked: Asked;
  /** null: not ended yet, or by a redirect to the bank's own pages. */
  outcome: Outcome | null;
  last: number;
}

export interface Flows {
  readonly flows: readonly Flow[];
  /** For codes that come out of nowhere: by the position of the token request that exchanged them. */
  readonly unseen: ReadonlyMap<number, Flow>;
}

/** `scopeAt`: what the tokens are for that were given at a position; null where nothing tells. */
export function readFlows(exchanges: readonly Exchange[], scopeAt: (index: number) => string | null): Flows {
  const drafts: Draft[] = [];
  const open = new Map<string, Draft>();
  for (const [index, { call, answer }] of exchanges.entries()) {
    if (answer === null || !isAuthorizationRequest(call)) continue;
    const key = flowKey(call);
    let draft = open.get(key);
    if (draft === undefined) {
      const scope = queryValue(call, 'scope') ?? null;
      draft = { members: [], scope, asked: {}, outcome: null, last: index };
      drafts.push(draft);
      open.set(key, draft);
    }
    draft.members.push(index);
    draft.last = index;
    draft.asked = { ...draft.asked, ...askedBy(call) };
    if (answer.status < 300) continue;
    open.delete(key);
    draft.outcome = answer.status < 400 ? redirectOf(call, answer.header.location) : page(answer.status);
  }
  return { unseen: claimCodes(exchanges, drafts, scopeAt), flows: drafts.map(closeDraft) };
}

const page = (status: number): Outcome => ({ kind: 'page', status });

function closeDraft({ members, scope, asked, outcome }: Draft): Flow {
  return { members, scope, asked, outcome: outcome ?? { kind: 'unknown' } };
}

/** null: to the bank's own page, or to nowhere. */
function redirectOf(call: Call, location = ''): Outcome | null {
  const [base = '', query = ''] = location.split('#', 1)[0]?.split(/\?(.*)/s, 2) ?? [];
  const parameters = [...new URLSearchParams(query)];
  if (!parameters.some(([name]) => name === 'code' || name === 'error')) return null;
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
function claimCodes(
  exchanges: readonly Exchange[],
  drafts: readonly Draft[],
  scopeAt: (index: number) => string | null,
): ReadonlyMap<number, Flow> {
  const given = new Set(drafts.flatMap(({ outcome }) => codeOf(outcome)));
  const codes = exchanges.flatMap((exchange, index) => {
    const code = exchangedCode(exchange);
    if (code === null || given.has(code)) return [];
    given.add(code);
    return { index, code, scope: scopeAt(index) };
  });
  const unseen = new Map<number, Flow>();
  for (const { index, code, scope } of [
    ...codes.filter(({ scope }) => scope !== null),
    ...codes.filter(({ scope }) => scope === null),
  ]) {
    const outcome: Outcome = { kind: 'code', code };
    const before = drafts.filter((one) => one.outcome === null && one.last < index);
    const draft =
      scope === null
        ? before[0]
        : (before.find((one) => one.scope === scope) ?? before.find((one) => one.scope === null));
    if (draft === undefined) unseen.set(index, { members: [], scope, asked: {}, outcome });
    else draft.outcome = outcome;
  }
  return unseen;
}

function codeOf(outcome: Outcome | null): string[] {
  if (outcome?.kind !== 'redirect') return [];
  return outcome.parameters.filter(([name]) => name === 'code').map(([, value]) => value);
}

/** The code of a token request that the bank took. */
export function exchangedCode({ call, answer }: Exchange): string | null {
  if (call.operation !== 'oauth.token' || answer?.status !== 200) return null;
  return formValue(call.content, 'code') ?? null;
}
