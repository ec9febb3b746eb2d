/** The type of a rule. A rule is pure: call, ledger and answer in, violations out; no clock, store, network or log. */
import type { Answer, Call, Exchange, Fingerprint, Place } from '../exchange/index.js';
import type { ConsentFact, DailyWindow, DailyWindowSetting, Ledger, TokenFact } from '../ledger/index.js';
import type {
  ClauseId,
  Dialect,
  GrantType,
  OAuthRedirectError,
  OperationId,
  OperationRow,
  SourceTag,
  TokenError,
  WireErrorCode,
} from '../spec/index.js';
import type { SignedCall } from './checks/signed-call.js';

export type Profile = 'sandbox' | 'production';
export type Severity = 'must' | 'should' | 'note' | 'off';
export const GRAVITY: Readonly<Record<Severity, number>> = { must: 0, should: 1, note: 2, off: 3 };

export const mildest = <S extends Severity>(severity: S, atMost: S | undefined): S =>
  atMost !== undefined && GRAVITY[atMost] > GRAVITY[severity] ? atMost : severity;

export type Verdict = 'complied' | 'violated' | 'not-applicable' | 'not-observed';

/**
 * What a rule must have before it may judge. Where it is unknown (a HAR file holds no certificate) the verdict is
 * not-observed, where it is known to be absent (a GET has no body) it is not-applicable; the engine sees to both.
 */
export type CallNeed =
  | 'certificate'
  | 'tls'
  | 'tpp'
  | 'json'
  | 'form'
  /** A token request of that grant. */
  | `grant:${GrantType}`
  /** A field of the body that stands there as it was sent: what is redacted cannot be judged. */
  | `clear:body ${string}`;

/** Needs of rules that also read the answer. */
export type Need =
  | CallNeed
  /** The bank, the emulator or a recording answered; refusals and faults of the gateway are not the bank's. */
  | 'bank-answer'
  | 'bank-success'
  | 'bank-error'
  /** Not of a HEAD, nor of a status that has none. */
  | 'answer-body'
  | 'answer-json';

/** The refusal of a violated must in stance `enforce`. `status` is given if it is not the code's first one. */
export type RefusalKind =
  | { readonly code: WireErrorCode; readonly status?: number }
  | { readonly token: TokenError }
  | { readonly redirect: OAuthRedirectError }
  | { readonly page: string };

export interface Violation {
  readonly place: Place;
  readonly expected: string;
  /** The value found, short. The engine cuts it and removes secrets. */
  readonly actual?: string;
  /** The value for the caller, if `actual` is about somebody else. */
  readonly publicActual?: string;
  /** Weighs no more than this, whatever the rule weighs. */
  readonly atMost?: 'should' | 'note';
  /** A refusal of this violation other than the rule's. */
  readonly refusal?: RefusalKind;
}

export const violation = (place: Place, expected: string, actual: string): Violation => ({
  place,
  expected,
  actual,
});

export type Outcome = true | Violation | readonly Violation[] | 'not-applicable' | 'not-observed';

export interface JudgeOptions {
  readonly profile: Profile;
  /** The daily window (§Limits 1): a calendar day in a time zone, or 24 hours back from the call. */
  readonly dailyWindow: DailyWindowSetting;
  readonly blockedOrganisations: ReadonlySet<string>;
  /** Whether a host may be called back (notifications/uri-allowed); addresses are checked again after resolution. */
  readonly notificationHostAllowed: (host: string) => boolean;
  /** Origins of the bank, as links may name them (answers/links-are-reachable). */
  readonly bankOrigins: ReadonlySet<string>;
  /** The bank's interface. */
  readonly dialect: Dialect;
}

export interface CallContext {
  readonly call: Call;
  readonly ledger: Ledger;
  readonly options: JudgeOptions;
  readonly window: DailyWindow;
  readonly fingerprint: Fingerprint;
  /** The access token of the call, as it was issued through this gateway. */
  readonly token: TokenFact | undefined;
  /** The consent of the Consent-Id header, as this TPP created it. */
  readonly consent: ConsentFact | undefined;
  /** Its Digest, its Signature and the certificate of that. */
  readonly signed: SignedCall;
}

export interface ExchangeContext extends CallContext {
  readonly answer: Answer;
  readonly exchange: Exchange;
}

/**
 * Which calls a rule is about: all, also those of no known operation; all of clients that show certificates; or those of
 * the operations that it picks by their facts. By name it picks what is about that one operation and no other.
 */
export type AppliesTo =
  | 'all'
  | 'all-with-certificate'
  | readonly OperationId[]
  | ((row: OperationRow, id: OperationId) => boolean);

/** Families of rules in the order of the catalogue: what is looked at first stands first. */
export const RULE_FAMILIES = [
  'certificate',
  'signature',
  'requests',
  'consents',
  'oauth',
  'accounts',
  'payments',
  'funds',
  'notifications',
  'answers',
] as const;

export interface Remedy {
  readonly fix: string;
  /** An example of what complies. */
  readonly complies: string;
}

