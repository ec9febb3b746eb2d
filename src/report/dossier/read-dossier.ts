/** Reads a dossier as `paper.ts` writes it, and nothing else: every byte belongs to an object, the table of places, or the trailer. */
import { inflateSync } from 'node:zlib';
import { isObject } from '../../exchange/index.js';

export interface PdfObject {
  /** The value, one character a byte. */
  readonly head: string;
  /** The bytes as they stand in the file, compressed or not. */
  readonly stream: Buffer | null;
}

export interface SealInFile {
  /** The bytes that the seal is to cover. */
  readonly content: Buffer;
  readonly signature: Buffer;
  /** Epoch ms, as the file says. */
  readonly at: number;
  /** Whether it says that it covers all bytes but its own. */
  readonly isWhole: boolean;
}

export interface ReadDossier {
  readonly objects: ReadonlyMap<number, PdfObject>;
  /** From the table of places on, without the places. */
  readonly trailer: string;
  readonly attachments: ReadonlyMap<string, Buffer>;
  readonly seal: SealInFile | null;
}

const HEADER = Buffer.from('%PDF-1.7\n%\xff\xff\xff\xff\n', 'latin1');
const END = /startxref\n(\d{1,10})\n%%EOF\n$/;
/** A report of 20,000 rows has 600. */
const MOST_OBJECTS = 20_000;
/** A dossier has four at most. */
const MOST_ATTACHMENTS = 8;
/** Bytes of all attachments, uncompressed. */
const MOST_ATTACHED = 512 * 1_048_576;

/** @throws Error with a text for the user where it is not one */
export function readDossier(file: Uint8Array): ReadDossier {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, HEADER.length).equals(HEADER)) throw new Error('it does not begin as one');
  const at = Number(END.exec(bytes.subarray(-60).toString('latin1'))?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(at) || at >= bytes.length) throw new Error('its end is missing or changed');
  const { places, trailer } = readPlaces(bytes.subarray(at).toString('latin1'));
  const objects = readObjects(bytes, places, at);
  return { objects, trailer, attachments: readAttachments(objects), seal: readSeal(bytes, objects, places) };
}

function readPlaces(text: string): { places: number[]; trailer: string } {
  const [, count = ''] = /^xref\n0 (\d{1,5})\n0000000000 65535 f \n/.exec(text) ?? [];
  const from = `xref\n0 ${count}\n0000000000 65535 f \n`.length;
  const objects = Number(count) - 1;
  const lines = text.slice(from, from + objects * 20);
  if (count === '' || objects > MOST_OBJECTS || !/^(?:\d{10} 00000 n \n)+$/.test(lines))
    throw new Error('its table of places was changed');
  const places = Array.from({ length: objects }, (_, i) => Number(lines.slice(i * 20, i * 20 + 10)));
  return { places, trailer: text.slice(from + objects * 20).replace(END, '') };
}

/** Objects lie one behind the other: nothing stands between them. */
function readObjects(bytes: Buffer, places: readonly number[], end: number): Map<number, PdfObject> {
  const order = places.map((place, i) => ({ place, number: i + 1 })).sort((a, b) => a.place - b.place);
  const objects = new Map<number, PdfObject>();
  if (order[0]?.place !== HEADER.length) throw new Error('something stands before its first object');
  for (const [i, { place, number }] of order.entries())
    objects.set(number, readObject(bytes.subarray(place, order[i + 1]?.place ?? end), number));
  return objects;
}

const STREAM = Buffer.from('\nstream\n');
const END_OF_STREAM = '\nendstream\nendobj\n';

