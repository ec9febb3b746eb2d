/** Receives one answer from undici: read whole up to the cap, streamed beyond it. */
import type { Dispatcher } from 'undici';
import { codingsOf } from '../../exchange/index.js';
import type { AnswerContext, ClientSignal } from '../answerer.js';
import type { Connection } from './connections.js';
import { codeOf } from './failures.js';
import { answerHeaders, fieldOf } from './forward-headers.js';
import type { UpstreamLimits } from './limits.js';
import { Ended, type Ending, type Headers, type Received, type Stage } from './received.js';
import { type AnswerStream, createAnswerStream, createBodyTally } from './streamed-bodies.js';

export interface ReceptionParts {
  readonly limits: UpstreamLimits;
  /** Asked for its signal late where `patient`. */
  readonly context: Pick<AnswerContext, 'signal' | 'inform' | 'heard'>;
  /** The call may go on for a moment when its client is gone: most answers come before anybody has to look. */
  readonly patient: boolean;
  readonly connection: Connection;
  readonly resolve: (received: Received) => void;
  /** Called once, when undici has let go of the call. */
  readonly onFinal: () => void;
}

/** For how long a patient call does not look whether its client is there. */
const PATIENCE_MS = 20;

/** A client that does not read must not be piled up with answers of 1xx. */
const MOST_INFORMED = 16;

/**
 * A class, because it is undici's handler and lives as long as the answer: no closure is made for a call. Its methods are
 * those that undici 7 calls itself; the newer ones it would wrap, with a controller and an object of the fields for each
 * answer.
 */
export class Reception implements Dispatcher.DispatchHandler {
  readonly #parts: ReceptionParts;
  #timer: NodeJS.Timeout;
  #signal: ClientSignal | null = null;
  #stage: Stage = 'unsent';
  #fresh = false;
  #resolved = false;
  #ending: Ended | null = null;
  #status = 0;
  #informed = 0;
  #headers: Headers = [];
  #chunks: Buffer[] = [];
  #size = 0;
  #streaming: AnswerStream | null = null;
  #paused = false;
  #resume: (() => void) | null = null;

  constructor(parts: ReceptionParts) {
    this.#parts = parts;
    if (parts.patient) this.#timer = setTimeout(listenLate, PATIENCE_MS, this);
    else {
      this.#timer = setTimeout(endLate, parts.limits.wholeMs, this);
      this.listen();
    }
  }

  listen(): void {
    this.#signal = this.#parts.context.signal;
    if (this.#signal.aborted) this.end('client-gone');
    else this.#signal.addEventListener('abort', this, { once: true });
  }

  listenLate(): void {
    this.#timer = setTimeout(endLate, this.#parts.limits.wholeMs - PATIENCE_MS, this);
    this.listen();
  }

  handleEvent(): void {
    this.end('client-gone');
  }

  end(ending: Ending): void {
    if (this.#ending !== null) return;
    const ended = new Ended(ending);
    this.#ending = ended;
    // A connection that is still being made is left to the next call.
    if (this.#stage !== 'unsent') void this.#parts.connection.drop(ended);
    if (this.#streaming !== null) this.#streaming.finish(ended);
    else this.#fail(ended);
  }

  onConnect(): void {
    this.#fresh = this.#parts.connection.takeFresh();
    // Thrown, undici gives the call up and keeps the connection.
    if (this.#ending !== null) throw this.#ending;
    this.#stage = 'awaited';
  }

  onResponseStarted(): void {
    this.#stage = 'head';
    this.#parts.context.heard?.();
  }

  onHeaders(status: number, raw: readonly Buffer[], resume: () => void): boolean {
    // Thrown, undici ends the call and its connection.
    if (status < 100) throw new Ended('no-status');
    if (status < 200) {
      if (++this.#informed <= MOST_INFORMED) this.#parts.context.inform?.(status, answerHeaders(raw));
      return true;
    }
    this.#status = status;
    this.#headers = answerHeaders(raw);
    this.#stage = 'body';
    this.#resume = resume;
    return true;
  }

  /** False: no more, until it is resumed. */
  onData(chunk: Buffer): boolean {
    if (this.#streaming !== null) {
      if (!this.#streaming.push(chunk)) this.#paused = true;
    } else {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size > this.#parts.limits.recordBytes) this.#stream();
    }
    return !this.#paused;
  }

  onComplete(): void {
    const streaming = this.#streaming;
    if (streaming !== null) streaming.finish(null);
    else {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      const [status, headers] = [this.#status, this.#headers];
      this.#resolve({ kind: 'whole', status, headers, bytes: bytes ?? Buffer.alloc(0) });
    }
    this.#final();
    if (this.#ending === null) this.#parts.connection.release();
    this.#parts.onFinal();
  }

  onError(error: Error): void {
    // RFC 9110 8.6: the length of a 304 is that of the body it does not have. undici misses that body.
    if (this.#status === 304 && this.#size === 0 && codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      this.onComplete();
      return;
    }
    const cause = this.#ending ?? error;
    if (this.#streaming !== null) this.#streaming.finish(cause);
    else this.#fail(cause);
    this.#final();
    if (this.#ending !== null && this.#stage === 'unsent' && error === this.#ending)
      this.#parts.connection.release();
    // Not now: undici is in the middle of telling of the error.
    else setImmediate(dropConnection, this.#parts.connection);
    this.#parts.onFinal();
  }

  #stream(): void {
    const { limits } = this.#parts;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(endStreamLate, limits.streamMs, this);
    if (this.#signal === null) this.listen();
    const plain = codingsOf(fieldOf(this.#headers, 'content-encoding')).length === 0;
    const tally = createBodyTally(plain ? limits.prefixBytes : 0);
    const streaming = createAnswerStream({
      tally,
      onCaughtUp: () => {
        if (!this.#paused) return;
        this.#paused = false;
        this.#resume?.();
      },
      onDropped: () => this.end('client-gone'),
    });
    for (const chunk of this.#chunks) streaming.push(chunk);
    this.#chunks = [];
    this.#streaming = streaming;
    this.#paused = true;
    const declared = Number(fieldOf(this.#headers, 'content-length') ?? this.#size);
    this.#resolve({
      kind: 'stream',
      status: this.#status,
      headers: this.#headers,
      stream: streaming.stream,
      body: { text: '', size: declared, truncated: true },
      ended: streaming.ended,
    });
  }

  #fail(error: unknown): void {
    this.#resolve({ kind: 'failed', error, stage: this.#stage, fresh: this.#fresh });
  }

  #resolve(received: Received): void {
    if (this.#resolved) return;
    this.#resolved = true;
    this.#parts.resolve(received);
  }

  #final(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
  }
}

function dropConnection(connection: Connection): void {
  void connection.drop();
}

function listenLate(reception: Reception): void {
  reception.listenLate();
}

function endLate(reception: Reception): void {
  reception.end('whole-timeout');
}

function endStreamLate(reception: Reception): void {
  reception.end('stream-timeout');
}
