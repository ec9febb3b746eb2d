/** Reads the key and the certificates of a PKCS#12 file (RFC 7292), whatever ciphers it uses and whatever kind its key is. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type forge from 'node-forge';
import { asn1, binary } from './der.js';

/** The key, if it has one, and DER of the certificates, in their order. */
interface OpenedPkcs12 {
  readonly privateKey: KeyObject | null;
  readonly certificates: readonly Uint8Array[];
}

/** @throws Error where the passphrase is wrong, or the bytes are no such file */
export async function openPkcs12(bytes: Uint8Array, passphrase: string): Promise<OpenedPkcs12> {
  // Loaded here, because nothing else of the program reads such files.
  // @ts-expect-error: there are types of the whole alone.
  const pkcs12: typeof forge.pkcs12 = (await import('node-forge/lib/pkcs12.js')).default;
  // @ts-expect-error: there are types of the whole alone.
  const pki: typeof forge.pki = (await import('node-forge/lib/x509.js')).default;
  const { safeContents } = pkcs12.pkcs12FromAsn1(asn1.fromDer(binary(bytes)), passphrase);
  const bags = safeContents.flatMap(({ safeBags }) => safeBags);
  const derOf = (node: forge.asn1.Asn1): Buffer => Buffer.from(asn1.toDer(node).getBytes(), 'latin1');
  const key = bags.find(({ type }) => type === pki.oids.pkcs8ShroudedKeyBag || type === pki.oids.keyBag);
  // Keys and certificates that node-forge does not know, as EC ones, it leaves as ASN.1.
  const isKnown = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;
  return {
    privateKey:
      key === undefined
        ? null
        : isKnown(key.key)
          ? createPrivateKey({ key: derOf(pki.privateKeyToAsn1(key.key)), format: 'der', type: 'pkcs1' })
          : createPrivateKey({ key: derOf(key.asn1), format: 'der', type: 'pkcs8' }),
    certificates: bags
      .filter(({ type }) => type === pki.oids.certBag)
      .map(({ cert, asn1: node }) => derOf(isKnown(cert) ? pki.certificateToAsn1(cert) : node)),
  };
}
