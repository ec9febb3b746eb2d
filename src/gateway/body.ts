/** Reads the body of a request: whole, within its limit, decoded, or the fault that kept it from being so. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Body } from '../exchange/index.js';
import {
  bodyTooLargeFault,
  CLIENT_GONE_FAULT,
  CODING_UNKNOWN_FAULT,
  type GatewayFault,
  UNDECODABLE_BODY_FAULT,
} from './faults.js';

export interface BodyRead {
  readonly body: Body | null;
  readonly problem: GatewayFault | null;
}

export const NO_BODY: BodyRead = { body: null, problem: null };

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

/** `limit` in bytes, before and after decoding. Never rejects. `stop` ends the reading from outside, with its fault. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  onReading: (stop: (fault: GatewayFault) => void) => void,
): Promise<BodyRead> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.resolve(cut(declared, bodyTooLargeFault(limit)));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (fault: GatewayFault) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      request.on('error', () => {});
      resolve(cut(size, fault));
    };
    const onClose = () => stop(CLIENT_GONE_FAULT);
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) stop(bodyTooLargeFault(limit));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      request.off('close', onClose);
      const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      if (coding === 'identity' || coding === '') resolve(whole(bytes, size));
      else void decode(bytes, coding, limit).then(resolve);
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    onReading(stop);
  });
}

function whole(bytes: Buffer, size: number): BodyRead {
  if (size === 0) return NO_BODY;
  const body: Body = isUtf8(bytes)
    ? { text: bytes.toString('utf8'), size }
    : { text: bytes.toString('base64'), base64: true, size };
  return { body, problem: null };
}

async function decode(coded: Buffer, coding: string, limit: number): Promise<BodyRead> {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder === undefined) return cut(coded.length, CODING_UNKNOWN_FAULT);
  try {
    return whole(await decoder(coded, { maxOutputLength: limit }), coded.length);
  } catch (error) {
    const bomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return cut(coded.length, bomb ? bodyTooLargeFault(limit) : UNDECODABLE_BODY_FAULT);
  }
}

/** Nothing of a body that was not read whole is kept: it may be half a secret. */
function cut(size: number, problem: GatewayFault): BodyRead {
  return { body: size === 0 ? null : { text: '', size, truncated: true }, problem };
}
