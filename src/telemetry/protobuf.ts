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

/** Bytes of one kind after the other, in one piece of memory that is used again. Whoever writes has seen that there is room. */
export function createWriter(bytes: number) {
  const buffer = Buffer.allocUnsafe(bytes);
  let end = 0;
  return {
    room: (): number => bytes - end,
    size: (): number => end,
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
    /** A copy of all that was written; the next is written from the start. */
    take: (): Buffer => {
      const taken = Buffer.from(buffer.subarray(0, end));
      end = 0;
      return taken;
    },
  };
}

export type Writer = ReturnType<typeof createWriter>;

export const lengthOfVarint = (value: number): number => (value < 128 ? 1 : value < 16_384 ? 2 : 3);
