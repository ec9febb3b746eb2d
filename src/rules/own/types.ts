/** The types of `sandgate/rules`. These declarations belong to the package: they import nothing of the program. */

export type Severity = 'must' | 'should' | 'note' | 'off';

/** A rule on a call of the TPP, judged before it is answered. */
export interface CallRule extends RuleTexts {
  readonly judges?: 'tpp';
  readonly scope?: 'call';
  readonly needs?: readonly CallNeed[];
  readonly check: (seen: SeenCall) => Outcome;
}

/** A rule on a call and its answer. It refuses nothing: the answer is there already. */
export interface ExchangeRule extends RuleTexts {
  readonly judges?: 'tpp';
  readonly scope: 'exchange';
  readonly needs?: readonly Need[];
  readonly check: (seen: SeenExchange) => Outcome;
}

/** A rule on an answer of the bank. */
export interface BankRule extends RuleTexts {
  readonly judges: 'aspsp';
  readonly scope?: 'exchange';
  readonly needs?: readonly Need[];
  readonly check: (seen: SeenExchange) => Outcome;
}

export type Rule = CallRule | ExchangeRule | BankRule;

export interface RuleTexts {
  /** `x-acme/consent-is-short`; never used again for another rule. */
  readonly id: `x-${string}/${string}`;
  /** One sentence that is true if the traffic complies. */
  readonly statement: string;
  /** The text that asks for it: a contract, a guideline, a ticket. */
  readonly source: { readonly text: string; readonly url?: string };
  /** `must` in both profiles by default. */
  readonly severity?: { readonly sandbox: Severity; readonly production: Severity };
  /** Operations by name: `consents.create`, or all of a kind: `accounts.*`. `all`: also calls of no known operation. */
  readonly appliesTo: 'all' | readonly string[];
  /** The harm if nobody complies. */
  readonly why: string;
  /** The remedy: one sentence to whoever is judged. */
  readonly fix: string;
  /** Run when the rule is loaded. At least one complies and one violates. */
  readonly examples: readonly Example[];
}

export type CallNeed = 'tpp' | 'json' | 'form';
/** A rule whose needs are not met is not asked. */
export type Need = CallNeed | 'bank-answer' | 'bank-success' | 'bank-error' | 'answer-body' | 'answer-json';

export type Verdict = 'complied' | 'violated' | 'not-applicable' | 'not-observed';
/** `true`: it complied. An empty list, too. */
export type Outcome = true | Violation | readonly Violation[] | 'not-applicable' | 'not-observed';

export interface Violation {
  /** `header X-Request-ID`, `body validUntil`, `query dateFrom`, `path`, `answer status`, `answer body balances` */
  readonly place: string;
  readonly expected: string;
  readonly actual?: string;
  /** Weighs no more than this, whatever the rule weighs. */
  readonly atMost?: 'should' | 'note';
}

export interface Example {
  /** Its point, in a few words. */
  readonly says: string;
  readonly call: ExampleCall;
  readonly answer?: ExampleAnswer;
  readonly token?: Token;
  readonly consent?: Consent;
  readonly verdict: Verdict;
}

type Texts = Readonly<Record<string, string>>;

export interface ExampleCall {
  readonly operation: string;
  /** Parameters of the path; each has a value anyway. */
  readonly params?: Texts;
  readonly query?: Texts;
  readonly headers?: Texts;
  readonly json?: unknown;
  readonly form?: Texts;
  /** A body that is neither, with its Content-Type in `headers`. */
  readonly body?: string;
  /** PSDBE-NBB-0123456789 by default; null: nobody showed a certificate. */
  readonly tpp?: string | null;
  /** ISO 8601; 2026-06-15T10:00:00Z by default. */
  readonly at?: string;
}

export interface ExampleAnswer {
  readonly status: number;
  readonly headers?: Texts;
  readonly json?: unknown;
  readonly body?: string;
  /** `upstream` (a bank) by default. */
  readonly source?: AnswerSource;
}

export type AnswerSource = 'rule' | 'emulator' | 'upstream' | 'replay' | 'gateway';
export type NameValueList = readonly (readonly [name: string, value: string])[];

/** All of it is frozen. Tokens, codes and other secrets are fingerprints, as in a recording; equal ones stay equal. */
export interface SeenCall {
  readonly profile: 'sandbox' | 'production';
  readonly call: Call;
  /** The access token of the call, if it was issued through this gateway. */
  readonly token: Token | null;
  /** The consent of the header Consent-Id, if this TPP created it. */
  readonly consent: Consent | null;
}

export interface SeenExchange extends SeenCall {
  /** null: nobody answered a notification. */
  readonly answer: Answer | null;
}

export interface Call {
  /** Epoch ms by the gateway's clock. */
  readonly at: number;
  /** `callback`: the gateway called the TPP. */
  readonly listener: 'api' | 'psu' | 'callback';
  /** null where the path or the method is unknown. */
  readonly operation: string | null;
  readonly params: Texts;
  /** The organizationIdentifier, else `cert:<fingerprint>`, else null. */
  readonly tpp: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: NameValueList;
  readonly headers: NameValueList;
  /** By name in lower case; duplicates are joined with `, `. */
  readonly header: Readonly<Record<string, string | undefined>>;
  /** Text; null if there is no body, or it is binary. */
  readonly body: string | null;
  /** The value of a body of JSON; undefined where it is none. Declared loosely: check what you read. */
  readonly json: ReturnType<typeof JSON.parse>;
  /** The fields of a form; undefined where it is none. */
  readonly form: NameValueList | undefined;
}

export interface Answer {
  readonly source: AnswerSource;
  readonly status: number;
  readonly headers: NameValueList;
  readonly header: Readonly<Record<string, string | undefined>>;
  readonly body: string | null;
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface Token {
  /** `AIS:<consent id>`, `PIS:<payment id>` */
  readonly scope: string;
  /** Epoch ms. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface Consent {
  readonly id: string;
  readonly status: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** YYYY-MM-DD. */
  readonly validUntil: string | null;
  readonly recurring: boolean | null;
  readonly frequencyPerDay: number | null;
}
