/** The one record of a call and its answer that every layer shares: facts, and what is read from them on demand. */
import { hash } from 'node:crypto';
import type { CertificateObservation } from '../certificate/index.js';
import { isIpAddress, type OperationId } from '../spec/index.js';
import { readContent, readForm } from './content.js';
import { indexHeaders } from './headers.js';
import { splitTarget } from './link.js';
import type { Body, Content, HeaderIndex, HeaderList, ParameterList } from './wire.js';

/** Version of the stored and exported form; `upgrade.ts` holds the steps from older ones. */
export const EXCHANGE_FORMAT = 1;

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

/** Header fields and a body, and what is read of them: each once, when it is first asked for. */
abstract class Message {
  abstract readonly headers: HeaderList;
  abstract readonly body: Body | null;
  #header: HeaderIndex | undefined;
  #content: Content | undefined;

  constructor(content: Content | undefined) {
    this.#header = undefined;
    this.#content = content;
  }

  get header(): HeaderIndex {
    this.#header ??= indexHeaders(this.headers);
    return this.#header;
  }

  get content(): Content {
    this.#content ??= readContent(this.body, this.header['content-type']);
    return this.#content;
  }

  /** What was read already of a body that stays. */
  protected contentFor(body: Body | null): Content | undefined {
    return body === this.body ? this.#content : undefined;
  }
}

export class Request extends Message {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  override readonly headers: HeaderList;
  override readonly body: Body | null;
  #split: ReturnType<typeof splitTarget> | undefined;
  #query: ParameterList | undefined;
  #digest: string | null | undefined;
  #bearer: string | null | undefined;
  #hasPsuAddress: boolean | undefined;

  /** `content` where it is known already, or is to be read in another way than the media type says. */
  constructor(method: string, target: string, headers: HeaderList, body: Body | null, content?: Content) {
    super(content);
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = body;
    this.#split = undefined;
    this.#query = undefined;
    this.#digest = undefined;
    this.#bearer = undefined;
    this.#hasPsuAddress = undefined;
  }

  get path(): string {
    this.#split ??= splitTarget(this.target);
    return this.#split.path;
  }

  /** Equal for the same request sent again; null where the body was not recorded whole and has no digest. */
  get digest(): string | null {
    if (this.#digest === undefined) this.#digest = digestOf(this);
    return this.#digest;
  }

  /** The token behind `Bearer` (RFC 6750 2.1; the scheme in any letter case); null where there is none. */
  get bearer(): string | null {
    if (this.#bearer === undefined) {
      const { authorization = '' } = this.header;
      const isBearer = authorization.length >= 8 && authorization.slice(0, 7).toLowerCase() === 'bearer ';
      this.#bearer = isBearer ? authorization.slice(7).trim() || null : null;
    }
    return this.#bearer;
  }

  /** Whether PSU-IP-Address is one: it shows that the PSU is there. */
  get hasPsuAddress(): boolean {
    this.#hasPsuAddress ??= isIpAddress(this.header['psu-ip-address'] ?? '');
    return this.#hasPsuAddress;
  }

  get query(): ParameterList {
    this.#split ??= splitTarget(this.target);
    this.#query ??= readForm(this.#split.query);
    return this.#query;
  }

  /** Its body read in another way than the media type says. */
  readAs(content: Content): Request {
    return new Request(this.method, this.target, this.headers, this.body, content);
  }

  with(target: string, headers: HeaderList, body: Body | null): Request {
    if (target === this.target && headers === this.headers && body === this.body) return this;
    return new Request(this.method, target, headers, body, this.contentFor(body));
  }
}

const LONGEST_IN_CLEAR = 200;

/**
 * A path without query or body stays in clear, since hashing it would cost a quarter of what all rules do; for memory only,
 * see `storedDigest`.
 */
function digestOf({ method, target, body }: Request): string | null {
  const payload = body === null ? '' : (body.sha256 ?? (body.truncated === true ? null : body.text));
  if (payload === null) return null;
  const line = `${method} ${target}`;
  const isPath = payload === '' && line.length <= LONGEST_IN_CLEAR && !target.includes('?');
  return isPath ? line : hash('sha256', `${line}\n${payload}`, 'base64url');
}

/** A digest of a request as it may be kept, and equal for equal ones: somebody may have put a secret into the path. */
export const storedDigest = (digest: string): string =>
  digest.includes(' ') ? hash('sha256', `${digest}\n`, 'base64url') : digest;

/** `callback`: none of ours; the notification endpoint of a TPP, which the gateway calls. */
export type ListenerName = OwnListener | 'callback';
/** Those that calls arrive at. */
export type OwnListener = 'api' | 'psu';

/** A TPP or PSU calls the gateway, or the gateway notifies a TPP in the bank's place. */
export type Direction = 'to-bank' | 'to-tpp';

export function directionOf(listener: ListenerName): Direction {
  return listener === 'callback' ? 'to-tpp' : 'to-bank';
}

/** An exchange without its answer. */
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

