/** Limits on calls to the bank. */

/** Times in ms, sizes in bytes. */
export interface UpstreamLimits {
  /** TCP and TLS together. */
  readonly connectMs: number;
  /** From the request being sent to the head of the answer. */
  readonly firstByteMs: number;
  /** Between two pieces of a body. */
  readonly idleMs: number;
  /** The whole call, up to the end of its answer, or to where that begins to be streamed. */
  readonly wholeMs: number;
  /** A body that is streamed, from its head to its end. */
  readonly streamMs: number;
  /** How long an unused connection is kept, unless the bank hints otherwise. */
  readonly keepAliveMs: number;
  /** Calls on their way to the bank at one time. */
  readonly concurrency: number;
  /** Calls that wait for one of these to end. */
  readonly queued: number;
  readonly queueMs: number;
  /** Websockets of the bank's pages at one time. */
  readonly websockets: number;
  /** The header fields of an answer. */
  readonly headBytes: number;
  /** Bodies up to here are read whole, judged and recorded; larger ones are streamed. On the wire, before decoding. */
  readonly recordBytes: number;
  /** What of a streamed body is recorded, where it is uncoded text. */
  readonly prefixBytes: number;
  /** What a whole body may grow to when it is decoded. */
  readonly decodedBytes: number;
}

export const UPSTREAM_LIMITS: UpstreamLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  idleMs: 30_000,
  wholeMs: 60_000,
  streamMs: 600_000,
  keepAliveMs: 4_000,
  concurrency: 256,
  queued: 1_024,
  queueMs: 10_000,
  websockets: 64,
  headBytes: 65_536,
  recordBytes: 1_048_576,
  prefixBytes: 16_384,
  decodedBytes: 16_777_216,
};
