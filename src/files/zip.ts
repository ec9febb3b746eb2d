/**
 * ZIP archives of files without folders, written one file after the other in the same bytes each time. Only what is written
 * here is read: every header is compared with the one that belongs there, so that no other program finds other files in
 * an archive than those that were checked.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, createInflateRaw } from 'node:zlib';
import { SandgateError, unreadable } from '../spec/index.js';

export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface ZipFile {
  readonly name: string;
  readonly pieces: Pieces;
}

interface Stored {
  readonly name: string;
  readonly crc: number;
  /** Bytes in the archive, and when they are unpacked. */
  readonly packed: number;
  readonly size: number;
  /** The place of its header. */
  readonly at: number;
}

/** Beyond it, the format has other headers. */
const MOST_BYTES = 0xffff_fffe;
const MOST_FILES = 100;
const LOCAL = 30;
const BEHIND = 16;
const CENTRAL = 46;
const END = 22;
/** Names that mean the same on every system, and lead nowhere else. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
/** 1980-01-01, the first day of the format: when it was written changes no byte. */
const DAY = 0x21;

type Field = readonly [at: number, length: 2 | 4, value: number];

function header(signature: number, length: number, fields: readonly Field[], name = ''): Buffer {
  const bytes = Buffer.alloc(length + name.length);
  bytes.writeUInt32LE(signature);
  for (const [at, size, value] of fields) bytes.writeUIntLE(value, at, size);
  bytes.write(name, length, 'latin1');
  return bytes;
}

/** Version 2.0, sizes behind the content, deflated, when, and how long the name is. */
const fieldsFrom = (from: number, name: string): Field[] =>
  [
    [0, 20],
    [2, 8],
    [4, 8],
    [8, DAY],
    [22, name.length],
  ].map(([at = 0, value = 0]) => [from + at, 2, value]);

const localOf = ({ name }: Pick<Stored, 'name'>): Buffer =>
  header(0x04034b50, LOCAL, fieldsFrom(4, name), name);

const behindOf = ({ crc, packed, size }: Stored): Buffer =>
  header(0x08074b50, BEHIND, [
    [4, 4, crc],
    [8, 4, packed],
    [12, 4, size],
  ]);

function centralOf({ name, crc, packed, size, at }: Stored): Buffer {
  const own: readonly Field[] = [
    [4, 2, 20],
    [16, 4, crc],
    [20, 4, packed],
    [24, 4, size],
    [42, 4, at],
  ];
  return header(0x02014b50, CENTRAL, [...fieldsFrom(6, name), ...own], name);
}

const endOf = (count: number, length: number, at: number): Buffer =>
  header(0x06054b50, END, [
    [8, 2, count],
    [10, 2, count],
    [12, 4, length],
    [16, 4, at],
  ]);

/** The bytes of an archive; each file is asked for when those before it are done. @throws SandgateError if it is too large */
export async function* zipped(files: Iterable<ZipFile> | AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const stored: Stored[] = [];
  let at = 0;
  for await (const { name, pieces } of files) {
    const local = localOf({ name });
    yield local;
    const count = { crc: 0, size: 0, packed: 0 };
    const deflate = createDeflateRaw();
    const fed = pipeline(counting(pieces, count), deflate);
    // If it fails, reading fails with the same error.
    fed.catch(() => undefined);
    for await (const part of deflate) {
      count.packed += part.length;
      yield part;
    }
    await fed;
    const one = { name, at, ...count };
    yield behindOf(one);
    stored.push(one);
    at += local.length + count.packed + BEHIND;
    if (at > MOST_BYTES || count.size > MOST_BYTES)
      throw new SandgateError('bundle.large', { most: '4 GiB' });
  }
  const central = Buffer.concat(stored.map(centralOf));
  yield central;
  yield endOf(stored.length, central.length, at);
}

async function* counting(pieces: Pieces, count: { crc: number; size: number }): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    count.crc = crc32(bytes, count.crc);
    count.size += bytes.length;
    yield bytes;
  }
}

