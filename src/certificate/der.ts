/** Reads DER: a tree of values, and the few kinds of value that certificates are made of. */
import type forge from 'node-forge';

// @ts-expect-error: there are types of the whole alone.
import part from 'node-forge/lib/asn1.js';

export const asn1: typeof forge.asn1 = part;

/** A value as node-forge reads it; told here, so that who imports the package needs no types of node-forge. */
export interface DerNode {
  readonly tagClass: number;
  readonly type: number;
  /** One character a byte, or the values inside. */
  readonly value: string | DerNode[];
  readonly constructed: boolean;
  readonly composed: boolean;
}

/** A certificate is a few KB; whatever is larger is none. */
export const MAX_CERTIFICATE_BYTES = 65_536;
/** The deepest real certificates nest 12 levels. */
const MAX_DEPTH = 32;
const MAX_TEXT = 1_000;

interface ParseOptions {
  readonly strict: boolean;
  readonly parseAllBytes: boolean;
  readonly decodeBitStrings: boolean;
  readonly maxDepth: number;
}
// The published types know only the older form, with a boolean.
const fromDer = asn1.fromDer as unknown as (bytes: string, options: ParseOptions) => DerNode;

export const binary = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/**
 * The tree of a DER value. Strict: lengths are right and nothing follows. Tolerant: values cut short and bytes behind
 * the end are passed over.
 * @throws Error for what cannot be read so.
 */
export function parseDer(der: string | Uint8Array, strict = true): DerNode {
  const text = typeof der === 'string' ? der : binary(der);
  return fromDer(text, { strict, parseAllBytes: strict, decodeBitStrings: false, maxDepth: MAX_DEPTH });
}

export const derHex = (node: DerNode): string => asn1.toDer(node).toHex();

const isUniversal = (node: DerNode, type: number): boolean =>
  node.tagClass === asn1.Class.UNIVERSAL && node.type === type;

export const isSequence = (node: DerNode | undefined): node is DerNode =>
  node !== undefined && isUniversal(node, asn1.Type.SEQUENCE) && Array.isArray(node.value);

export const isOid = (node: DerNode | undefined): node is DerNode =>
  node !== undefined && isUniversal(node, asn1.Type.OID) && typeof node.value === 'string';

export const isBitString = (node: DerNode | undefined): boolean =>
  node !== undefined && isUniversal(node, asn1.Type.BITSTRING) && typeof node.value === 'string';

export const isUtf8 = (node: DerNode | undefined): boolean =>
  node !== undefined && isUniversal(node, asn1.Type.UTF8) && typeof node.value === 'string';

export const isTagged = (node: DerNode, number: number): boolean =>
  node.tagClass === asn1.Class.CONTEXT_SPECIFIC && node.type === number;

export const childrenOf = (node: DerNode | undefined): readonly DerNode[] =>
  node !== undefined && Array.isArray(node.value) ? node.value : [];

/** Content bytes of a primitive node, one character a byte; empty for a constructed one. */
export const contentOf = (node: DerNode | undefined): string =>
  node !== undefined && typeof node.value === 'string' ? node.value : '';

/** @throws Error where the node is no OID, or one with an arc over 2^53. */
export function oidOf(node: DerNode | undefined): string {
  if (!isOid(node)) throw new Error('an OID is missing');
  const content = contentOf(node);
  if (content === '' || content.length > 64) throw new Error('an OID is empty or too long');
  return asn1.derToOid(content);
}

const UNIVERSAL_STRING = 28;
const TEXT_TYPES: ReadonlySet<number> = new Set([
  asn1.Type.UTF8,
  18, // NumericString
  asn1.Type.PRINTABLESTRING,
  20, // T61String, in practice Latin-1
  asn1.Type.IA5STRING,
  26, // VisibleString
  UNIVERSAL_STRING,
  asn1.Type.BMPSTRING,
]);

export const isText = (node: DerNode | undefined): node is DerNode =>
  node !== undefined &&
  node.tagClass === asn1.Class.UNIVERSAL &&
  TEXT_TYPES.has(node.type) &&
  typeof node.value === 'string';

// Control and bidirectional characters in a name would reach terminals, logs and reports.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text with every character replaced that could play tricks on a screen, cut at 1,000 characters. */
export const printable = (text: string): string => text.slice(0, MAX_TEXT).replace(UNPRINTABLE, '\ufffd');

export function textOf(node: DerNode | undefined): string {
  if (!isText(node)) throw new Error('a text is missing');
  const content = contentOf(node);
  if (node.type === asn1.Type.UTF8) return printable(bytesOf(content).toString('utf8'));
  if (node.type !== UNIVERSAL_STRING) return printable(content);
  let text = '';
  const bytes = bytesOf(content);
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = bytes.readUInt32BE(at);
    text += point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
  }
  return printable(text);
}

/** @throws Error where the node is no INTEGER of up to 48 bits. */
export function integerOf(node: DerNode | undefined): number {
  const content = contentOf(node);
  if (node === undefined || !isUniversal(node, asn1.Type.INTEGER) || content === '' || content.length > 6)
    throw new Error('a whole number is missing or too large');
  return bytesOf(content).readIntBE(0, content.length);
}

/** A serial number in upper-case hex, without the byte that only keeps it positive. */
export function serialOf(node: DerNode | undefined): string {
  const hex = bytesOf(contentOf(node)).toString('hex').toUpperCase();
  return hex.length > 2 && hex.startsWith('00') ? hex.slice(2) : hex;
}

const TIME = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(?:\.\d+)?Z$/;

/**
 * Epoch ms of a UTCTime (years 1950 to 2049, RFC 5280 4.1.2.5.1) or GeneralizedTime.
 * @throws Error where the node is neither, or no real time.
 */
export function timeOf(node: DerNode | undefined): number {
  const wide = node !== undefined && isUniversal(node, asn1.Type.GENERALIZEDTIME);
  if (node === undefined || !(wide || isUniversal(node, asn1.Type.UTCTIME)))
    throw new Error('a time is missing');
  const parts = TIME.exec(contentOf(node));
  if (parts === null || (parts[1]?.length === 4) !== wide) throw new Error('a time is not well formed');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const full = wide ? year : year + (year < 50 ? 2000 : 1900);
  const time = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  time.setUTCFullYear(full, month - 1, day);
  if (
    time.getUTCMonth() !== month - 1 ||
    time.getUTCDate() !== day ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  )
    throw new Error('a time does not exist');
  return time.getTime();
}

/** Begin and end of a value in its DER, for signatures over raw bytes; null if the length is wrong. */
export function extentOf(
  der: Uint8Array,
  offset: number,
): { readonly content: number; readonly end: number } | null {
  const first = der[offset + 1];
  if (first === undefined || first === 0x80) return null;
  if (first < 0x80) return within(der, offset + 2, first);
  const count = first & 0x7f;
  if (count > 4 || offset + 2 + count > der.length) return null;
  let length = 0;
  for (let at = 0; at < count; at++) length = length * 256 + (der[offset + 2 + at] ?? 0);
  return within(der, offset + 2 + count, length);
}

function within(der: Uint8Array, content: number, length: number): { content: number; end: number } | null {
  return content + length <= der.length ? { content, end: content + length } : null;
}
