/** Tells whether a token or consent belongs to another certificate of the same organisation, at banks that bind them to it. */
import type { CallContext } from '../rule.js';

interface Bound {
  readonly tpp: string;
  readonly certificate?: string;
}

export function isOfOtherCertificate(fact: Bound | undefined, { call, options }: CallContext): boolean {
  if (!options.dialect.isBoundToCertificate || fact?.certificate === undefined) return false;
  if (fact.tpp !== call.tpp || typeof call.certificate === 'string') return false;
  return fact.certificate !== call.certificate.fingerprint256;
}

export const ofOtherCertificate = (what: string): string =>
  `${what} of another certificate of the same organisation`;
