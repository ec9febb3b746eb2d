/** Requests and answers as values: facts, and what is read from them on demand. */
import { hash } from 'node:crypto';
import { isIpAddress } from '../spec/index.js';
import { readContent, readForm } from './content.js';
import { indexHeaders } from './headers.js';
import { splitTarget } from './link.js';
import type { Body, Content, HeaderIndex, HeaderList, ParameterList } from './wire.js';

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

  protected contentFor(body: Body | null): Content | undefined {
    return body === this.body ? this.#content : undefined;
  }
}

const BEARER = /^bearer +(\S+)$/i;

export class Request extends Message {
  readonly method: string;
  readonly target: string;
  override readonly headers: HeaderList;
  override readonly body: Body | null;
  #split: ReturnType<typeof splitTarget> | undefined;
  #query: ParameterList | undefined;
  #digest: string | null | undefined;
  #bearer: string | null | undefined;

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

  /** The token behind `Bearer` (RFC 6750 2.1; the scheme in any letter case); null where there is none, or several words. */
  get bearer(): string | null {
    if (this.#bearer === undefined) {
      const { authorization = '' } = this.header;
      this.#bearer = BEARER.exec(authorization)?.[1] ?? null;
    }
    return this.#bearer;
  }

  /** Whether PSU-IP-Address is one: it shows that the PSU is there. */
  get hasPsuAddress(): boolean {
    return isIpAddress(this.header['psu-ip-address'] ?? '');
  }

  get query(): ParameterList {
    this.#split ??= splitTarget(this.target);
    this.#query ??= readForm(this.#split.query);
    return this.#query;
  }

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

export const ANSWER_SOURCES = ['rule', 'emulator', 'upstream', 'replay', 'gateway'] as const;
export type AnswerSource = (typeof ANSWER_SOURCES)[number];

export class Answer extends Message {
  readonly source: AnswerSource;
  readonly status: number;
  override readonly headers: HeaderList;
  override readonly body: Body | null;

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
