/**
 * Verifies an XAdES signature over a whole document (XML Signature, ETSI EN 319 132-1), and reads the text that was
 * hashed anew: nothing is read that the signature does not cover.
 */
import { constants, createHash, createPublicKey, hash, verify, X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Element } from '@xmldom/xmldom';
import type { HashAlgorithm, Reference, SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { elementAt, elementsIn, readXml, textAt } from './read-xml.js';

const require = createRequire(import.meta.url);

export interface SignedXmlRoot {
  /** From the canonical text that the signature covers. */
  readonly root: Element;
  /** The certificate in the signature, whose key made it. Whether it is trusted is for the caller to say. */
  readonly signer: X509Certificate;
}

const XML_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const NEWER = 'http://www.w3.org/2007/05/xmldsig-more#';
const ENVELOPED = `${XML_SIGNATURE}enveloped-signature`;
/** Without comments: what a reader passes over is not hashed either. */
const CANONICAL = [
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
];
const HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${MORE}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};
/** SHA-1 only where the signature names its own certificate: the key is not found by it. */
const NAME_HASHES: Readonly<Record<string, string>> = { ...HASHES, [`${XML_SIGNATURE}sha1`]: 'sha1' };
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const SIGNATURES = ['sha256', 'sha384', 'sha512'].flatMap((name) => [
  { uri: `${MORE}rsa-${name}`, name, keyType: 'rsa', options: {} },
  { uri: `${NEWER}${name}-rsa-MGF1`, name, keyType: 'rsa', options: PSS },
  { uri: `${MORE}ecdsa-${name}`, name, keyType: 'ec', options: { dsaEncoding: 'ieee-p1363' as const } },
]);

/**
 * The root of a document as its one signature covers it; or what is wrong with the text.
 * @param deepest how deep elements may be nested
 */
export function openSignedXml(text: string, deepest: number): SignedXmlRoot | string {
  const root = readXml(text, deepest);
  if (typeof root === 'string') return root;
  const [signature, ...others] = root.getElementsByTagNameNS(XML_SIGNATURE, 'Signature');
  if (signature === undefined) return 'it is not signed';
  if (others.length > 0) return `it has ${others.length + 1} signatures, and one is expected`;
  if (signature.parentNode !== root) return 'its signature is not directly below the root element';
  const signer = signerOf(signature);
  if (signer === null) return 'its signature holds no certificate that can be read';
  let signed: SignedXml;
  try {
    signed = openSignature(signature, signer);
    if (!signed.checkSignature(text)) return 'it was changed after it was signed';
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return `its signature does not hold: ${why.replace(/[^ -~]/g, '').slice(0, 100)}`;
  }
  return coveredRoot(root, signed, signer, deepest);
}

function signerOf(signature: Element): X509Certificate | null {
  try {
    const text = textAt(signature, 'KeyInfo/X509Data/X509Certificate') ?? '';
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    return null;
  }
}

/** The library takes classes, one for each name of an algorithm; what is not among them it refuses. */
function openSignature(signature: Element, signer: X509Certificate): SignedXml {
  const xmlCrypto: typeof import('xml-crypto') = require('xml-crypto');
  const pem = signer.toString();
  const signed = new xmlCrypto.SignedXml({ publicCert: pem });
  signed.SignatureAlgorithms = Object.fromEntries(
    SIGNATURES.map(({ uri, name, keyType, options }) => [
      uri,
      class implements SignatureAlgorithm {
        getAlgorithmName = () => uri;
        getSignature = () => '';
        verifySignature = (material: string, _: unknown, value: string) => {
          const key = createPublicKey(pem);
          const bytes = Buffer.from(value, 'base64');
          return (
            key.asymmetricKeyType === keyType &&
            verify(name, Buffer.from(material), { key, ...options }, bytes)
          );
        };
      },
    ]),
  );
  signed.HashAlgorithms = Object.fromEntries(
    Object.entries(HASHES).map(([uri, name]) => [
      uri,
      class implements HashAlgorithm {
        getAlgorithmName = () => uri;
        getHash = (xml: string) => createHash(name).update(xml, 'utf8').digest('base64');
      },
    ]),
  );
  const known = new Set([...CANONICAL, ENVELOPED]);
  signed.CanonicalizationAlgorithms = Object.fromEntries(
    Object.entries(signed.CanonicalizationAlgorithms).filter(([uri]) => known.has(uri)),
  );
  signed.loadSignature(signature.toString());
  return signed;
}

/** Two references: the whole document, and what XAdES signs beside it. Both as the signed SignedInfo names them. */
function coveredRoot(
  claimed: Element,
  signed: SignedXml,
  signer: X509Certificate,
  deepest: number,
): SignedXmlRoot | string {
  const references = signed.getReferences();
  const texts = signed.getSignedReferences();
  const id = claimed.getAttribute('Id') ?? claimed.getAttribute('ID') ?? '';
  const isWhole = ({ uri }: Reference) => uri === '' || (id !== '' && uri === `#${id}`);
  const at = references.findIndex(isWhole);
  const [whole, rest] = [references[at], references.filter((_, i) => i !== at)];
  if (whole === undefined) return 'its signature does not cover the whole document';
  if (rest.length !== 1 || texts.length !== 2)
    return `its signature has ${references.length} references; the document and the signed properties are expected`;
  const enveloped = whole.transforms.filter((transform) => transform === ENVELOPED);
  const others = [...whole.transforms, ...(rest[0]?.transforms ?? [])].filter((one) => one !== ENVELOPED);
  if (enveloped.length !== 1 || !others.every((one) => CANONICAL.includes(one)))
    return 'its signature transforms the document in a way that is not taken';
  const properties = readXml(texts[1 - at] ?? '', deepest);
  const root = readXml(texts[at] ?? '', deepest);
  if (typeof root === 'string' || typeof properties === 'string')
    return 'what its signature covers is no XML';
  if (root.localName !== claimed.localName || root.namespaceURI !== claimed.namespaceURI)
    return 'its signature covers another element than the root';
  if (!namesCertificate(properties, signer))
    return 'its signature does not name its certificate (XAdES SigningCertificate)';
  return { root, signer };
}

function namesCertificate(properties: Element, { raw }: X509Certificate): boolean {
  if (properties.localName !== 'SignedProperties') return false;
  const signature = elementAt(properties, 'SignedSignatureProperties');
  const named = ['SigningCertificate', 'SigningCertificateV2'].flatMap((name) =>
    elementsIn(elementAt(signature, name), 'Cert'),
  );
  const digest = elementAt(named[0], 'CertDigest');
  const name = NAME_HASHES[elementAt(digest, 'DigestMethod')?.getAttribute('Algorithm') ?? ''];
  return name !== undefined && hash(name, raw, 'base64') === textAt(digest, 'DigestValue');
}
