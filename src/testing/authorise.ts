/** Walks an SCA without a browser: from the link of a creation to the redirect that the TPP gets. */
import { createHash } from 'node:crypto';
import { type Exchange, memberOf, textMember } from '../exchange/index.js';
import { readStream } from '../files/index.js';
import { answerTo } from '../outgoing/index.js';
import {
  consentScope,
  DISCOVERY_PATH,
  isScaScenario,
  paymentScope,
  SandgateError,
  SCA_SCENARIO_IDS,
  type ScaScenario,
  scopeInPath,
  slipOf,
} from '../spec/index.js';
import type { AgentOptions, AuthoriseOptions, AuthoriseResult } from './types.js';

interface AuthoriseParts {
  readonly agent: AgentOptions;
  readonly given: GivenParameters;
  /** A text that nobody guesses. */
  readonly random: () => string;
}

interface Reply {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

const ANSWER_MS = 30_000;
const LONGEST_PAGE = 16_777_216;
const NAMES = {
  clientId: 'client_id',
  redirectUri: 'redirect_uri',
  scope: 'scope',
  state: 'state',
  codeChallenge: 'code_challenge',
} as const;

/**
 * `link`: that of scaOAuth, whichever kind, or the whole authorize address.
 * @throws SandgateError where the link lacks a parameter, or the bank shows a page instead of redirecting
 */
export async function authorise(
  link: string | URL,
  options: AuthoriseOptions,
  { agent, given, random }: AuthoriseParts,
): Promise<AuthoriseResult> {
  const { outcome, psu = '', accounts } = options;
  if (outcome !== undefined && !isScaScenario(outcome))
    throw new SandgateError('testing.authorise-outcome', {
      outcome: String(outcome),
      nearest: slipOf(String(outcome), SCA_SCENARIO_IDS),
    });
  const { url, verifier } = withParameters(await authorizeAddress(link, agent), options, { given, random });
  // The same in each step: by its parameters a recording knows that a step belongs to the one before it.
  url.searchParams.set('psu', psu);
  if (accounts !== undefined) url.searchParams.set('accounts', accounts.join(','));
  const ask = (scenario: ScaScenario | undefined): Promise<Reply> => {
    const asked = new URL(url);
    if (scenario !== undefined) asked.searchParams.set('scenario', scenario);
    return read(asked, agent);
  };
  let reply = await ask(outcome);
  // A page: the sandbox bank, where nothing is set ahead, waits for an outcome.
  if (reply.status === 200 && outcome === undefined) reply = await ask('SCA_OK');
  if (reply.status !== 302 || reply.location === undefined) throw notRedirected(url, reply);
  return resultOf(reply.location, url, verifier);
}

async function authorizeAddress(link: string | URL, agent: AgentOptions): Promise<URL> {
  if (!URL.canParse(String(link)))
    throw new SandgateError('testing.authorise-link', { link: String(link), lacking: 'scheme and host' });
  const url = new URL(link);
  if (!url.pathname.endsWith(DISCOVERY_PATH)) return url;
  const reply = await read(url, agent);
  const address = endpointIn(reply.text);
  if (reply.status !== 200 || address === null) throw notRedirected(url, reply);
  return new URL(address);
}

function endpointIn(text: string): string | null {
  try {
    const { authorization_endpoint: address } = JSON.parse(text);
    return typeof address === 'string' && URL.canParse(address) ? address : null;
  } catch {
    return null;
  }
}

interface Prepared {
  readonly url: URL;
  readonly verifier: string | null;
}

/** `given` and what is made are for what neither the address nor the caller says: its verifier and state are theirs. */
function withParameters(
  url: URL,
  options: AuthoriseOptions,
  { given, random }: Pick<AuthoriseParts, 'given' | 'random'>,
): Prepared {
  const { searchParams } = url;
  const isMade = options.codeChallenge === undefined && !searchParams.has(NAMES.codeChallenge);
  const verifier = isMade ? random() : null;
  const usual: AuthoriseOptions = {
    ...given,
    state: random(),
    ...(verifier === null
      ? {}
      : { codeChallenge: createHash('sha256').update(verifier).digest('base64url') }),
  };
  for (const [option, name] of Object.entries(NAMES) as [keyof typeof NAMES, string][]) {
    const value = options[option] ?? (searchParams.has(name) ? undefined : usual[option]);
    if (value !== undefined) searchParams.set(name, value);
  }
  const lacking = Object.entries(NAMES).filter(([, name]) => !searchParams.has(name));
  if (lacking.length > 0)
    throw new SandgateError('testing.authorise-link', {
      link: url.href,
      lacking: lacking.map(([option]) => option).join(', '),
    });
  if (!searchParams.has('response_type')) searchParams.set('response_type', 'code');
  const isNew = isMade || options.codeChallenge !== undefined;
  const method = options.codeChallengeMethod ?? (isNew ? 'S256' : undefined);
  if (method !== undefined) searchParams.set('code_challenge_method', method);
  return { url, verifier };
}

async function read(url: URL, { ca, cert, key }: AgentOptions): Promise<Reply> {
  try {
    const answer = await answerTo(url, { ca, cert, key }, AbortSignal.timeout(ANSWER_MS));
    const bytes = await readStream(answer, LONGEST_PAGE);
    if (bytes === null) throw new Error(`it answered more than ${LONGEST_PAGE} bytes`);
    return { status: answer.statusCode ?? 0, location: answer.headers.location, text: bytes.toString() };
  } catch (error) {
    const cause = error as Error;
    throw new SandgateError('testing.authorise', { link: url.href, why: cause.message }, { cause });
  }
}

/** In the words of the page that was shown instead. */
function notRedirected(url: URL, { status, text }: Reply): SandgateError {
  const words = [/<h1>(.*?)<\/h1>/s, /class="notice[^>]*>(.*?)<\/p>/s].flatMap(
    (part) => part.exec(text)?.[1] ?? [],
  );
  const said = (words.length > 0 ? words.join(': ') : text.slice(0, 500))
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return new SandgateError('testing.authorise', { link: url.href, why: `it answered ${status}, ${said}` });
}

function resultOf(url: string, { searchParams: asked }: URL, verifier: string | null): AuthoriseResult {
  const mark = url.indexOf('?');
  const given = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1).split('#', 1)[0]);
  return {
    url,
    code: given.get('code'),
    state: given.get('state'),
    error: given.get('error'),
    errorDescription: given.get('error_description'),
    verifier,
    clientId: asked.get(NAMES.clientId) ?? '',
    redirectUri: asked.get(NAMES.redirectUri) ?? '',
    scope: asked.get(NAMES.scope) ?? '',
  };
}

