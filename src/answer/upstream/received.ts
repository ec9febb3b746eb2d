/** The results of a request to the bank: a whole answer, a streamed one, or a failure. */
import type { Readable } from 'node:stream';
import type { Body } from '../../exchange/index.js';

export type Headers = [name: string, value: string][];

export interface WholeAnswer {
  readonly kind: 'whole';
  readonly status: number;
  readonly headers: Headers;
  /** The bytes on the wire. */
  readonly bytes: Buffer;
}

export interface StreamedAnswer {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: Headers;
  readonly stream: Readable;
  /** The body, as known at its beginning. */
  readonly body: Body;
  readonly ended: Promise<StreamEnd>;
}

export interface StreamEnd {
  readonly body: Body;
  readonly error: unknown;
}

/** How far an answer had come when it failed. */
export type Stage = 'unsent' | 'awaited' | 'head' | 'body';

export interface ReceptionFailure {
  readonly kind: 'failed';
  readonly error: unknown;
  readonly stage: Stage;
  /** Whether the connection was made for this call; a kept one may have been dead. */
  readonly fresh: boolean;
}

export type Received = WholeAnswer | StreamedAnswer | ReceptionFailure;

/** Why the gateway itself ended a call. */
export type Ending = 'client-gone' | 'whole-timeout' | 'stream-timeout' | 'no-status';

export class Ended extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending);
    this.name = 'Ended';
    this.ending = ending;
  }
}
