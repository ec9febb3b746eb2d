/** Builds DER: the few kinds of value that certificates are made of. */
import type { KeyObject } from 'node:crypto';
import { asn1, binary, bytesOf, type DerNode, parseDer } from './der.js';

const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
const BMP_STRING = 30;

const primitive = (type: number, content: string): DerNode => asn1.create(UNIVERSAL, type, false, content);

export const sequence = (...nodes: DerNode[]): DerNode =>
  asn1.create(UNIVERSAL, asn1.Type.SEQUENCE, true, nodes);
export const set = (...nodes: DerNode[]): DerNode => asn1.create(UNIVERSAL, asn1.Type.SET, true, nodes);
export const oid = (text: string): DerNode => primitive(asn1.Type.OID, asn1.oidToDer(text).getBytes());
export const utf8 = (text: string): DerNode => primitive(asn1.Type.UTF8, binary(Buffer.from(text, 'utf8')));
export const printableString = (text: string): DerNode => primitive(asn1.Type.PRINTABLESTRING, text);
export const ia5 = (text: string): DerNode => primitive(asn1.Type.IA5STRING, text);
export const bmp = (text: string): DerNode => primitive(BMP_STRING, text);
export const nothing = (): DerNode => primitive(asn1.Type.NULL, '');
export const truth = (): DerNode => primitive(asn1.Type.BOOLEAN, '\xff');
export const octets = (bytes: Uint8Array): DerNode => primitive(asn1.Type.OCTETSTRING, binary(bytes));

/** `bytes` hold `8 * length - unused` bits. */
export const bits = (bytes: Uint8Array, unused = 0): DerNode =>
  primitive(asn1.Type.BITSTRING, String.fromCharCode(unused) + binary(bytes));

export const integer = (value: number): DerNode =>
  primitive(asn1.Type.INTEGER, asn1.integerToDer(value).getBytes());

export const enumerated = (value: number): DerNode =>
  primitive(asn1.Type.ENUMERATED, String.fromCharCode(value));

/** A positive number of any size, most significant byte first. */
export function unsigned(bytes: Uint8Array): DerNode {
  const lead = bytes.findIndex((byte) => byte !== 0);
  const rest = lead < 0 ? Uint8Array.of(0) : bytes.subarray(lead);
  return primitive(asn1.Type.INTEGER, ((rest[0] ?? 0) & 0x80 ? '\0' : '') + binary(rest));
}

/** Tagged `[number]` around nodes. */
export const explicit = (number: number, ...nodes: DerNode[]): DerNode =>
  asn1.create(CONTEXT_SPECIFIC, number, true, nodes);

/** Tagged `[number]` in place of a primitive type's own tag. */
export const implicit = (number: number, content: string): DerNode =>
  asn1.create(CONTEXT_SPECIFIC, number, false, content);

/** UTCTime until 2049, GeneralizedTime from then on (RFC 5280 4.1.2.5); whole seconds. */
export function time(at: number): DerNode {
  const digits = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '');
  return new Date(at).getUTCFullYear() < 2050
    ? primitive(asn1.Type.UTCTIME, digits.slice(2))
    : primitive(asn1.Type.GENERALIZEDTIME, digits);
}

export const render = (node: DerNode): Buffer => bytesOf(asn1.toDer(node).getBytes());

export const publicKeyInfo = (key: KeyObject): DerNode =>
  parseDer(key.export({ type: 'spki', format: 'der' }));