  /** With another request and, where it leads elsewhere, other path parameters. */
  sending(request: Request, changeParam?: (value: string) => string): Call {
    if (changeParam === undefined) return request === this.request ? this : new Call(this, request);
    const params = Object.entries(this.params).map(([name, value]) => [name, changeParam(value)]);
    return new Call(this, request, Object.fromEntries(params));
  }
}

type Derived = 'header' | 'content' | 'direction' | 'with' | 'sending';
type CallFacts = Omit<Call, Derived | 'ahead' | 'allow' | 'nearest'> &
  Partial<Pick<Call, 'ahead' | 'allow' | 'nearest'>>;

/** When something happened: by the clock that all is judged by, and how far that is from the machine's. */
export type CallTime = Pick<Call, 'at' | 'ahead'>;

/** When a call arrived by the clock of the machine, which nobody moves: calls are in order by it. Epoch ms. */
export const arrivedAt = ({ at, ahead }: CallTime): number => at - ahead;

/** Times of calls are whole milliseconds. */
export const CLOCK_STEP_MS = 1;

/** As a file tells it. Clocks count whole ms, and stores keep them: what a file has besides is cut off. */
export const timeOfFile = (arrived: number, ahead: number): CallTime => {
  const whole = Math.floor(ahead);
  return { at: Math.floor(arrived) + whole, ahead: whole };
};

export const ANSWER_SOURCES = ['rule', 'emulator', 'upstream', 'replay', 'gateway'] as const;
export type AnswerSource = (typeof ANSWER_SOURCES)[number];

export class Answer extends Message {
  readonly source: AnswerSource;
  readonly status: number;
  override readonly headers: HeaderList;
  override readonly body: Body | null;

  /** `content` where it is known already. */
  constructor(
    source: AnswerSource,
    status: number,
    headers: HeaderList,
    body: Body | null,
    content?: Content,
  ) {
    super(content);
    this.source = source;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  with(headers: HeaderList, body: Body | null): Answer {
    if (headers === this.headers && body === this.body) return this;
    return new Answer(this.source, this.status, headers, body, this.contentFor(body));
  }
}

/** `unfinished`: sent on; what became of it is not recorded. */
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
] as const;

/** A failure of transport, apart from any HTTP answer: what failed and, in plain words, why. */
export interface Fault {
  readonly kind: (typeof FAULT_KINDS)[number];
  readonly message: string;
}

export interface Exchange {
  readonly call: Call;
  /** null where none could be given (a failed handshake, an unanswered callback). */
  readonly answer: Answer | null;
  readonly fault: Fault | null;
  /** In ms from `call.at` to the answer; `answerer` is the bank's share of it. */
  readonly elapsed: { readonly total: number; readonly answerer: number };
  /**
   * How many steps of its world (a reset of the bank, say) came while it was under way: the newest of those in front of
   * it, behind which it did not arrive. Absent: none.
   */
  readonly crossed?: number;
}

/** It never became a call: a handshake that failed, bytes that are no HTTP, one connection too many. */
export const isFailedConnection = ({ call, fault }: Pick<Exchange, 'call' | 'fault'>): boolean =>
  call.request.method === '' && fault !== null;