function readObject(bytes: Buffer, number: number): PdfObject {
  const begin = `${number} 0 obj\n`;
  const wrong = new Error(`its object ${number} was changed`);
  if (bytes.subarray(0, begin.length).toString('latin1') !== begin) throw wrong;
  const at = bytes.indexOf(STREAM);
  if (at < 0) {
    const text = bytes.subarray(begin.length).toString('latin1');
    if (!text.endsWith('\nendobj\n')) throw wrong;
    return { head: text.slice(0, -'\nendobj\n'.length), stream: null };
  }
  const head = bytes.subarray(begin.length, at).toString('latin1');
  const stream = bytes.subarray(at + STREAM.length, -END_OF_STREAM.length);
  const tail = bytes.subarray(-END_OF_STREAM.length).toString('latin1');
  if (tail !== END_OF_STREAM || Number(/\/Length (\d+)/.exec(head)?.[1]) !== stream.length) throw wrong;
  return { head, stream };
}

function readAttachments(objects: ReadonlyMap<number, PdfObject>): Map<string, Buffer> {
  const attachments = new Map<string, Buffer>();
  let room = MOST_ATTACHED;
  for (const { head } of objects.values()) {
    if (!FILE.test(head)) continue;
    const name = /\/UF \(([\w.-]+)\)/.exec(head)?.[1];
    const stream = objects.get(Number(/\/EF <<\n\/F (\d+) 0 R/.exec(head)?.[1]))?.stream;
    if (name === undefined || stream === null || stream === undefined || attachments.has(name))
      throw new Error('an attachment was changed');
    if (attachments.size === MOST_ATTACHMENTS) throw new Error('it has more attachments than a dossier');
    const content = inflated(stream, room);
    if (content === null) throw new Error(`the attachment ${name} was changed: it cannot be unpacked`);
    room -= content.length;
    attachments.set(name, content);
  }
  return attachments;
}

/** null where it is no such stream, something stands behind its end, or it is larger than any report. */
function inflated(stream: Buffer, most = MOST_ATTACHED): Buffer | null {
  try {
    const read: unknown = inflateSync(stream, { maxOutputLength: Math.max(most, 1), info: true });
    if (!isObject(read) || !isObject(read.engine) || read.engine.bytesWritten !== stream.length) return null;
    return read.buffer instanceof Buffer ? read.buffer : null;
  } catch {
    return null;
  }
}

/** Text in a file has no line ends: it cannot look like these. */
const FILE = /\/Type \/Filespec\n/;
const SEAL = /\/Type \/Sig\n/;
const RANGE = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+) *\]/;
const CONTENTS = /\/Contents <([0-9a-f]*)>/;
const SEALED_AT = /\/M \(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)/;

function readSeal(
  bytes: Buffer,
  objects: ReadonlyMap<number, PdfObject>,
  places: readonly number[],
): SealInFile | null {
  const found = [...objects].filter(([, { head }]) => SEAL.test(head));
  const [number = 0, { head = '' } = {}] = found[0] ?? [];
  if (found.length === 0) return null;
  const contents = CONTENTS.exec(head);
  const [, ...range] = RANGE.exec(head) ?? [];
  const [, y = 0, mo = 1, d = 0, h = 0, mi = 0, s = 0] = (SEALED_AT.exec(head) ?? []).map(Number);
  if (found.length > 1 || contents === null || range.length !== 4) throw new Error('its seal was changed');
  const start = (places[number - 1] ?? 0) + `${number} 0 obj\n`.length + contents.index + '/Contents '.length;
  const end = start + (contents[1] ?? '').length + 2;
  const room = Buffer.from(contents[1] ?? '', 'hex');
  // Behind the signature there are zeros, which nothing covers.
  const signature = room.subarray(0, lengthOfDer(room));
  if (room.subarray(signature.length).some((byte) => byte !== 0)) throw new Error('its seal was changed');
  return {
    content: Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
    signature,
    at: Date.UTC(y, mo - 1, d, h, mi, s),
    isWhole: [0, start, end, bytes.length - end].every((one, i) => one === Number(range[i])),
  };
}

/** The length of the value with its head; 0 where there is none. */
function lengthOfDer(bytes: Buffer): number {
  const [, first = 0] = bytes;
  if (first < 0x80) return bytes.length < 2 ? 0 : 2 + first;
  const size = first & 0x7f;
  return size === 0 || size > 4 || bytes.length < 2 + size ? 0 : 2 + size + bytes.readUIntBE(2, size);
}

