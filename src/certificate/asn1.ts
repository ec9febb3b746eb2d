/** The part of node-forge that reads and writes ASN.1: the whole takes longer to load than a certificate to read. */
import type forge from 'node-forge';
// @ts-expect-error: there are types of the whole alone.
import part from 'node-forge/lib/asn1.js';

export const asn1: typeof forge.asn1 = part;
