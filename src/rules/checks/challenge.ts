/** PKCE (RFC 7636): methods, the forms of challenges and verifiers, and how one follows from the other. */
import { hash } from 'node:crypto';
import type { Parameters } from './parameters.js';

const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const UNRESERVED = /^[A-Za-z0-9\-._~]{43,128}$/;
const FORBIDDEN = /[^A-Za-z0-9\-._~]/;
const GUID = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i;
const HEX_DIGEST = /^[0-9a-f]{64}$/i;
/** A plus sign that is not percent-encoded reads as a space. */
const STANDARD_ALPHABET = /[+/ ]/;

/** The method of an authorization request; without the parameter it is plain (4.3). Undefined where it is sent twice. */
export function methodOf(query: Parameters): string | undefined {
  let method: string | undefined;
  for (const [name, value] of query) {
    if (name !== 'code_challenge_method') continue;
    if (method !== undefined) return undefined;
    method = value;
  }
  return method ?? '';
}

export const isPlain = (method: string): boolean => method === 'plain' || method === '';

/** 43 to 128 unreserved characters (4.1); a challenge of method plain has the same form. */
export const isVerifier = (text: string): boolean => UNRESERVED.test(text);

export function isChallenge(text: string, method: string): boolean {
  return isPlain(method) ? UNRESERVED.test(text) : S256_CHALLENGE.test(text);
}

export function describeChallenge(text: string): string {
  const size = `${text.length} characters`;
  if (HEX_DIGEST.test(text)) return `${size}: the digest in hexadecimal`;
  const padded = text.endsWith('=');
  const standard = STANDARD_ALPHABET.test(text);
  if (standard) return `${size}: base64 of the standard alphabet (+ and /)${padded ? ', with padding' : ''}`;
  if (padded) return `${size}: base64 with padding (=)`;
  return FORBIDDEN.test(text) ? `${size}, among them forbidden ones` : size;
}

/** Says nothing of the secret but its length and kind. */
export function describeVerifier(text: string): string {
  if (GUID.test(text)) return `${text.length} characters: a GUID`;
  return FORBIDDEN.test(text)
    ? `${text.length} characters, among them forbidden ones`
    : `${text.length} characters`;
}

/** base64url(SHA-256(ASCII(verifier))), 4.2. */
export function s256(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

export function toBase64url(challenge: string): string {
  return withoutPadding(challenge).replaceAll('/', '_').replace(/[+ ]/g, '-');
}

/** No regular expression: one that looks for a run at the end begins again at each character of a run elsewhere. */
function withoutPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === '=') end--;
  return text.slice(0, end);
}
