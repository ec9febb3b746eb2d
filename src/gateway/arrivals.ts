/** The types that pass between listeners and pipeline. */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ClientSignal } from '../answer/index.js';
import type { CertificateObservation } from '../certificate/index.js';
import type {
  Answer,
  Body,
  Connection,
  Fault,
  HeaderList,
  Injection,
  OwnListener,
} from '../exchange/index.js';
import type { Finding } from '../rules/index.js';
import type { WireErrorCode } from '../spec/index.js';

/** The bytes of a body as they came: whoever sends a call on sends these. */
export interface RawBody {
  /** All of them, or those before `rest`. */
  readonly bytes: Uint8Array;
  /** Takes in what is left of a body over the limit, always the same stream; null where there is no more. */
  readonly rest: (() => Readable) | null;
  /** Lets no more of it pass, and tells what is known of what did; null where `rest` was never asked for. */
  readonly endPassing: () => Promise<Body> | null;
}

export interface Peer {
  readonly connection: Connection;
  readonly certificate: CertificateObservation;
}

/** A fault that ends a call before any bank is asked. */
export interface GatewayFault {
  /** null: nobody is left to answer. */
  readonly status: number | null;
  readonly code: WireErrorCode;
  readonly text: string;
  readonly fault: Fault;
  /** In seconds: when another try may fare better. */
  readonly retryAfter?: number;
}

export interface BodyRead {
  readonly body: Body | null;
  readonly problem: GatewayFault | null;
  /** The gateway cannot read the body for this reason; only a source that sends the call on as it is can answer it. */
  readonly unread: GatewayFault | null;
  readonly raw: RawBody | null;
}

/** A request with its body, as it came from a socket. */
export interface Incoming extends BodyRead {
  readonly listener: OwnListener;
  readonly peer: Peer;
  /** When its head had arrived, and how far the clock was ahead of the machine's: see `Call`. */
  readonly at: number;
  readonly ahead: number;
  /** The same moment on the stopwatch, in ms. */
  readonly started: number;
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly gone: ClientSignal;
  readonly response?: ServerResponse;
}

export interface Outgoing {
  /** null: nothing of it is recorded. */
  readonly exchange: string | null;
  readonly answer: Answer;
  readonly wire: Uint8Array | Readable | undefined;
  readonly findings: readonly Finding[];
  /** What a fault does to the answer. */
  readonly injected?: Injection | undefined;
}
