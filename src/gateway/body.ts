/** Reads the body of a request: whole, within its limit, decoded; or says why not. */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { createBodyTally, type PassedBody, passBody } from '../answer/index.js';
import { type Body, bodyOfBytes, unreadBody } from '../exchange/index.js';
import type { BodyRead, GatewayFault, RawBody } from './arrivals.js';
import {
  bodyTooLargeFault,
  CLIENT_GONE_FAULT,
  CODING_UNKNOWN_FAULT,
  UNDECODABLE_BODY_FAULT,
} from './faults.js';

export const NO_BODY: BodyRead = { body: null, problem: null, unread: null, raw: null };

const DECODERS: Readonly<
  Record<string, (coded: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Whether a request has a body, as its head says (RFC 9112 6.3). */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The request is refused whatever its body holds, so the body is neither awaited nor read. */
export function leaveBody(request: IncomingMessage): BodyRead {
  const size = Number(request.headers['content-length'] ?? 0);
  return { body: { text: '', size, truncated: true }, problem: null, unread: null, raw: null };
}

interface ReadBodyParts {
  /** In bytes, before and after decoding. */
  readonly limit: number;
  /** Is given a function that ends the reading from outside, with a fault. */
  readonly onReading: (stop: (fault: GatewayFault) => void) => void;
  /** Called before the rest of a body over the limit is taken in. */
  readonly onPass: () => void;
}

/** Never rejects. */
export function readBody(
  request: IncomingMessage,
  { limit, onReading, onPass }: ReadBodyParts,
): Promise<BodyRead> {
  const overLimit = (chunks: readonly Buffer[], size: number): BodyRead => ({
    ...broken(size, null),
    unread: bodyTooLargeFault(limit),
    raw: createPassing(request, chunks, onPass),
  });
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.resolve(overLimit([], declared));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (read: BodyRead) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      request.on('error', () => {});
      resolve(read);
    };
    const stop = (fault: GatewayFault) => end(broken(size, fault));
    const onClose = () => stop(CLIENT_GONE_FAULT);
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      request.pause();
      end(overLimit(chunks, size));
    };
    const onEnd = () => {
      request.off('close', onClose);
      const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      if (coding === 'identity' || coding === '') resolve(whole(bytes, bytes));
      else {
        const isDigested = request.headers.digest !== undefined;
        void decode(bytes, coding, limit, isDigested).then(resolve);
      }
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    onReading(stop);
  });
}

function whole(bytes: Buffer, coded: Buffer): BodyRead {
  const size = coded.length;
  if (size === 0) return NO_BODY;
  return { body: bodyOfBytes(bytes, size), problem: null, unread: null, raw: rawOf(coded) };
}

const rawOf = (bytes: Buffer): RawBody => ({ bytes, rest: null, endPassing: nothingPassed });
const nothingPassed = (): null => null;

async function decode(coded: Buffer, coding: string, limit: number, isDigested: boolean): Promise<BodyRead> {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder === undefined) return unreadable(coded, CODING_UNKNOWN_FAULT);
  try {
    const read = whole(await decoder(coded, { maxOutputLength: limit }), coded);
    return isDigested && read.body !== null
      ? { ...read, body: { ...read.body, coded: hashesOf(coded) } }
      : read;
  } catch (error) {
    const bomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return unreadable(coded, bomb ? bodyTooLargeFault(limit) : UNDECODABLE_BODY_FAULT);
  }
}

/** A Digest is of the bytes on the wire. */
const hashesOf = (coded: Buffer) => ({
  sha256: hash('sha256', coded, 'hex'),
  sha512: hash('sha512', coded, 'hex'),
});

/** Nothing of a body that was not read whole is kept: it may be half a secret. */
function broken(size: number, problem: GatewayFault | null): BodyRead {
  const body: Body | null = size === 0 ? null : { text: '', size, truncated: true };
  return { body, problem, unread: null, raw: null };
}

/** It came as a whole, but what it says is not known here. */
function unreadable(coded: Buffer, unread: GatewayFault): BodyRead {
  return { body: unreadBody(coded), problem: null, unread, raw: rawOf(coded) };
}

const PREFIX_BYTES = 16_384;

/** `chunks` were read before; the request is paused. `onPass` is called once, before more is taken in. */
function createPassing(request: IncomingMessage, chunks: readonly Buffer[], onPass: () => void): RawBody {
  let passed: PassedBody | null = null;
  const open = (): PassedBody => {
    const isPlain = (request.headers['content-encoding'] ?? 'identity') === 'identity';
    const tally = createBodyTally(isPlain ? PREFIX_BYTES : 0);
    for (const chunk of chunks) tally.add(chunk);
    onPass();
    const made = passBody(request, tally);
    // Nobody would hear of its end any more.
    if (request.destroyed) made.stream.destroy();
    return made;
  };
  return {
    bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
    rest: (): Readable => {
      passed ??= open();
      return passed.stream;
    },
    endPassing: () => {
      passed?.stream.destroy();
      return passed?.ended ?? null;
    },
  };
}
