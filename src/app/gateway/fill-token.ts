/** Puts an access token into a call that is sent again: one that the emulator gives, or the bank's own that passed in this run. */
import { randomUUID } from 'node:crypto';
import { type HeaderList, textMember } from '../../exchange/index.js';
import { type ConsentFact, consentOf, type Ledger } from '../../ledger/index.js';
import { TOKEN_TO_FILL } from '../../rules/index.js';
import {
  bankDateAt,
  type Dialect,
  type OperationId,
  SANDBOX,
  SandgateError,
  type Scope,
  sandboxCodeFor,
  scopeText,
} from '../../spec/index.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import type { SourceName } from '../config/values.js';
import type { Identity, Sender } from '../rerun/sender.js';
import { isAuthorisedHere } from './first-calls.js';
import { createOwnTpp, type OwnTpp } from './own-tpp.js';
import type { Tokens } from './tokens.js';
import type { RunningWorld } from './worlds.js';

export interface FillParts {
  /** Addresses of the listeners themselves. */
  readonly urls: { readonly api: string; readonly psu: string };
  readonly dialect: Dialect;
  readonly tokens: Tokens;
  readonly firstFor: (operation: OperationId) => SourceName;
  readonly ledgerOf: (session: string) => Ledger;
}

/** RFC 7636 4.1: the fixed codes of the sandbox go with any. */
const ANY_VERIFIER = '0'.repeat(43);
/** The sandbox's authorisation for which a PSU can agree. */
const SANDBOX_AUTHORISATION = '11111111-1111-1111-1111-111111111111';

interface TokenWanted {
  readonly sender: Sender;
  readonly session: string;
  readonly identity: Identity | null;
}

/** The facts by which mends of a TPP's calls are found. */
export function mendingOf(
  { ledger, clock }: Pick<RunningWorld, 'ledger' | 'clock'>,
  tpp: string | null,
  { config, firstFor, tokens }: Pick<FillParts, 'firstFor' | 'tokens'> & { readonly config: Config },
) {
  const isEmulated = firstFor('oauth.token') === 'emulator';
  const today = bankDateAt(clock.now());
  const granted = [...ledger.consents.values()].findLast(
    ({ tpp: of, status, validUntil, deletedAt }) =>
      of === tpp && status === 'valid' && (validUntil ?? today) >= today && deletedAt === undefined,
  );
  const fixed = isEmulated && config.profile === 'sandbox' ? SANDBOX.validConsent : undefined;
  const fillsTokens = isEmulated || tokens.keepsBanks;
  const consent = granted?.id ?? fixed;
  return { dialect: dialectIn(config), now: clock.now(), consent, uuid: randomUUID, fillsTokens };
}

const noToken = (why: string) => new SandgateError('resend.no-token', { why });

export function createFillToken(parts: FillParts) {
  /** A token goes into this one header of a call to the API listener, and is that of its consent and its TPP. */
  async function withToken(headers: HeaderList, asked: TokenWanted): Promise<HeaderList> {
    const isOpen = ([name, value]: HeaderList[number]) =>
      name.toLowerCase() === 'authorization' && value === TOKEN_TO_FILL;
    if (!headers.some(isOpen)) return headers;
    const id = headers.find(([name]) => name.toLowerCase() === 'consent-id')?.[1];
    if (id === undefined || id === '') throw noToken('the call names no consent');
    const token = await tokenFor({ service: 'AIS', id }, asked, headers);
    return headers.map((field) => (isOpen(field) ? [field[0], `Bearer ${token}`] : field));
  }

  async function tokenFor(scope: Scope, asked: TokenWanted, headers: HeaderList): Promise<string> {
    const { sender, session, identity } = asked;
    const tpp = identity?.organisation ?? null;
    if (identity === null || tpp === null) throw noToken('the certificate names no organisation');
    if (parts.firstFor('oauth.token') !== 'emulator') {
      const kept = parts.tokens.of('upstream', tpp, scope)?.access;
      if (kept !== undefined) return kept;
      const why = parts.tokens.keepsBanks
        ? `none of the bank’s for ${scopeText(scope)} has come since the start`
        : 'the gateway was started without --keep-tokens';
      throw noToken(why);
    }
    const named = headers.filter(([name]) => name.toLowerCase() === 'sandgate-session');
    const own = createOwnTpp({ ...parts, sender, identity, headers: named });
    const refresh = parts.tokens.of('emulator', tpp, scope)?.refresh;
    const known = consentOf(parts.ledgerOf(session), tpp, scope.id);
    const answer = await issue(own, scope, refresh, known);
    const token = textMember(answer.content, 'access_token');
    if (token !== undefined) return token;
    const why = `the emulator gave none for ${scopeText(scope)}; exchange ${own.made.at(-1)} tells why`;
    throw noToken(why);
  }

  /** A TPP gets one in the same ways: by a refresh token, by a fixed code, or because its PSU agrees. */
  function issue(own: OwnTpp, scope: Scope, refresh: string | undefined, known?: ConsentFact) {
    const code = sandboxCodeFor(scopeText(scope));
    if (refresh !== undefined) return own.token({ grant_type: 'refresh_token', refresh_token: refresh });
    if (code !== undefined)
      return own.token({ grant_type: 'authorization_code', code, code_verifier: ANY_VERIFIER });
    if (!isAuthorisedHere(parts)) throw noToken('the bank answers calls of its authorisation');
    const authorisationId = known?.authorisations.at(-1) ?? SANDBOX_AUTHORISATION;
    const { urls, dialect } = parts;
    const link =
      known?.link === 'direct'
        ? urls.psu + dialect.pathOf('oauth.authorize', { authorisationId })
        : `${urls.api + dialect.pathOf('oauth.discovery')}?authorizationId=${authorisationId}`;
    return own.authorise(scope, link, known?.redirectUri ?? undefined);
  }

  return withToken;
}
