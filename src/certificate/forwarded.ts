/** The forms in which load balancers forward the client certificate. */
import { MAX_CERTIFICATE_BYTES } from './der.js';
import { parsePemFile } from './pem.js';

export type ForwardedCertificate = { readonly leaf: Uint8Array; readonly chain: readonly Uint8Array[] };

/** A problem is half a sentence that goes on from the header's name. */
type ReadCertificate = ForwardedCertificate | { readonly problem: string };
/** null: the client showed none. */
type ForwardedRead = ReadCertificate | null;

interface ForwardedForm {
  /** Lower case, that of the certificate first. */
  readonly headers: readonly string[];
  /** Gets the values of those headers in their order, each as often as it came. Never throws. */
  readonly read: (...values: (readonly string[])[]) => ForwardedRead;
}

const LONGEST_CHAIN = 10;
const SEQUENCE = 0x30;

function asForwarded(certificates: readonly Uint8Array[]): ReadCertificate {
  const [leaf, ...chain] = certificates;
  if (leaf === undefined) return { problem: 'holds no certificate' };
  if (chain.length > LONGEST_CHAIN)
    return { problem: `holds more than ${LONGEST_CHAIN} certificates of CAs` };
  for (const one of certificates) {
    if (one.length > MAX_CERTIFICATE_BYTES) return { problem: 'holds a certificate that is too large' };
    const length = lengthAt(one, 0);
    if (length === undefined || length > one.length)
      return { problem: 'contains bytes that are not a certificate' };
    // No signature covers them, and they would give the same certificate another fingerprint.
    if (length < one.length) return { problem: 'holds bytes behind a certificate' };
  }
  return { leaf, chain };
}

/** Length of the DER sequence that begins there, with its head; undefined where none begins. */
function lengthAt(bytes: Uint8Array, at: number): number | undefined {
  const first = bytes[at + 1];
  if (bytes[at] !== SEQUENCE || first === undefined) return undefined;
  if (first < 0x80) return 2 + first;
  const count = first & 0x7f;
  if (count < 1 || count > 3) return undefined;
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  return 2 + count + length;
}

/** The only value of a header: undefined where there is none, a problem where it came more than once. */
function single(values: readonly string[]): string | undefined | { readonly problem: string } {
  if (values.length > 1) return { problem: 'came more than once' };
  const value = values[0]?.trim();
  return value === '' ? undefined : value;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function base64Bytes(text: string): Buffer | undefined {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The certificates of a PEM text, percent-encoded or not; its line ends may have become blanks. */
function readPemText(text: string): ReadCertificate {
  try {
    const pem = text.includes('%') ? decodeURIComponent(text) : text;
    return asForwarded(parsePemFile(Buffer.from(pem, 'latin1')));
  } catch {
    return { problem: 'is not correctly percent-encoded' };
  }
}

/**
 * Each proxy on the way adds an element at the end, so the last one is what the proxy that calls us has seen itself;
 * those before it are only what it was told.
 */
function readEnvoy(values: readonly string[]): ForwardedRead {
  const line = values.join(',').trim();
  if (line === '') return null;
  const pairs = lastElement(line);
  if (pairs === undefined) return { problem: 'is not a list of Key=value pairs' };
  const cert = pairs.get('cert');
  const chain = pairs.get('chain');
  // The chain begins with the client's own certificate.
  const text = chain === undefined ? cert : chain;
  if (text === undefined) {
    if (pairs.has('hash') || pairs.has('subject'))
      return { problem: 'holds no Cert: add it to set_current_client_cert_details' };
    // Of a client without certificate there is nothing but the URI of the proxy itself.
    return null;
  }
  return readPemText(text);
}

/** One pair, quoted or not, and what follows it. Spaces behind a value without quotes belong to it. */
const PAIR = /\s*([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"\s*|([^",;]*))(;|,|$)/y;

function lastElement(line: string): ReadonlyMap<string, string> | undefined {
  let pairs = new Map<string, string>();
  let at = 0;
  while (at < line.length) {
    PAIR.lastIndex = at;
    const found = PAIR.exec(line);
    if (found === null) return undefined;
    const [, key = '', quoted, bare = '', end] = found;
    pairs.set(key.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare);
    at = PAIR.lastIndex;
    if (end === ',' && at < line.length) pairs = new Map();
  }
  return pairs;
}

/** HAProxy: `X-SSL-Client-Cert %[ssl_c_der,base64]`, and the chain as `X-SSL-Client-Chain %[ssl_c_chain_der,base64]`. */
function readHaproxy(cert: readonly string[], chain: readonly string[] = []): ForwardedRead {
  const value = single(cert);
  if (value === undefined) return null;
  if (typeof value === 'object') return value;
  if (value.startsWith('-----BEGIN')) return readPemText(value);
  const leaf = base64Bytes(value);
  if (leaf === undefined) return { problem: 'is neither base64 nor PEM' };
  const above = single(chain);
  if (above === undefined) return asForwarded([leaf]);
  const all = typeof above === 'object' ? undefined : base64Bytes(above);
  const certificates = all === undefined ? undefined : divideDer(all);
  if (certificates === undefined) return { problem: 'comes with a chain that is not base64 of certificates' };
  return asForwarded([leaf, ...certificates]);
}

/** Certificates that stand one after the other; undefined where something else stands among them. */
function divideDer(bytes: Uint8Array): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    if (length === undefined || at + length > bytes.length) return undefined;
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
}

