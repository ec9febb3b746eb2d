/** A column of text as bytes: the first tells whether what follows is a text, a compressed one, or the number of a part. */
import type { Column } from '../columns.js';

const TEXT = 0;
const COMPRESSED = 1;
const PART = 2;

export function bytesOf(column: Column): Buffer | null {
  if (column === null) return null;
  if (typeof column === 'string') {
    const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(column));
    bytes[0] = TEXT;
    bytes.write(column, 1);
    return bytes;
  }
  if (typeof column === 'number') {
    const bytes = Buffer.allocUnsafe(9);
    bytes[0] = PART;
    bytes.writeDoubleBE(column, 1);
    return bytes;
  }
  const bytes = Buffer.allocUnsafe(1 + column.length);
  bytes[0] = COMPRESSED;
  bytes.set(column, 1);
  return bytes;
}

/** Whatever somebody put there: what is of no such form is read as a text, and does not fit its link. */
export function columnOf(bytes: Buffer | null): Column {
  if (bytes === null) return null;
  if (bytes[0] === PART && bytes.length === 9) return bytes.readDoubleBE(1);
  return contentOf(bytes);
}

/** Reads bytes that cannot be the number of a part. */
export const contentOf = (bytes: Buffer): string | Uint8Array =>
  bytes[0] === COMPRESSED ? bytes.subarray(1) : bytes.toString('utf8', 1);

/** The size of the bytes in a row. */
export const bytesIn = (row: readonly unknown[]): number =>
  row.reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.length : 0), 0);
