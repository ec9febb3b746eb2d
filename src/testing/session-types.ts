/** The session of a gateway as a test reads it. These declarations are the package's: they import nothing of the program. */

/** The operations of the interface, by the ids that rules, filters and reports use. */
export type OperationName =
  | `consents.${'create' | 'read' | 'status' | 'delete' | AuthorisationStep}`
  | `payments.${'create' | 'read' | 'status' | 'cancel' | AuthorisationStep}`
  | `payments.cancellation-authorisations.${'create' | 'list' | 'read' | 'update'}`
  | `accounts.${'list' | 'read' | 'balances' | 'transactions' | 'transaction'}`
  | `oauth.${'authorize' | 'token' | 'discovery'}`
  | 'sca.redirect'
  | 'funds-confirmations.create'
  | 'notifications.simulate';
type AuthorisationStep = `authorisations.${'create' | 'list' | 'read' | 'update'}`;

export type Severity = 'must' | 'should' | 'note' | 'off';

/** A finding against a rule. */
export interface Finding {
  /** Its id. */
  readonly rule: string;
  readonly severity: Exclude<Severity, 'off'>;
  /** Whose fault it is: the TPP's or the bank's. */
  readonly judges: 'tpp' | 'aspsp';
  /** `header X-Request-ID`, `body validUntil`, `answer status` */
  readonly place: string;
  readonly expected: string;
  readonly actual?: string;
  /** The reason of the waiver that covers it. */
  readonly waived?: string;
}

/** In the order in which they came, duplicates kept. */
export type NameValueList = readonly (readonly [name: string, value: string])[];

export interface SessionBody {
  /** Decoded of any content coding; UTF-8 text, or base64 where `base64` is set. */
  readonly text: string;
  readonly base64?: true;
  /** Bytes on the wire. */
  readonly size: number;
  /** Only the first part is in `text`; `sha256` (hex) is of all bytes. */
  readonly truncated?: true;
  readonly sha256?: string;
}

/** A body as its media type reads. */
export type SessionContent =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: NameValueList }
  | { readonly kind: 'unparseable'; readonly problem: string }
  | { readonly kind: 'none' | 'opaque' | 'not-observed' };

interface SessionMessage {
  readonly headers: NameValueList;
  /** By name in lower case; duplicates are joined with `, `. */
  readonly header: Readonly<Record<string, string>>;
  readonly body: SessionBody | null;
  readonly content: SessionContent;
}

export interface SessionCall {
  /** The id of the exchange; grows with time. */
  readonly id: string;
  readonly session: string;
  /** Epoch ms by the gateway's clock. */
  readonly at: number;
  /** How far that clock was ahead of the machine's, in ms. */
  readonly ahead: number;
  /** `callback`: the gateway called the TPP. */
  readonly listener: 'api' | 'psu' | 'callback';
  readonly direction: 'to-bank' | 'to-tpp';
  /** null where the path or the method is unknown. */
  readonly operation: OperationName | null;
  readonly params: Readonly<Record<string, string>>;
  /** Who calls: the organizationIdentifier, else `cert:<fingerprint>`, else null. */
  readonly tpp: string | null;
  readonly certificate: SessionCertificate | 'absent' | 'not-observed';
  readonly request: SessionMessage & {
    readonly method: string;
    /** Path and query as they came. */
    readonly target: string;
    readonly path: string;
    readonly query: NameValueList;
  };
  /** Fields as in `request`. */
  readonly header: SessionMessage['header'];
  readonly content: SessionContent;
}

/** The facts of a client certificate. */
export interface SessionCertificate {
  /** SHA-256 in hex. */
  readonly fingerprint256: string;
  readonly serialNumber: string;
  readonly subject: string;
  readonly issuer: string;
  readonly organizationIdentifier: { readonly text: string } | null;
  readonly organization: string | null;
  readonly commonName: string | null;
  readonly ncaName: string | null;
  readonly ncaId: string | null;
  /** ISO 8601 in UTC. */
  readonly notBefore: string;
  readonly notAfter: string;
}

export interface SessionAnswer extends SessionMessage {
  readonly status: number;
  /** Who answered: `emulator`, `replay`, `upstream`, `rule`, … */
  readonly source: string;
}

/** A call and its answer, with what was judged of them. Secrets stand as fingerprints. */
export interface SessionExchange {
  readonly call: SessionCall;
  /** null where none could be given. */
  readonly answer: SessionAnswer | null;
  /** A failure of transport: what failed and, in plain words, why. */
  readonly fault: { readonly kind: string; readonly message: string } | null;
  /** In ms to the answer; `answerer` is the bank's share of it, `firstByte` that up to the first byte of its answer. */
  readonly elapsed: { readonly total: number; readonly answerer: number; readonly firstByte?: number };
  /** By rule id; rules that are not applicable are left out. */
  readonly verdicts: Readonly<Record<string, 'complied' | 'violated' | 'not-observed'>>;
  readonly findings: readonly Finding[];
}

/** A finding, and the exchange that it is from. */
export interface SessionFinding extends Finding {
  readonly exchange: string;
  readonly operation: OperationName | null;
  readonly method: string;
  readonly path: string;
  /** null where no answer was given. */
  readonly status: number | null;
}

/** The coverage of the recording that answers. */
export interface ReplayCoverage {
  /** The recording's name, as the user gave it. */
  readonly recording: string;
  /** How many days later than the recording this run is. */
  readonly daysShifted: number;
  readonly used: readonly CoveredExchange[];
  readonly unused: readonly CoveredExchange[];
  /** Recorded clients that nothing told apart, a sentence for each group: the recorded order decided who is who. */
  readonly undecided: readonly string[];
  /** Calls that it has no answer to; `handedOn` to the next source of the chain, or explained in a 404. */
  readonly missed: readonly {
    readonly exchange: string;
    readonly method: string;
    readonly path: string;
    readonly text: string;
    readonly handedOn: boolean;
  }[];
}

export interface CoveredExchange {
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface Session {
  readonly name: string;
  /** In the order of recording. */
  readonly exchanges: readonly SessionExchange[];
  /** Findings on all exchanges, in the same order. */
  readonly findings: readonly SessionFinding[];
  /** Rules that are not judged here, by profile or by override. */
  readonly switchedOff: readonly string[];
  /** null where nothing is replayed. */
  readonly replay: ReplayCoverage | null;
  /** The cassette that is written when the gateway closes; null where none is. */
  readonly recordsTo: string | null;
}
