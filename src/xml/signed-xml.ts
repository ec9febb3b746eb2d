/**
 * Verifies an XAdES signature over a whole document (XML Signature, ETSI EN 319 132-1), and reads the text that was
 * hashed anew: nothing is read that the signature does not cover, so that a fault in the canonical form can only refuse.
 */
import { constants, createHash, hash, verify, X509Certificate } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { type CanonicalForm, canonicalDocument, canonicalElement } from './canonical.js';
import { elementAt, elementsIn, readXml, textAt } from './read-xml.js';

interface SignedXml {
  /** From the canonical text that the signature covers. */
  readonly root: Element;
  /** The certificate in the signature, whose key made it. Whether it is trusted is for the caller to say. */
  readonly signer: X509Certificate;
}

const XML_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const NEWER = 'http://www.w3.org/2007/05/xmldsig-more#';
const ENVELOPED = `${XML_SIGNATURE}enveloped-signature`;
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** Without comments: what a reader passes over is not hashed either. */
const CANONICAL: readonly string[] = ['http://www.w3.org/TR/2001/REC-xml-c14n-20010315', EXCLUSIVE];
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
export function openSignedXml(text: string, deepest: number): SignedXml | string {
  const covered = coveredTexts(text, deepest);
  if (typeof covered === 'string') return covered;
  const { signer } = covered;
  const properties = readXml(covered.properties, deepest);
  const root = readXml(covered.document, deepest);
  if (typeof root === 'string' || typeof properties === 'string')
    return 'what its signature covers is no XML';
  return namesCertificate(properties, signer)
    ? { root, signer }
    : 'its signature does not name its certificate (XAdES SigningCertificate)';
}

interface Covered {
  readonly document: string;
  /** XAdES signs these beside the document. */
  readonly properties: string;
  readonly signer: X509Certificate;
}

/** The tree of the text goes with the end of this function: there is room for one at a time. */
function coveredTexts(text: string, deepest: number): Covered | string {
  const root = readXml(text, deepest);
  if (typeof root === 'string') return root;
  const [signature, ...others] = root.getElementsByTagNameNS(XML_SIGNATURE, 'Signature');
  if (signature === undefined) return 'it is not signed';
  if (others.length > 0) return `it has ${others.length + 1} signatures, and one is expected`;
  if (signature.parentNode !== root) return 'its signature is not directly below the root element';
  const signer = signerOf(signature);
  if (signer === null) return 'its signature holds no certificate that can be read';
  const info = signedInfo(signature, signer, deepest);
  if (typeof info === 'string') return info;
  const references = elementsIn(info, 'Reference').map(readReference);
  const id = root.getAttribute('Id') ?? '';
  const whole = references.find(({ uri }) => uri === '' || (id !== '' && uri === `#${id}`));
  const rest = references.filter((one) => one !== whole);
  if (whole === undefined) return 'its signature does not cover the whole document';
  const [beside] = rest;
  if (beside === undefined || rest.length > 1)
    return `its signature has ${references.length} references; the document and the signed properties are expected`;
  const form = formOf(whole, signature);
  const own = formOf(beside, null);
  if (form === null || own === null)
    return 'its signature transforms the document in a way that is not taken';
  const properties = elementNamed(signature, 'SignedProperties', beside.uri);
  if (properties === null) return 'its signature covers something beside the document that is not there';
  const texts = {
    document: whole.uri === '' ? canonicalDocument(root, form) : canonicalElement(root, form),
    properties: canonicalElement(properties, own),
  };
  return isHashOf(whole, texts.document) && isHashOf(beside, texts.properties)
    ? { ...texts, signer }
    : 'it was changed after it was signed';
}

function signerOf(signature: Element): X509Certificate | null {
  try {
    const text = textAt(signature, 'KeyInfo/X509Data/X509Certificate') ?? '';
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    return null;
  }
}

