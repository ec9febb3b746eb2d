/** The one record of a call and its answer that every layer shares. */
import type { CertificateObservation } from '../certificate/index.js';
import { isRead, type OperationId } from '../spec/index.js';
import type { Answer, Request } from './message.js';
import type { Content, HeaderIndex } from './wire.js';

/** Version of the stored and exported form; `upgrade.ts` holds the steps from older ones. */
export const EXCHANGE_FORMAT = 1;

export interface TlsFacts {
  readonly version: string;
  readonly cipher: string;
  readonly resumed: boolean;
}

export interface Connection {
  readonly address: string;
  readonly tls: TlsFacts | null | 'not-observed';
  /** The address of the call if Host does not give it, from another tool's file: `https://api.bank.example/sandbox`. */
  readonly bank?: string;
  /** The gateway called itself, for its operator: to send a call again, to get a token for that, or to make a first journey. */
  readonly sender?: 'sandgate';
}

/** `callback`: none of ours; the notification endpoint of a TPP, which the gateway calls. */
export type ListenerName = OwnListener | 'callback';
export type OwnListener = 'api' | 'psu';

/** A TPP or PSU calls the gateway, or the gateway notifies a TPP in the bank's place. */
export type Direction = 'to-bank' | 'to-tpp';

export function directionOf(listener: ListenerName): Direction {
  return listener === 'callback' ? 'to-tpp' : 'to-bank';
}

export class Call {
  /** Grows with time; see `ids.ts`. */
  readonly id: string;
  readonly session: string;
  /** When its head had arrived, epoch ms by the clock that all is judged by. */
  readonly at: number;
  /** How far that clock was ahead of the machine's, in ms; negative: behind. 0 where nobody moved it. */
  readonly ahead: number;
  readonly listener: ListenerName;
  readonly connection: Connection;
  readonly certificate: CertificateObservation;
  /**
   * The certificate in TPP-Signature-Certificate; `not-observed`: what was signed is no longer here as it was sent.
   * undefined: nobody looked.
   */
  readonly seal: CertificateObservation | undefined;
  /** Who calls: the organizationIdentifier, else `cert:<fingerprint>`, else null. */
  readonly tpp: string | null;
  /** null where the path or the method is unknown. */
  readonly operation: OperationId | null;
  readonly params: Readonly<Record<string, string>>;
  /** Methods that the path offers, where only the method is unknown. */
  readonly allow: readonly string[] | undefined;
  /** Nearest known path, where the path is unknown. */
  readonly nearest: string | undefined;
  readonly request: Request;

  /** Every member is written out: a spread costs more than all else here, for each call. */
  constructor(facts: CallFacts, request = facts.request, params = facts.params) {
    this.id = facts.id;
    this.session = facts.session;
    this.at = facts.at;
    this.ahead = facts.ahead ?? 0;
    this.listener = facts.listener;
    this.connection = facts.connection;
    this.certificate = facts.certificate;
    this.seal = facts.seal;
    this.tpp = facts.tpp;
    this.operation = facts.operation;
    this.params = params;
    this.allow = facts.allow;
    this.nearest = facts.nearest;
    this.request = request;
  }

  get header(): HeaderIndex {
    return this.request.header;
  }

  get content(): Content {
    return this.request.content;
  }

  get direction(): Direction {
    return directionOf(this.listener);
  }

  with(facts: Partial<CallFacts>): Call {
    return new Call({ ...this, ...facts });
  }

  sending(request: Request, changeParam?: (value: string) => string): Call {
    if (changeParam === undefined) return request === this.request ? this : new Call(this, request);
    const params = Object.entries(this.params).map(([name, value]) => [name, changeParam(value)]);
    return new Call(this, request, Object.fromEntries(params));
  }
}

type Derived = 'header' | 'content' | 'direction' | 'with' | 'sending';
type CallFacts = Omit<Call, Derived | Optional> & Partial<Pick<Call, Optional>>;
type Optional = 'ahead' | 'seal' | 'allow' | 'nearest';

export type CallTime = Pick<Call, 'at' | 'ahead'>;

/** When a call arrived by the clock of the machine, which nobody moves: calls are in order by it. Epoch ms. */
export const arrivedAt = ({ at, ahead }: CallTime): number => at - ahead;

export const CLOCK_STEP_MS = 1;

/** The time in a file, cut to whole ms, which clocks count and stores keep. */
export const timeOfFile = (arrived: number, ahead: number): CallTime => {
  const whole = Math.floor(ahead);
  return { at: Math.floor(arrived) + whole, ahead: whole };
};

