/** Replaces certificate facts, which repeat with every call of a connection, by their digest. */
import { hash } from 'node:crypto';
import type { CertificateFacts } from '../../certificate/index.js';

const references = new WeakMap<CertificateFacts, string>();

/** SHA-256 over the facts as JSON, base64url: other facts of the same certificate (a later revocation) differ. */
export function certificateReference(facts: CertificateFacts): string {
  let reference = references.get(facts);
  if (reference === undefined) {
    reference = hash('sha256', JSON.stringify(facts), 'base64url');
    references.set(facts, reference);
  }
  return reference;
}