/** The parameters of an authorization request that follow from the call that gave its link. */
interface GivenParameters {
  readonly scope?: string;
  readonly clientId?: string;
  readonly redirectUri?: string;
}

export function parametersOf(link: string, exchanges: readonly Exchange[]): GivenParameters {
  const giver = exchanges.findLast((exchange) => linkOf(exchange) === link);
  const scope = giver === undefined ? undefined : scopeOf(giver);
  if (giver === undefined || scope === undefined) return {};
  // An authorisation that is started by itself goes back to where its creation said.
  const redirectUri = [giver, ...exchanges.filter((one) => scopeOf(one) === scope)]
    .map(({ call }) => call.header['tpp-redirect-uri'])
    .find((uri) => uri !== undefined);
  const { tpp } = giver.call;
  return {
    scope,
    ...(tpp === null || tpp.startsWith('cert:') ? {} : { clientId: tpp }),
    ...(redirectUri === undefined ? {} : { redirectUri }),
  };
}

function linkOf({ answer }: Exchange): unknown {
  if (answer?.content.kind !== 'json') return undefined;
  return memberOf(memberOf(memberOf(answer.content.value, '_links'), 'scaOAuth'), 'href');
}

function scopeOf({ call, answer }: Exchange): string | undefined {
  const named = scopeInPath(call.params);
  if (named !== null) return named;
  const [consent, payment] = ['consentId', 'paymentId'].map((name) => textMember(answer?.content, name));
  if (consent !== undefined) return consentScope(consent);
  return payment === undefined ? undefined : paymentScope(payment);
}
