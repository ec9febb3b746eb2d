/** The types of `sandgate/testing`. These declarations belong to the package: they import nothing of the program. */
import type { TestBank } from './bank-types.js';
import type { Finding, Session, Severity } from './session-types.js';

export interface GatewayOptions {
  /** `emulator`, `upstream`, `replay` or a chain; told by `replay` and `upstream` where it is left out. */
  readonly source?: string;
  readonly stance?: 'enforce' | 'observe';
  readonly profile?: 'sandbox' | 'production';
  /** Which bank the emulator is. */
  readonly bank?: 'sandbox' | 'living';
  /** A cassette or a HAR whose recording answers. */
  readonly replay?: string;
  /** Base address of the bank that answers; more of it stands in `settings`. */
  readonly upstream?: string;
  /** When the gateway's clock starts; from then it runs on. Now, by default. */
  readonly startAt?: Moment;
  /** Severities by rule id. */
  readonly rules?: Readonly<Record<string, Severity>>;
  /** Known findings that let a test pass until a day. */
  readonly waivers?: readonly Waiver[];
  /** Folder of the emulator's accounts and transactions, instead of the built-in ones. */
  readonly data?: string;
  /** Name of the session. */
  readonly session?: string;
  /** Folder of certificates, instead of the ones that all tests of the user share. */
  readonly certs?: string;
  /** Any other setting, by its key in sandgate.config.json: `{ scaLink: 'direct', 'limits.body': '64KiB' }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Takes the lines of the gateway's log, JSON each; standard error by default. */
  readonly log?: (line: string) => void;
}

/** A known finding that passes until a day; it stays visible, with the reason. */
export interface Waiver {
  /** The id of a rule. */
  readonly rule: string;
  /** Calls that it is for, each with `*` for any text; all where absent. */
  readonly match?: { readonly operation?: string; readonly tpp?: string; readonly path?: string };
  readonly reason: string;
  /** YYYY-MM-DD, included. */
  readonly until: string;
}

/**
 * `once`: record where there is no cassette yet, else replay. `new`: replay, and record what the cassette lacks.
 * `all`: record again. `none`: replay only.
 */
export type RecordMode = 'once' | 'new' | 'all' | 'none';

export interface ReplayOptions extends Omit<GatewayOptions, 'source' | 'replay'> {
  /** `once` by default. On CI nothing is ever recorded. */
  readonly mode?: RecordMode;
  /** Who answers what is recorded: the bank where `upstream` is given, else the emulator. */
  readonly recordFrom?: 'upstream' | 'emulator';
}

export interface Gateway {
  /** Addresses of the listeners: `api` for the TPP, `psu` for the browser, `admin`. */
  readonly urls: { readonly api: string; readonly psu: string; readonly admin: string };
  readonly certificates: TestCertificates;
  /** Options for `new Agent(…)` of undici or node:https; `tpp` by default, null for no client certificate. */
  readonly agent: (certificate?: CertificateName | null) => AgentOptions;
  /**
   * Walks an SCA without a browser: from a scaOAuth link or an authorize address to the redirect that the TPP gets.
   * What the link does not say follows from the call that gave it; state and PKCE are made.
   * A discovery link is read with the certificate `tpp`, unless another is named.
   */
  readonly authorise: (
    link: string | URL,
    options?: AuthoriseOptions,
    certificate?: CertificateName,
  ) => Promise<AuthoriseResult>;
  /** A client that calls this gateway with a certificate, `tpp` by default. */
  readonly tpp: (certificate?: CertificateName) => TestTpp;
  readonly clock: TestClock;
  /** Faults that calls meet; docs/faults.md lists the kinds. */
  readonly faults: TestFaults;
  /** The living bank: looked at and steered. */
  readonly bank: TestBank;
  /** The exchanges recorded so far; after `close()` all of them. */
  readonly session: () => Session;
  /** Resolves when no notification is waiting or under way; its exchange is in the session then. */
  readonly settled: () => Promise<void>;
  /** May be called twice. */
  readonly close: () => Promise<void>;
}

/** A fault: when, and what. */
export interface TestFault {
  /** By default a name of its own. */
  readonly id?: string;
  /** Which calls: a filter, such as `operation:accounts.balances`. All where absent. */
  readonly where?: string;
  /** So many calls that fit pass first. */
  readonly after?: number;
  /** So many calls are met; all where absent. */
  readonly count?: number;
  /** The share of calls that is met, drawn by the seed of the bank. */
  readonly share?: number;
  /** From when, and until when, by the clock of the gateway. */
  readonly during?: readonly [from: string, until: string];
  /** The kind, and its parameters: `{ kind: 'delay', ms: 500 }`. */
  readonly do: { readonly kind: string; readonly [parameter: string]: unknown };
}

/** Rejects with a SandgateError for what cannot be meant. */
export interface TestFaults {
  /** Faults in force, with the number of calls that each has met. */
  readonly list: () => readonly (TestFault & { readonly id: string; readonly times: number })[];
  /** Adds one behind the others; gives its id. */
  readonly add: (fault: TestFault) => Promise<string>;
  readonly remove: (id: string) => Promise<void>;
  readonly clear: () => Promise<void>;
}

