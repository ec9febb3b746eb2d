/** What the listeners hand to the pipeline, and what they get back. */
import type { Readable } from 'node:stream';
import type { Answer, Body, HeaderList } from '../exchange/index.js';
import type { Finding } from '../rules/index.js';
import type { GatewayFault } from './faults.js';
import type { Peer } from './peers.js';

/** The listeners that calls arrive at. */
export type Side = 'api' | 'psu';

/** A request with its body, as it came from a socket. */
export interface Incoming {
  readonly listener: Side;
  readonly peer: Peer;
  /** When its head had arrived, epoch ms. */
  readonly at: number;
  /** The same moment on the stopwatch, in ms. */
  readonly started: number;
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Body | null;
  /** What kept the request from being read whole, or taken. */
  readonly problem: GatewayFault | null;
  /** Made when asked for; aborted when the client goes away. */
  readonly signal: () => AbortSignal;
}

/** What goes back over the wire, once it is recorded. */
export interface Outgoing {
  readonly exchange: string;
  readonly answer: Answer;
  /** Where it is not the text of the answer's body. */
  readonly wire: Uint8Array | Readable | undefined;
  /** What was found before the answer. */
  readonly findings: readonly Finding[];
}
