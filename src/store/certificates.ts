/** Stores each certificate of a session once. */
import { hash } from 'node:crypto';
import type { CertificateFacts } from '../certificate/index.js';
import { certificateReference, createRecentCache } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';

const REMEMBERED = 1_024;

/** `insert` passes over one that is there. */
export function createCertificateWriter(insert: (session: number, reference: string, facts: string) => void) {
  /** By session: the same facts are the same object from call to call. */
  const kept = createRecentCache<number, WeakSet<CertificateFacts>>(REMEMBERED);
  return {
    keep: (session: number, facts: CertificateFacts) => {
      let ofSession = kept.get(session);
      if (ofSession?.has(facts)) return;
      insert(session, certificateReference(facts), JSON.stringify(facts));
      if (ofSession === undefined) {
        ofSession = new WeakSet();
        kept.set(session, ofSession);
      }
      ofSession.add(facts);
    },
    forget: () => kept.clear(),
  };
}

export type CertificateReader = (session: number, reference: string) => CertificateFacts;

/** The same facts are the same object, so that a large session holds each certificate once. */
export function createCertificateReader(
  select: (session: number, reference: string) => string | undefined,
): CertificateReader {
  const read = createRecentCache<string, CertificateFacts>(REMEMBERED);
  return (session, reference) => {
    const key = `${session} ${reference}`;
    const known = read.get(key);
    if (known !== undefined) return known;
    const text = select(session, reference);
    if (text === undefined) {
      throw new SandgateError('record.certificate-gone', { reference });
    }
    if (hash('sha256', text, 'base64url') !== reference) {
      throw new SandgateError('record.certificate-changed', { reference });
    }
    const facts = JSON.parse(text) as CertificateFacts;
    read.set(key, facts);
    return facts;
  };
}