interface RuleBase {
  /** Equals the path of its file below `src/rules/`; never reused. */
  readonly id: string;
  readonly statement: string;
  readonly clauses: readonly ClauseId[];
  /** Further sources, with a section if one is meant: `RFC7636 4.2`. */
  readonly sources: readonly (SourceTag | `${SourceTag} ${string}`)[];
  readonly severity: { readonly sandbox: Severity; readonly production: Severity };
  readonly appliesTo: AppliesTo;
  /** Whether the bank asks for what it is about; absent: every bank does. */
  readonly isAsked?: (options: JudgeOptions) => boolean;
  readonly refusal: RefusalKind | null;
  readonly why: string;
  /** The remedy: one sentence to the judged side. */
  readonly fix: string;
  readonly examples: { readonly complies: string; readonly violates: string };
  /** The remedy of a finding that expects this, where more can be said than for every finding of the rule. */
  readonly remedyFor?: (expected: string) => Remedy | undefined;
  /** Only in rules of the user's own: the file, with the SHA-256 (hex) of what it holds, and the source. */
  readonly own?: {
    readonly file: { readonly name: string; readonly digest: string };
    readonly source: { readonly text: string; readonly url?: string };
  };
}

export interface CallRule extends RuleBase {
  /** `connection` and `call` are judged before the answer, `exchange` with it. */
  readonly scope: 'connection' | 'call';
  /** A bank cannot be judged before it has answered. */
  readonly judges: 'tpp';
  readonly needs: readonly CallNeed[];
  /**
   * Looks at nothing but the operation, Accept and those headers of the interface that have a length or a form, but for
   * X-Request-ID: where these are as they were in the call before it, the judge knows that all is well.
   */
  readonly looksAt?: 'head';
  readonly check: (context: CallContext) => Outcome;
}

export interface ExchangeRule extends RuleBase {
  readonly scope: 'exchange';
  readonly judges: 'tpp' | 'aspsp';
  readonly needs: readonly Need[];
  /**
   * Looks at nothing but the answer (its content, status, source, fault, media type and Location) and at the operation,
   * method, path and host that were called: of one that comes again and again the judge knows the outcome.
   */
  readonly looksAt?: 'answer';
  readonly check: (context: ExchangeContext) => Outcome;
}

export type Rule = CallRule | ExchangeRule;

/** Defaults for rules: most judge the TPP by its call, and are a must in either profile. */
const DEFAULTS = {
  clauses: [],
  sources: [],
  severity: { sandbox: 'must', production: 'must' },
  needs: [],
  refusal: null,
  judges: 'tpp',
} as const;
export const remedyOf = ({ remedyFor, fix, examples }: Rule, expected: string): Remedy =>
  remedyFor?.(expected) ?? { fix, complies: examples.complies };

type Default = keyof typeof DEFAULTS;
type Written<R extends Rule, K extends keyof R> = Omit<R, K> & Partial<Pick<R, K>>;
type BankRule = ExchangeRule & { readonly judges: 'aspsp' };

/** Completes a rule as its file writes it. What judges the bank judges its answer. */
export function defineRule(
  rule:
    | Written<CallRule, Default | 'scope'>
    | Written<ExchangeRule, Default>
    | Written<BankRule, Exclude<Default, 'judges'> | 'scope'>,
): Rule {
  return { ...DEFAULTS, scope: rule.judges === 'aspsp' ? 'exchange' : 'call', ...rule } as Rule;
}

/** A violation with its rule; what is stored, shown and reported. Statement, clause and fix stand in the catalogue. */
export interface Finding {
  readonly rule: string;
  readonly severity: Exclude<Severity, 'off'>;
  readonly judges: 'tpp' | 'aspsp';
  readonly place: Place;
  readonly expected: string;
  readonly actual?: string;
  /** Set where a waiver covers it: it no longer refuses or fails a gate. */
  readonly waived?: string;
}

/** Verdicts by rule id; rules that are not applicable are left out. */
export type Verdicts = Readonly<Record<string, Exclude<Verdict, 'not-applicable'>>>;

/** The refusal of a call: what stance `enforce`, and the emulator in either stance, answers. */
export type Refusal =
  | {
      readonly kind: 'messages';
      readonly status: number;
      readonly messages: readonly {
        readonly code: WireErrorCode;
        readonly text: string;
        readonly path?: string;
      }[];
      readonly headers: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'token'; readonly error: TokenError; readonly description: string }
  | { readonly kind: 'redirect'; readonly error: OAuthRedirectError; readonly description: string }
  | { readonly kind: 'page'; readonly status: number; readonly title: string; readonly text: string };

export interface Judged {
  readonly verdicts: Verdicts;
  readonly findings: readonly Finding[];
  /** The refusal for the TPP's unwaived violated musts; null if there are none. */
  readonly refusal: Refusal | null;
}

export interface Judge {
  readonly options: JudgeOptions;
  readonly window: DailyWindow;
  readonly judgeCall: (call: Call, ledger: Ledger) => Judged;
  /** Judges the answer, adding to the verdicts of the call if they are given. */
  readonly judgeExchange: (exchange: Exchange, ledger: Ledger, before?: Judged) => Judged;
}
