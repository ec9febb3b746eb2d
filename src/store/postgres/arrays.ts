/**
 * Columns as PostgreSQL's arrays in their binary form: many rows go over in one statement, and nothing in them is
 * escaped or written as text.
 */
import type { ColumnType } from '../copy/tables.js';
import { keptText } from './odd-text.js';

/** The value of a column; null is NULL. */
export type Value = number | string | Uint8Array | null;

const TYPES: Readonly<Record<ColumnType, number>> = { int8: 20, text: 25, bytea: 17 };
const HEADER = 20;
/** An array without elements has no dimension. */
const EMPTY: Readonly<Record<ColumnType, Buffer>> = {
  int8: header('int8', 12),
  text: header('text', 12),
  bytea: header('bytea', 12),
};

function header(type: ColumnType, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeInt32BE(TYPES[type], 8);
  return buffer;
}

export function arrayOf(type: ColumnType, given: readonly Value[]): Buffer {
  if (given.length === 0) return EMPTY[type];
  const values = type === 'text' ? given.map(keptValue) : given;
  let bytes = HEADER;
  for (const value of values) bytes += 4 + lengthOf(type, value);
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(TYPES[type], 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let place = HEADER;
  for (const value of values) place = write(buffer, place, type, value);
  return buffer;
}

const keptValue = (value: Value): Value => (typeof value === 'string' ? keptText(value) : value);

function lengthOf(type: ColumnType, value: Value): number {
  if (value === null) return 0;
  if (type === 'int8') return 8;
  return typeof value === 'string' ? Buffer.byteLength(value) : (value as Uint8Array).length;
}

function write(buffer: Buffer, place: number, type: ColumnType, value: Value): number {
  const start = place + 4;
  if (value === null) return buffer.writeInt32BE(-1, place);
  if (type === 'int8') {
    buffer.writeInt32BE(8, place);
    return buffer.writeBigInt64BE(BigInt(value as number), start);
  }
  const bytes =
    typeof value === 'string' ? buffer.write(value, start) : writeBytes(buffer, start, value as Uint8Array);
  buffer.writeInt32BE(bytes, place);
  return start + bytes;
}

function writeBytes(buffer: Buffer, start: number, value: Uint8Array): number {
  buffer.set(value, start);
  return value.length;
}

export function arraysOf(types: readonly ColumnType[], rows: readonly (readonly Value[])[]): Buffer[] {
  const columns = createColumns(types);
  for (const row of rows) columns.add(...row);
  return columns.arrays();
}

/** Columns of a table, filled a row at a time. */
export interface Columns {
  readonly add: (...row: readonly Value[]) => void;
  readonly count: () => number;
  readonly arrays: () => Buffer[];
}

export function createColumns(types: readonly ColumnType[]): Columns {
  const values = types.map((): Value[] => []);
  return {
    add: (...row) => {
      for (let i = 0; i < types.length; i++) values[i]?.push(row[i] ?? null);
    },
    count: () => values[0]?.length ?? 0,
    arrays: () => types.map((type, i) => arrayOf(type, values[i] ?? [])),
  };
}