export interface TestClock {
  /** Epoch ms, as the gateway sees it. */
  readonly now: () => number;
  /** Sets the clock, backwards too; it goes on from there as it went before. */
  readonly set: (moment: Moment) => void;
  /** Moves the clock by so many ms or by `500ms`, `10s`, `5m`, `2h`, `1d`, `1w`; backwards by `-1d`. */
  readonly advance: (by: number | string) => void;
  /** Stops the clock, until it is told to run. */
  readonly freeze: () => void;
  /** Lets the clock run on from what it shows, at a speed: 2, `1h/1m`, `1d/1s` (a day in each second). */
  readonly run: (speed?: number | string) => void;
}

/** A moment: epoch ms, anything that `Date` reads, or a `Date`. */
export type Moment = number | string | Date;

/** How an SCA ends. */
export type Outcome =
  | `SCA_${'OK' | 'EXEMPTED' | 'CANCEL' | 'TIMEOUT' | 'OTHER_ERROR' | 'NOK' | 'REQUEST_REJECTED' | 'INTERNAL_ERROR'}`
  | `LOGIN_${'CANCEL' | 'TIMEOUT' | 'OTHER_ERROR' | 'REQUEST_REJECTED'}`
  | 'BAD_PASSWORD_LOGIN'
  | 'UNKNOWN_LOGIN';

export interface AuthoriseOptions {
  /** Who authorises, in the living bank: `psu-1`. By default the first who can. */
  readonly psu?: string;
  /** How it ends; by default as was set ahead, or with SCA_OK. */
  readonly outcome?: Outcome;
  /** Resource ids that the PSU selects, where the consent leaves the choice; by default all. */
  readonly accounts?: readonly string[];
  /** Parameters of the authorization request; by default those of the call that gave the link. */
  readonly clientId?: string;
  readonly redirectUri?: string;
  /** `AIS:<consent id>`, `PIS:<payment id>` */
  readonly scope?: string;
  /** By default a new one, as unguessable as it must be. */
  readonly state?: string;
  /** By default that of a new verifier, which the result has. */
  readonly codeChallenge?: string;
  /** `S256` unless the link says otherwise. */
  readonly codeChallengeMethod?: 'S256' | 'plain';
}

/** The parameters with which the browser would return. */
export interface AuthoriseResult {
  readonly url: string;
  readonly code: string | null;
  readonly state: string | null;
  readonly error: string | null;
  readonly errorDescription: string | null;
  /** The PKCE verifier; null where the challenge was given. */
  readonly verifier: string | null;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
}

export interface TppCall {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Beside those that the TPP sends by itself; null leaves one of these out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sends the token, and the Consent-Id of a consent. */
  readonly access?: TppAccess;
  /** Signs the call, for a bank that asks for it. */
  readonly seal?: TppSeal;
}

/** A certificate for seals with its key, and the headers that it signs if not the usual ones: `['digest', '(request-target)']`. */
export interface TppSeal extends CertificateAndKey {
  readonly headers?: readonly string[];
}

export interface TppAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The result of JSON.parse; undefined if the body is no JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface TppAccess {
  /** `AIS:<consent id>`, `PIS:<payment id>` */
  readonly scope: string;
  readonly token: string;
  readonly refreshToken: string | undefined;
}

export interface TestTpp {
  /** `POST /consents`, with a path below the version. A full address is called as it is. */
  readonly call: (operation: string, options?: TppCall) => Promise<TppAnswer>;
  /**
   * Exchanges the code with which `authorise` came back.
   * @throws SandgateError if there is no code, or the bank gives no token for it
   */
  readonly access: (back: AuthoriseResult) => Promise<TppAccess>;
}

/** The client certificates of the set. */
export type CertificateName =
  | 'tpp'
  | `tpp-${'ai' | 'pi' | 'ic' | 'other' | 'ec'}`
  | `bad-${'expired' | 'not-yet-valid' | 'untrusted' | 'no-psd2' | 'no-role' | 'eseal' | 'revoked'}`;

export interface CertificateAndKey {
  /** PEM: the leaf, and the CA above it. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/** In PEM: the CA that the gateway's own certificate is from, and client certificates by name. */
export type TestCertificates = Readonly<Record<CertificateName, CertificateAndKey>> & {
  readonly ca: string;
};

/** Fits `new Agent(…)` of undici, which reads `connect`, and `new Agent(…)` of node:https, which reads the rest. */
export interface AgentOptions {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  readonly connect: { readonly ca: string; readonly cert?: string; readonly key?: string };
}

export interface ComplyOptions {
  /** The least severity that counts; `should` by default, so that notes do not. */
  readonly from?: Finding['severity'];
  /** Whose findings count; those of the TPP by default, because it is what is tested. */
  readonly judges?: Finding['judges'] | 'both';
}