/** nginx: `proxy_set_header X-SSL-Cert $ssl_client_escaped_cert`, percent-encoded PEM of the client's own certificate. */
function readNginx(cert: readonly string[]): ForwardedRead {
  const value = single(cert);
  if (value === undefined) return null;
  return typeof value === 'object' ? value : readPemText(value);
}

/** A byte sequence, with parameters that mean nothing here. */
const ITEM = /^:([A-Za-z0-9+/=]*):(?:\s*;[^,:"]*)?$/;

/** RFC 9440: `Client-Cert` and `Client-Cert-Chain`, structured fields with byte sequences (RFC 8941 3.3.5). */
function readRfc9440(cert: readonly string[], chain: readonly string[] = []): ForwardedRead {
  const value = single(cert);
  if (typeof value === 'object') return value;
  if (value === undefined)
    return chain.length > 0 ? { problem: 'is missing, though Client-Cert-Chain is there' } : null;
  const certificates: Uint8Array[] = [];
  for (const item of [value, ...chain.flatMap((line) => line.split(','))]) {
    const bytes = base64Bytes(ITEM.exec(item.trim())?.[1] ?? '');
    if (bytes === undefined) return { problem: 'is not a byte sequence of RFC 8941, as in :MIIB…:' };
    certificates.push(bytes);
  }
  return asForwarded(certificates);
}

const DASH = 0x2d;

/**
 * `TPP-Signature-Certificate` of a signed request: base64 of DER or of PEM, or PEM; its line ends may have become blanks or
 * `\n`, and all of it may be percent-encoded.
 */
export function readSealHeader(value: string): ReadCertificate {
  let text = value.trim();
  try {
    if (text.includes('%')) text = decodeURIComponent(text);
  } catch {
    return { problem: 'is not correctly percent-encoded' };
  }
  text = text.replace(/\\[rn]/g, '\n');
  const bytes = base64Bytes(text.replace(/\s+/g, ''));
  if (bytes === undefined)
    return text.startsWith('-----BEGIN') ? readPemText(text) : { problem: 'is neither base64 nor PEM' };
  return bytes[0] === DASH ? readPemText(bytes.toString('latin1')) : asForwarded([bytes]);
}

/** Users name them like this. Header names are in lower case. */
export const FORWARDED_FORMS = {
  rfc9440: { headers: ['client-cert', 'client-cert-chain'], read: readRfc9440 },
  nginx: { headers: ['x-ssl-cert'], read: readNginx },
  envoy: { headers: ['x-forwarded-client-cert'], read: readEnvoy },
  haproxy: { headers: ['x-ssl-client-cert', 'x-ssl-client-chain'], read: readHaproxy },
} as const satisfies Record<string, ForwardedForm>;

export type ForwardedFormName = keyof typeof FORWARDED_FORMS;
export const FORWARDED_FORM_NAMES = Object.keys(FORWARDED_FORMS) as [
  ForwardedFormName,
  ...ForwardedFormName[],
];
