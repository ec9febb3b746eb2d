/** The facts of the ledger, in families of plain values. Secrets appear as fingerprints only. */
import type { AnswerSource } from '../exchange/index.js';
import type { ConsentStatus, PaymentStatus, ScaStatus } from '../spec/index.js';
import type { FactFamily, Family, UnderWay, Use } from './family.js';

interface ResourceFact {
  readonly id: string;
  readonly tpp: string;
  /** Epoch ms, as all times here. */
  readonly createdAt: number;
  /** An authorisation was created with it (§Rules tied to creation 1). */
  readonly implicit: boolean;
  readonly redirectUri: string | null;
  readonly nokRedirectUri: string | null;
  readonly link: 'discovery' | 'direct' | null;
  readonly authorisations: readonly string[];
  /** When the answer was there that told the status. */
  readonly statusAt: number;
  /** The status follows from how the SCA ended; the bank has not said it. */
  readonly statusInferred?: true;
  /** The newest refresh token handed out for it, as fingerprint; not of literal ids, which several flows share. */
  readonly refreshToken?: string;
}

/** The fingerprint of the certificate, at banks that bind to it what they hand out. */
export interface Bound {
  readonly certificate?: string;
}

export interface ConsentFact extends ResourceFact, Bound {
  readonly status: ConsentStatus;
  /** YYYY-MM-DD. */
  readonly validUntil: string | null;
  readonly recurring: boolean | null;
  readonly frequencyPerDay: number | null;
  /** When this TPP deleted it; not where it had ended before. A new creation of a literal id begins again. */
  readonly deletedAt?: number;
  /** Account ids that a list of accounts returned under this consent; null until a list was read. */
  readonly accounts: readonly string[] | null;
  /** When the PSU's newest SCA for it was seen: at the redirect, or by the code that was exchanged. */
  readonly scaAt?: number;
  /** When the bank last gave transactions beyond the ordinary history (§Limits 3). */
  readonly historyAt?: number;
  /** Lists named more accounts than are remembered, or some without an id. */
  readonly moreAccounts?: true;
}

export interface PaymentFact extends ResourceFact {
  readonly status: PaymentStatus;
  /** The spelling of the product in the path of the creation. */
  readonly product: string;
}

export interface AuthorisationFact {
  readonly id: string;
  readonly tpp: string;
  /** `AIS:<consent id>` or `PIS:<payment id>`. */
  readonly scope: string;
  readonly status: ScaStatus;
  readonly statusInferred?: true;
  readonly link: 'discovery' | 'direct' | null;
  /** Addresses of the creation that it came with, or of the call that started it; null where none were given. */
  readonly redirectUri?: string | null;
  readonly nokRedirectUri?: string | null;
  readonly discoveryReadAt: number | null;
  /** Reads that no authorization request followed yet, of flows side by side under one literal id. */
  readonly openReads?: readonly number[];
  /** It is for the cancellation of the payment. */
  readonly cancels?: true;
  /** The SCA where the TPP has a part in it: no browser is sent to the bank, or it confirms what was done there. */
  readonly sca?: {
    readonly approach: 'DECOUPLED' | 'EMBEDDED' | 'REDIRECT';
    /** Fingerprint of the code by which it is confirmed. */
    readonly confirmation?: string;
    readonly at: number;
    /** Steps that the bank refused because what the PSU entered was wrong. */
    readonly failures?: number;
  };
  /** Several TPPs got this literal id of the sandbox: the fact under the id alone is that of the second, and of no use for more. */
  readonly shared?: true;
}

/** One authorization request: what the token request is held against. */
export interface AuthorizeFact {
  readonly at: number;
  readonly tpp: string | null;
  readonly authorisationId: string;
  readonly clientId: string;
  readonly scope: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly method: string;
  /** The newest call that brought it to a bank, by its id; until the redirect to the TPP. */
  readonly awaited?: string;
}

export interface CodeFact {
  readonly code: string;
  readonly tpp: string | null;
  readonly scope: string | null;
  readonly issuedAt: number | null;
  readonly usedAt: number | null;
}

