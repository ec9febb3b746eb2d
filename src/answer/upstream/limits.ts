/** Limits on calls to the bank; times in ms, sizes in bytes. */
export const UPSTREAM_LIMITS = {
  /** TCP and TLS together. */
  connectMs: 10_000,
  /** From the request being sent to the head of the answer. */
  firstByteMs: 30_000,
  /** Between two pieces of a body. */
  idleMs: 30_000,
  /** The whole call, up to the end of its answer, or to where that begins to be streamed. */
  wholeMs: 60_000,
  /** A body that is streamed, from its head to its end. */
  streamMs: 600_000,
  /** How long an unused connection is kept, unless the bank hints otherwise. */
  keepAliveMs: 4_000,
  /** Calls on their way to the bank at one time. */
  concurrency: 256,
  /** Calls that wait for one of these to end. */
  queued: 1_024,
  queueMs: 10_000,
  /** Websockets of the bank's pages at one time. */
  websockets: 64,
  /** The header fields of an answer. */
  headBytes: 65_536,
  /** Bodies up to here are read whole, judged and recorded; larger ones are streamed. On the wire, before decoding. */
  recordBytes: 1_048_576,
  /** The recorded part of a streamed body, if it is uncoded text. */
  prefixBytes: 16_384,
  /** The limit for a whole decoded body. */
  decodedBytes: 16_777_216,
};

export type UpstreamLimits = Readonly<typeof UPSTREAM_LIMITS>;
