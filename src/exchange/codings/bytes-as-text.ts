/** Reads bytes that may be text: UTF-8, UTF-16, and either of them in gzip. */
import { isUtf8 } from 'node:buffer';
import { gunzipSync, gzipSync } from 'node:zlib';

export interface ReadBytes {
  readonly text: string;
  readonly write: (text: string) => Buffer;
}

/** A packed text that is longer stays packed: it is unpacked on the way of a call. */
const LONGEST_UNPACKED = 65_536;
const [GZIP_1, GZIP_2] = [0x1f, 0x8b];

export function readBytes(bytes: Buffer, mostUnpacked = LONGEST_UNPACKED): ReadBytes | null {
  return isPacked(bytes) ? readGzip(bytes, mostUnpacked) : readPlain(bytes);
}

export const isPacked = (bytes: Buffer): boolean => bytes[0] === GZIP_1 && bytes[1] === GZIP_2;

function readPlain(bytes: Buffer): ReadBytes | null {
  const wide = readUtf16(bytes);
  if (wide !== null) return wide;
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  return isReadable(text) ? { text, write: (other) => Buffer.from(other) } : null;
}

function readGzip(bytes: Buffer, maxOutputLength: number): ReadBytes | null {
  try {
    // Not again: there is a gzip that unpacks to itself.
    const inner = readPlain(gunzipSync(bytes, { maxOutputLength }));
    return inner && { text: inner.text, write: (other) => gzipSync(inner.write(other)) };
  } catch {
    return null;
  }
}

function readUtf16(bytes: Buffer): ReadBytes | null {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return null;
  const [first, second, third, fourth] = bytes as unknown as readonly number[];
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0))
    return readWide(bytes, (one) => one);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0))
    return readWide(bytes, swapped);
  return null;
}

function readWide(bytes: Buffer, order: (bytes: Buffer) => Buffer): ReadBytes | null {
  const text = order(bytes).toString('utf16le');
  return isReadable(text) ? { text, write: (other) => order(Buffer.from(other, 'utf16le')) } : null;
}

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

const UNREADABLE = /[^\t\n\r\x20-\x7e\u00a0-\uffff]/;
const isReadable = (text: string): boolean => !UNREADABLE.test(text);
