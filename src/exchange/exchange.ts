/** The one record of a call and its answer: plain JSON values that every layer shares. */
import type { CertificateObservation } from '../certificate/index.js';
import type { OperationId } from '../spec/index.js';

/** Version of the stored and exported form; `upgrade.ts` holds the steps from older ones. */
export const EXCHANGE_FORMAT = 1;

/** Header fields in the order and letter case in which they came, duplicates kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Header values by lower-case name; of duplicates joined with `, ` as RFC 9110 5.3 has it. */
export type HeaderIndex = Readonly<Record<string, string>>;

export interface Body {
  /** Decoded of any content coding; UTF-8 text, or base64 where `base64` is set. */
  readonly text: string;
  readonly base64?: true;
  /** Bytes on the wire. */
  readonly size: number;
  /** Only the first part is in `text`; `sha256` (hex) is of all wire bytes. */
  readonly truncated?: true;
  readonly sha256?: string;
}

/** A body as its media type reads. Derived from `Body`, never stored. */
export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [string, string])[] }
  /** Text, XML, bytes: nothing to look into. */
  | { readonly kind: 'opaque' }
  /** Does not parse as its media type says; `problem` tells where. */
  | { readonly kind: 'unparseable'; readonly problem: string }
  /** Truncated in the recording. */
  | { readonly kind: 'not-observed' };

export interface TlsFacts {
  /** `TLSv1.3`, … */
  readonly version: string;
  readonly cipher: string;
  readonly resumed: boolean;
}

export interface Connection {
  readonly address: string;
  /** null: plain HTTP. */
  readonly tls: TlsFacts | null | 'not-observed';
  /** Where the call went, where Host does not say it: `https://api.bank.example/sandbox`, as a file of others has it. */
  readonly bank?: string;
}

export interface Request {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: HeaderList;
  readonly body: Body | null;
}

export type ListenerName = 'api' | 'psu' | 'callback';

/** An exchange without its answer. */
export interface Call {
  /** Grows with time; see `ids.ts`. */
  readonly id: string;
  readonly session: string;
  /** When its head had arrived, epoch ms. */
  readonly at: number;
  readonly listener: ListenerName;
  readonly connection: Connection;
  readonly certificate: CertificateObservation;
  /** Who calls: the organizationIdentifier, else `cert:<fingerprint>`, else null. */
  readonly tpp: string | null;
  /** null where the path or the method is unknown. */
  readonly operation: OperationId | null;
  readonly params: Readonly<Record<string, string>>;
  /** Methods that the path offers, where only the method is unknown. */
  readonly allow?: readonly string[];
  /** Nearest known path, where the path is unknown. */
  readonly nearest?: string;
  readonly request: Request;
  /** Derived from `request`; not stored. */
  readonly header: HeaderIndex;
  readonly content: Content;
}

export type AnswerSource = 'rule' | 'emulator' | 'upstream' | 'replay' | 'gateway';

export interface Answer {
  readonly source: AnswerSource;
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Body | null;
  /** Derived; not stored. */
  readonly header: HeaderIndex;
  readonly content: Content;
}

/** A failure of transport, apart from any HTTP answer: what failed and, in plain words, why. */
export interface Fault {
  readonly kind:
    | 'handshake'
    | 'unparseable'
    | 'timeout'
    | 'client-gone'
    | 'refused'
    | 'dns'
    | 'tls'
    | 'reset'
    | 'malformed'
    | 'too-large'
    | 'overload'
    | 'internal'
    /** Sent on; what became of it is not recorded. */
    | 'unfinished';
  readonly message: string;
}

export interface Exchange {
  readonly call: Call;
  /** null where none could be given (a failed handshake, an unanswered callback). */
  readonly answer: Answer | null;
  readonly fault: Fault | null;
  /** In ms from `call.at` to the answer; `answerer` is the bank's share of it. */
  readonly elapsed: { readonly total: number; readonly answerer: number };
}