/** OpenSSL names the alerts of SSL 3 anew since 3.2, and Node makes its codes of these names. */
export const alertName = (code: string): string => code.replace('_SSL/TLS_ALERT_', '_SSLV3_ALERT_');

/** `unfinished`: sent on; what became of it is not recorded. `injected`: a fault that an operator set left it without an answer. */
export const FAULT_KINDS = [
  'handshake',
  'unparseable',
  'timeout',
  'client-gone',
  'refused',
  'dns',
  'tls',
  'reset',
  'malformed',
  'too-large',
  'overload',
  'internal',
  'unfinished',
  'injected',
] as const;

/** A failure of transport, apart from any HTTP answer: what failed and, in plain words, why. */
export interface Fault {
  readonly kind: (typeof FAULT_KINDS)[number];
  readonly message: string;
}

/** The effect of an operator's fault on a call. Neither side is blamed for it, and a replay repeats it. */
export interface Injection {
  /** The fault's own id. */
  readonly fault: string;
  /** One of the kinds that `sandgate faults kinds` lists. */
  readonly kind: string;
  /**
   * The status that the bank answered, where something else arrived, or nothing; null: the bank was not asked. Absent: its
   * answer arrived.
   */
  readonly did?: number | null;
  /** Ms for which the call or its answer was held back. */
  readonly ms?: number;
  /** How the answer broke off; `hang`: nothing came, and the connection stayed open. */
  readonly end?: (typeof ENDS)[number];
  /** Bytes of the body that arrived a second, or at all where it broke off. */
  readonly bytes?: number;
}

/** Before its head, within its body, behind it, with a TCP reset, or never. */
export const ENDS = ['head', 'body', 'after', 'reset', 'hang'] as const;

/** In ms. */
export interface Elapsed {
  /** From `call.at` to the answer. */
  readonly total: number;
  /** The bank’s share of it: from when it was asked to the end of its answer. */
  readonly answerer: number;
  /** From when it was asked to the first byte of its answer. Absent: not known, or no bank answered. */
  readonly firstByte?: number;
}

export interface Exchange {
  readonly call: Call;
  /** null where none could be given (a failed handshake, an unanswered callback). */
  readonly answer: Answer | null;
  readonly fault: Fault | null;
  readonly elapsed: Elapsed;
  /**
   * How many steps of its world (a reset of the bank, say) came while it was under way: the newest of those in front of
   * it, behind which it did not arrive. Absent: none.
   */
  readonly crossed?: number;
  readonly injected?: Injection;
  /**
   * `AIS:<consent id>`, where it names its consent or payment by a code, a token or an authorisation alone, or where a read
   * that failed names another one than its token: as the ledger knew it. Not in files, whose readers fold them again.
   */
  readonly scope?: string;
  /** Its content is not here: it was erased, or its key is not at hand. Times, operation, status and verdicts are. */
  readonly withheld?: Withheld;
}

export const WITHHELD = {
  erased: 'Its content was erased.',
  enciphered: 'Its content is enciphered, and its key is not at hand.',
} as const;
export type Withheld = keyof typeof WITHHELD;

/** The status that the bank itself answered, whatever arrived of it; null where it answered nothing. */
export const bankStatusOf = ({ answer, injected }: Pick<Exchange, 'answer' | 'injected'>): number | null =>
  injected?.did === undefined ? (answer?.status ?? null) : injected.did;

/** The gateway answers in the bank's place with 502 and 504 alone; its own refusals of a call are others. */
export const isForBank = (answer: Answer | null): boolean =>
  answer?.source === 'gateway' && (answer.status === 502 || answer.status === 504);

/** An injected fault put another status, or nothing, in the place of the bank's answer. */
export const isReplaced = ({ answer, injected }: Pick<Exchange, 'answer' | 'injected'>): boolean =>
  injected?.did !== undefined && injected.did !== (answer?.status ?? null);

/** It never became a call: a handshake that failed, bytes that are no HTTP, one connection too many. */
export const isFailedConnection = ({ call, fault }: Pick<Exchange, 'call' | 'fault'>): boolean =>
  call.request.method === '' && fault !== null;

/** By these some servers take a request for one of another method. */
const METHOD_OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

/**
 * Whether a call is a read of the specification, and nothing about it could make it another. What is no operation may
 * change anything at a bank, by whatever method it is sent.
 */
export function isPlainRead({ operation, request, header }: Call): boolean {
  return (
    operation !== null &&
    isRead(operation) &&
    request.body === null &&
    METHOD_OVERRIDES.every((name) => header[name] === undefined)
  );
}