/** SignedInfo as the key of the signer signed it, or why it did not. */
function signedInfo(signature: Element, signer: X509Certificate, deepest: number): Element | string {
  const [element, ...others] = elementsIn(signature, 'SignedInfo');
  const method = elementAt(element, 'CanonicalizationMethod');
  const form = method === undefined ? null : canonicalForm([method], null);
  const named = attributeAt(element, 'SignatureMethod');
  const algorithm = SIGNATURES.find(({ uri }) => uri === named);
  if (element === undefined || others.length > 0 || form === null || algorithm === undefined)
    return `its signature is of a kind that is not taken: ${named.split('#').at(-1)?.slice(0, 40)}`;
  const text = canonicalElement(element, form);
  const value = Buffer.from(textAt(signature, 'SignatureValue') ?? '', 'base64');
  return isSignedBy(algorithm, text, signer, value)
    ? readXml(text, deepest)
    : 'its signature does not hold: another key made it, or it was changed';
}

function isSignedBy(
  { name, keyType, options }: (typeof SIGNATURES)[number],
  text: string,
  signer: X509Certificate,
  value: Buffer,
): boolean {
  try {
    // Throws where it is no key.
    const key = signer.publicKey;
    return key.asymmetricKeyType === keyType && verify(name, Buffer.from(text), { key, ...options }, value);
  } catch {
    return false;
  }
}

const attributeAt = (parent: Element | undefined, path: string): string =>
  elementAt(parent, path)?.getAttribute('Algorithm') ?? '';

interface Reference {
  readonly uri: string;
  readonly transforms: readonly Element[];
  readonly hash: string | undefined;
  readonly digest: Buffer;
}

const readReference = (element: Element): Reference => ({
  uri: element.getAttribute('URI') ?? '',
  transforms: elementsIn(elementAt(element, 'Transforms'), 'Transform'),
  hash: HASHES[attributeAt(element, 'DigestMethod')],
  digest: Buffer.from(textAt(element, 'DigestValue') ?? '', 'base64'),
});

const isHashOf = ({ hash: name, digest }: Reference, text: string): boolean =>
  name !== undefined && createHash(name).update(text).digest().equals(digest);

/** null for transforms other than: take the signature out (once, of what holds it), then make it canonical. */
function formOf({ transforms }: Reference, signature: Element | null): CanonicalForm | null {
  const [first, ...rest] = transforms;
  if (signature === null) return canonicalForm(transforms, null);
  return first?.getAttribute('Algorithm') === ENVELOPED ? canonicalForm(rest, signature) : null;
}

function canonicalForm([method, ...more]: readonly Element[], without: Element | null): CanonicalForm | null {
  const uri = method?.getAttribute('Algorithm') ?? CANONICAL[0] ?? '';
  if (more.length > 0 || !CANONICAL.includes(uri)) return null;
  const prefixes = elementAt(method, 'InclusiveNamespaces')?.getAttribute('PrefixList') ?? '';
  return {
    isExclusive: uri === EXCLUSIVE,
    prefixes: prefixes.split(/\s+/).filter((one) => one !== ''),
    without,
  };
}

/** The only element of this name and id; null where there is none, or more than one. */
function elementNamed(within: Element, name: string, uri: string): Element | null {
  const found = [...within.getElementsByTagNameNS('*', name)].filter(
    (one) => `#${one.getAttribute('Id') ?? ''}` === uri,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function namesCertificate(properties: Element, { raw }: X509Certificate): boolean {
  const signature = elementAt(properties, 'SignedSignatureProperties');
  const named = ['SigningCertificate', 'SigningCertificateV2'].flatMap((name) =>
    elementsIn(elementAt(signature, name), 'Cert'),
  );
  const digest = elementAt(named[0], 'CertDigest');
  const name = NAME_HASHES[attributeAt(digest, 'DigestMethod')];
  return name !== undefined && hash(name, raw, 'base64') === textAt(digest, 'DigestValue');
}