/** By its first bytes. @throws SandgateError where it cannot be read */
export function isZip(file: string): boolean {
  try {
    const handle = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(4);
      return (
        fstatSync(handle).isFile() && readSync(handle, bytes) === 4 && bytes.readUInt32LE() === 0x04034b50
      );
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

export type Zip = ReturnType<typeof openZip>;

/** `file`: what errors call it. @throws SandgateError with code `bundle.archive` where it is not to the byte as `zipped` writes */
export function openZip(handle: number, file: string) {
  const fail = (problem: string): never => {
    throw new SandgateError('bundle.archive', { file, problem });
  };
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    for (let have = 0; have < length; ) {
      const more = readSync(handle, bytes, have, length - have, at + have);
      if (more === 0) return fail('it is cut off');
      have += more;
    }
    return bytes;
  };
  const { size } = fstatSync(handle);
  if (size < END || size > MOST_BYTES) return fail(`it has ${size} bytes`);
  const end = read(size - END, END);
  const [count, length, at] = [end.readUInt16LE(8), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (!end.equals(endOf(count, length, at)) || at + length + END !== size)
    return fail('its last bytes are no end of an archive');
  if (count > MOST_FILES)
    return fail(`it says that it holds ${count} files, and at most ${MOST_FILES} are read`);
  const stored = readDirectory(read(at, length), count, fail);
  let [next, all] = [0, 0];
  for (const one of stored) {
    const { name, packed } = one;
    const local = localOf(one);
    const after = next + local.length + packed;
    all += one.size;
    if (all > MOST_BYTES) return fail(`up to ${name}, it would be unpacked to more than 4 GiB`);
    if (one.at !== next || after + BEHIND > at) return fail(`${name} does not follow the file before it`);
    if (!read(next, local.length).equals(local) || !read(after, BEHIND).equals(behindOf(one)))
      return fail(`${name} has another name, size or checksum in the directory than where it stands`);
    next = after + BEHIND;
  }
  if (next !== at) return fail('it holds bytes that belong to no file');
  return {
    /** In the order in which they stand. */
    files: stored.map(({ name, size: unpacked }) => ({ name, size: unpacked })),
    has: (name: string): boolean => stored.some((one) => one.name === name),
    /** Ends with an error where it is not what the directory says: nothing beyond its size is unpacked. */
    pieces: (name: string): AsyncGenerator<Buffer> => {
      const one = stored.find((found) => found.name === name) ?? fail(`it holds no ${name}`);
      return inflated(one, read, fail);
    },
    /** All of a file. `most`: bytes. */
    bytes: async (name: string, most: number): Promise<Buffer> => {
      const one = stored.find((found) => found.name === name) ?? fail(`it holds no ${name}`);
      if (one.size > most) return fail(`${name} has more than ${most} bytes`);
      const pieces: Buffer[] = [];
      for await (const piece of inflated(one, read, fail)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}

type Fail = (problem: string) => never;

/** A program that packs files again writes most of an entry otherwise; a changed number differs alone. */
function unlike(entry: Buffer, one: Stored): string {
  const own = centralOf(one);
  let others = 0;
  for (let at = 0; at < CENTRAL; at += 2) if (entry.readUInt16LE(at) !== own.readUInt16LE(at)) others++;
  return others > FEW
    ? 'another program has packed its files again'
    : `a number in the directory entry of ${one.name} was changed`;
}
const FEW = 2;

function readDirectory(bytes: Buffer, count: number, fail: Fail): Stored[] {
  const stored: Stored[] = [];
  const names = new Set<string>();
  let from = 0;
  for (let i = 0; i < count; i++) {
    if (from + CENTRAL > bytes.length) return fail('its directory is cut off');
    const nameEnd = from + CENTRAL + bytes.readUInt16LE(from + 28);
    const name = bytes.toString('latin1', from + CENTRAL, nameEnd);
    if (!NAME.test(name))
      return fail(
        `“${name.slice(0, 100)}” is no name of a file in it: small letters, digits, dots and hyphens are`,
      );
    if (names.has(name)) return fail(`it holds ${name} twice`);
    names.add(name);
    const [crc = 0, packed = 0, size = 0] = [16, 20, 24].map((place) => bytes.readUInt32LE(from + place));
    const one = { name, crc, packed, size, at: bytes.readUInt32LE(from + 42) };
    if (!bytes.subarray(from, nameEnd).equals(centralOf(one)))
      return fail(unlike(bytes.subarray(from, nameEnd), one));
    stored.push(one);
    from = nameEnd;
  }
  return from === bytes.length ? stored : fail('its directory holds more than its files');
}

const PIECE = 262_144;

async function* inflated(
  { name, at, packed, size, crc }: Stored,
  read: (at: number, length: number) => Buffer,
  fail: Fail,
): AsyncGenerator<Buffer> {
  const begin = at + LOCAL + name.length;
  function* stored(): Generator<Buffer> {
    for (let from = 0; from < packed; from += PIECE) yield read(begin + from, Math.min(PIECE, packed - from));
  }
  const inflate = createInflateRaw();
  const fed = pipeline(stored(), inflate);
  fed.catch(() => undefined);
  const found = { crc: 0, size: 0 };
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      found.size += piece.length;
      if (found.size > size) return fail(`${name} unpacks to more than the ${size} bytes that it says`);
      found.crc = crc32(piece, found.crc);
      yield piece;
    }
    await fed;
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    return fail(`${name} cannot be unpacked`);
  }
  if (found.size !== size || found.crc !== crc || inflate.bytesWritten !== packed)
    fail(`${name} unpacks to other bytes than those that were packed`);
}
