/** Counts and hashes a streamed body, so that it can be recorded without being held in memory. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Body } from '../../exchange/index.js';

export interface BodyTally {
  readonly add: (chunk: Uint8Array) => void;
  readonly size: () => number;
  /** Ends the count. */
  readonly body: () => Body;
}

/** Up to `prefixBytes` are kept as text, where they are UTF-8; give 0 for a coded body. */
export function createBodyTally(prefixBytes: number): BodyTally {
  const hash = createHash('sha256');
  let size = 0;
  let kept = 0;
  const prefix: Uint8Array[] = [];
  return {
    add: (chunk) => {
      hash.update(chunk);
      size += chunk.length;
      if (kept >= prefixBytes) return;
      // A copy: a piece of a socket's buffer would hold on to all of it.
      const piece = Uint8Array.prototype.slice.call(chunk, 0, prefixBytes - kept);
      kept += piece.length;
      prefix.push(piece);
    },
    size: () => size,
    body: () => ({
      text: textOf(Buffer.concat(prefix)),
      size,
      truncated: true,
      sha256: hash.digest('hex'),
    }),
  };
}

function textOf(bytes: Buffer): string {
  const whole = bytes.subarray(0, lastBoundary(bytes));
  return isUtf8(whole) ? whole.toString('utf8') : '';
}

/** Where the last character that is there as a whole ends. */
function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
