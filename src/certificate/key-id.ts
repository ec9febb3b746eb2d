/** Holds the keyId of a signature, `SN=9FA1,CA=CN=…`, against a certificate. */
import type { CertificateFacts } from './facts.js';
import { ATTRIBUTES } from './oids.js';

const FORM = /^SN=([^,]*),\s*CA=(.*)$/is;
const LONGEST = 4_000;

/** The faults of a keyId. Empty if it names the certificate. */
export function keyIdFaults(
  keyId: string,
  { serialNumber, issuer }: Pick<CertificateFacts, 'serialNumber' | 'issuer'>,
): { readonly expected: string; readonly actual: string }[] {
  const [, serial, name] = FORM.exec(keyId.slice(0, LONGEST)) ?? [];
  if (serial === undefined || name === undefined)
    return [{ expected: 'SN=serial number,CA=issuer', actual: keyId.slice(0, 100) }];
  const faults: { expected: string; actual: string }[] = [];
  const form = formOfSerial(serial.trim(), serialNumber);
  if (form !== 'hex')
    faults.push({
      expected: `SN=${serialNumber}, the serial number in hexadecimal`,
      actual: form === 'other' ? `SN=${serial}` : `SN=${serial}, likely cause: the serial number ${form}`,
    });
  if (!isSameName(name, issuer))
    faults.push({ expected: `CA=${issuer}, the issuer of the certificate`, actual: `CA=${name}` });
  return faults;
}

/** Leading zeros and letter case say nothing. */
const bare = (hex: string): string => hex.replace(/^0+(?=.)/, '').toUpperCase();

function formOfSerial(text: string, serialNumber: string): string {
  if (bare(text) === bare(serialNumber)) return 'hex';
  if (/^\d{1,60}$/.test(text) && BigInt(text) === BigInt(`0x${serialNumber || '0'}`)) return 'in decimal';
  if (bare(text.replace(/^0x/i, '')) === bare(serialNumber)) return 'with 0x';
  if (bare(text.replace(/[\s:-]/g, '')) === bare(serialNumber)) return 'with separators';
  return 'other';
}

const OIDS: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(ATTRIBUTES).map(([oid, name]) => [name.toLowerCase(), oid]),
  ['s', '2.5.4.8'],
  ['e', '1.2.840.113549.1.9.1'],
  ['serial', '2.5.4.5'],
  ['surname', '2.5.4.4'],
  ['gn', '2.5.4.42'],
  ['oid.2.5.4.97', '2.5.4.97'],
]);

/** Tools differ in the order of attributes, in their names, and in what they escape. */
function isSameName(one: string, other: string): boolean {
  const [a, b] = [attributesOf(decoded(one)), attributesOf(other)];
  return a.length === b.length && a.every((attribute, i) => attribute === b[i]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A value, quoted or not, in which a backslash stands before what would end it. */
const ATTRIBUTE = /\s*([A-Za-z0-9.]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^",+\\]|\\.)*))\s*(?:[,+]|$)/y;

function attributesOf(name: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < name.length; at = ATTRIBUTE.lastIndex) {
    ATTRIBUTE.lastIndex = at;
    const [, type = '', quoted, plain = ''] = ATTRIBUTE.exec(name) ?? [];
    if (type === '') return [name];
    found.push(`${OIDS[type.toLowerCase()] ?? type}=${bareValue(quoted ?? plain)}`);
  }
  return found.sort();
}

/** `#0c05…` is DER in hex (RFC 4514 2.4): a short text behind its tag and length. */
function bareValue(text: string): string {
  const [, hex] = /^#[0-9a-f]{2}[0-7][0-9a-f]((?:[0-9a-f]{2})*)$/i.exec(text.trim()) ?? [];
  const value = hex === undefined ? text.replace(/\\(.)/g, '$1') : Buffer.from(hex, 'hex').toString();
  return value.trim().replace(/\s+/g, ' ').toLowerCase();
}