export interface TokenFact extends Bound {
  /** Given to the client itself: no PSU stands behind it. */
  readonly ofClient?: true;
  readonly token: string;
  readonly tpp: string;
  readonly scope: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface RefreshTokenFact extends Omit<TokenFact, 'expiresAt' | 'ofClient'> {
  /** The fingerprint of the newer one that replaced it. */
  readonly replacedBy: string | null;
  /** It came for an older one: this bank gives a new one each time. */
  readonly rotated?: true;
}

/** Accesses without the PSU that count, for one TPP, consent, operation and account (§Limits 1). */
export interface AccessFact {
  readonly tpp: string;
  readonly consentId: string;
  readonly operation: string;
  readonly accountId: string;
  /** Epoch ms, ascending; only what the window can still need. */
  readonly times: readonly number[];
  /** When the bank may have given access, but no answer of it arrived; as `times`. */
  readonly unanswered?: readonly number[];
  readonly queries?: readonly OpenQuery[];
}

export interface OpenQuery {
  readonly query: string;
  readonly page: number;
  /** The parameters of the bank's link to the next page; null: it gave no links of pages; false: there is none. */
  readonly next: string | null | false;
  readonly at: number;
}

/** A value that ought to be used once: state, code_challenge. */
export interface UsedOnceFact {
  readonly kind: 'state' | 'challenge';
  /** Cut where it is very long; the key holds the whole of it. */
  readonly value: string;
  readonly tpp: string | null;
  /** The authorisation id that it was used for last. */
  readonly purpose: string;
  readonly at: number;
}

/** An X-Request-ID that was seen, with what it was used for. */
export interface RequestIdFact {
  /** See `digestOfCall`. */
  readonly digest: string;
  readonly at: number;
}

/** A read of a payment's status; of literal ids too, which nobody created. */
export interface PollFact {
  readonly at: number;
}

/** A link of the bank with which the interface itself would find fault. */
export interface LinkFact {
  readonly tpp: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** A call that one of several gateways has sent on, and what it uses up until it ends. */
export interface UseFact extends Use {
  readonly tpp: string | null;
  readonly keys: readonly string[];
  /** The machine's clock: if the use is still there then, its gateway has ended before it. */
  readonly until: number;
}

/** Facts of a TPP were dropped though their families were not full: ledgers together had no more room. */
export interface DroppedFact {
  readonly tpp: string | null;
  readonly at: number;
}

/** Families by name; keys are made by `keys.ts` only. */
export interface LedgerFamilies {
  consents: ConsentFact;
  payments: PaymentFact;
  authorisations: AuthorisationFact;
  authorizes: AuthorizeFact;
  codes: CodeFact;
  tokens: TokenFact;
  refreshTokens: RefreshTokenFact;
  accesses: AccessFact;
  usedOnce: UsedOnceFact;
  requestIds: RequestIdFact;
  polls: PollFact;
  links: LinkFact;
  uses: UseFact;
  dropped: DroppedFact;
}
export type LedgerFamily = keyof LedgerFamilies;

/**
 * Families that need not outlive the process. Each call brings a request id, so keeping them would double what a call
 * writes; what a restart loses is one `should` on an id that is used again right after it, or on a poll too soon.
 */
export const TRANSIENT_FAMILIES: ReadonlySet<LedgerFamily> = new Set<LedgerFamily>(['requestIds', 'polls']);

/** One change to the ledger; `fact` null removes. What `advance` returns and the store keeps with the exchange. */
export interface LedgerChange {
  readonly family: LedgerFamily;
  readonly key: string;
  readonly fact: LedgerFamilies[LedgerFamily] | null;
}

export type Ledger = { readonly [F in LedgerFamily]: Family<LedgerFamilies[F]> } & {
  readonly underWay: Pick<UnderWay, 'of'>;
  /** More was known than is known here, and nobody can tell what. */
  readonly isPartial?: true;
  /** Whether these facts began later than those of the recorded or answering side. Nothing is missing since. */
  readonly beganLater?: boolean;
};

export type Facts = { readonly [F in LedgerFamily]: FactFamily<LedgerFamilies[F]> };

/** Facts, and state in memory that is never stored. */
export type LedgerState = Facts & {
  readonly underWay: UnderWay;
  /** By `tpp target`: those of the answer that came last, because banks give the same links again and again. */
  readonly oddLinks: Map<string, OddLinks>;
  isPartial?: true;
  beganLater?: boolean;
  /** The ledgers of isolated sessions together have no more room: what this one gains, it loses. */
  isCrowded?: boolean;
};

/** The odd ones among the links of an answer, with all that they follow from beside who called what. */
export interface OddLinks {
  readonly source: AnswerSource;
  readonly hrefs: readonly string[];
  readonly links: readonly (readonly [key: string, fact: LinkFact])[];
}