/** Puts a signature into the place that was left for it. `make` gets the bytes that it covers. */
export async function fillSeal(
  file: Buffer,
  make: (content: Buffer) => Promise<Uint8Array>,
): Promise<{ readonly bytes: Buffer; readonly isTooLong: boolean }> {
  const { objects } = readDossier(file);
  const [, { head = '' } = {}] = [...objects].find(([, one]) => SEAL.test(one.head)) ?? [];
  const contents = CONTENTS.exec(head);
  const at = file.indexOf(head, 0, 'latin1');
  const start = at + (contents?.index ?? 0) + '/Contents '.length;
  const length = (contents?.[1] ?? '').length;
  const end = start + length + 2;
  const [range = ''] = RANGE.exec(head) ?? [];
  const known = `/ByteRange [0 ${start} ${end} ${file.length - end}`.padEnd(range.length - 1);
  const bytes = Buffer.from(file);
  bytes.write(`${known}]`, at + head.indexOf(range), 'latin1');
  const signature = await make(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]));
  const hex = Buffer.from(signature).toString('hex');
  if (hex.length <= length) bytes.write(hex, start + 1, 'latin1');
  return { bytes, isTooLong: hex.length > length };
}

/** Names of the parts in which a file differs from the same one made again, in the order of its objects. */
export function differingParts(file: ReadDossier, again: ReadDossier): string[] {
  const roles = rolesOf(again);
  const numbers = new Set([...again.objects.keys(), ...file.objects.keys()]);
  const parts = [...numbers]
    .filter((number) => !isSame(file.objects.get(number), again.objects.get(number)))
    .map((number) => roles.get(number) ?? 'the structure of the file');
  return [
    ...new Set([...parts, ...(file.trailer === again.trailer ? [] : ['the trailer of the file'])]),
  ].sort();
}

const withoutSeal = (head: string): string =>
  SEAL.test(head) ? head.replace(RANGE, '').replace(CONTENTS, '') : head;
/** How long compressed bytes are depends on the machine. */
const withoutLength = (head: string): string => head.replace(/\/Length \d+/, '');

function isSame(one: PdfObject | undefined, other: PdfObject | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const isPacked = other.head.includes('/Filter /FlateDecode');
  const told = ({ head }: PdfObject) => withoutSeal(isPacked ? withoutLength(head) : head);
  if (told(one) !== told(other) || one.stream === null || other.stream === null)
    return told(one) === told(other) && one.stream === other.stream;
  if (one.stream.equals(other.stream)) return true;
  const content = inflated(other.stream);
  return isPacked && content !== null && inflated(one.stream)?.equals(content) === true;
}

/** The part of the file that each object belongs to. */
function rolesOf({ objects }: ReadDossier): Map<number, string> {
  const roles = new Map<number, string>();
  let pages = 0;
  for (const [number, { head }] of [...objects].sort(([a], [b]) => a - b)) {
    const referred = (member: string) => Number(new RegExp(`/${member} (\\d+) 0 R`).exec(head)?.[1]);
    if (head.includes('/Type /Page\n')) {
      const page = `page ${++pages}`;
      roles.set(number, page).set(referred('Contents'), page);
    }
    if (FILE.test(head)) {
      const name = `the attachment ${/\/UF \(([^)]*)\)/.exec(head)?.[1]}`;
      roles.set(number, name).set(referred('F'), name);
    }
    if (/\/Type \/(?:FontDescriptor|Font)\n/.test(head))
      for (const member of ['FontFile2', 'ToUnicode']) roles.set(referred(member), 'a font');
    if (head.includes('/Type /StructElem')) roles.set(number, 'the tags of the pages');
    if (SEAL.test(head)) roles.set(number, 'the seal');
  }
  return roles;
}
