/** Parts of protobuf messages. Fields of numbers up to 15 alone, whose tags are one byte. */

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];

/** A text, bytes, or a message made of parts. */
export function field(number: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const value = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(value.length)]), value]);
}

export const count = (number: number, value: number): Buffer => Buffer.from([number << 3, ...varint(value)]);

/** A KeyValue of OpenTelemetry, as the field of a message. */
export function attribute(number: number, key: string, value: string | number | boolean): Buffer {
  const any =
    typeof value === 'string' ? field(1, value) : count(typeof value === 'boolean' ? 2 : 3, Number(value));
  return field(number, field(1, key), field(2, any));
}

/** A number that takes four bytes whatever it is: what is not known yet can be written over it. */
export const FOUR_BYTES = [0x80, 0x80, 0x80, 0x00] as const;

/** Pieces of memory that wait to be used again: fresh ones are slow, and the collector of garbage runs for each. */
const MOST_SPARE = 2;

/**
 * Bytes of one kind after the other, behind what `before` has. Whoever writes has seen that there is room. `bytes`: of a
 * piece of memory.
 */
export function createWriter(bytes: number, before: Uint8Array) {
  const spare: ArrayBufferLike[] = [];
  let buffer: Buffer = Buffer.allocUnsafeSlow(bytes);
  buffer.set(before);
  let end = before.length;
  return {
    room: (): number => bytes - end,
    byte: (value: number): void => {
      buffer[end++] = value;
    },
    varint: (value: number): void => {
      let rest = value;
      for (; rest > 127; rest = Math.floor(rest / 128)) buffer[end++] = (rest % 128) | 128;
      buffer[end++] = rest;
    },
    /** Copies a few bytes, for which calling `copy` would take longer. */
    few: (from: Uint8Array, start: number, length: number): void => {
      for (let i = start; i < start + length; i++) buffer[end++] = from[i] ?? 0;
    },
    ascii: (text: string): void => {
      for (let i = 0; i < text.length; i++) buffer[end++] = text.charCodeAt(i);
    },
    part: (part: Uint8Array): void => {
      buffer.set(part, end);
      end += part.length;
    },
    /** Epoch ms as ns in 64 bits, to a quarter of a microsecond. */
    time: (ms: number): void => {
      const ns = ms * 1e6;
      const high = Math.floor(ns / 2 ** 32);
      buffer.writeUInt32LE(Math.floor(ns - high * 2 ** 32), end);
      buffer.writeUInt32LE(high, end + 4);
      end += 8;
    },
    /** All that was written; `before` stands in front of what is written next. Little is copied, so that it keeps no more memory. */
    take: (): Buffer => {
      const written = buffer.subarray(0, end);
      end = before.length;
      if (written.length < bytes / 2) {
        const copy = Buffer.allocUnsafeSlow(written.length);
        copy.set(written);
        return copy;
      }
      buffer = Buffer.from(spare.pop() ?? Buffer.allocUnsafeSlow(bytes).buffer);
      buffer.set(before);
      return written;
    },
    /** Nobody reads what was taken any more. */
    giveBack: ({ buffer: piece }: Buffer): void => {
      if (piece.byteLength === bytes && spare.length < MOST_SPARE) spare.push(piece);
    },
  };
}

/** Writes a number over four bytes. */
export function writeFour(to: Uint8Array, at: number, value: number): void {
  for (const [i, more] of FOUR_BYTES.entries()) to[at + i] = ((value >>> (7 * i)) & 127) | more;
}

export type Writer = ReturnType<typeof createWriter>;

export const lengthOfVarint = (value: number): number => (value < 128 ? 1 : value < 16_384 ? 2 : 3);
