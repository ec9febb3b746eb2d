/** Replaces certificate facts, which repeat with every call of a connection, by their digest. */
import { hash } from 'node:crypto';
import type { CertificateFacts } from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';

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

/** The facts of a certificate for `unpackExchange` from a list of them that came with the exchanges. */
export function certificateShelf(
  certificates: Iterable<CertificateFacts>,
): (reference: string) => CertificateFacts {
  const shelf = new Map<string, CertificateFacts>();
  for (const facts of certificates) shelf.set(certificateReference(facts), facts);
  return (reference) => {
    const facts = shelf.get(reference);
    if (facts === undefined) {
      throw new SandgateError('recording.no-certificate', { reference });
    }
    return facts;
  };
}
