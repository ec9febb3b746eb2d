/** Tells whether a key made a signature over a text, and by which scheme. */
import {
  constants,
  hash,
  type KeyObject,
  publicDecrypt,
  type VerifyKeyObjectInput,
  verify,
  X509Certificate,
} from 'node:crypto';

const HASHES = ['sha256', 'sha512', 'sha384', 'sha1'] as const;
type HashName = (typeof HASHES)[number];
export type SignatureScheme =
  | `${'rsa' | 'rsa-pss' | 'ecdsa'}-${HashName}`
  | 'rsa without DigestInfo'
  | 'ed25519';

/** By the name in a signature; hs2019 leaves the scheme to the key. */
export const SIGNATURE_ALGORITHMS: Readonly<Record<string, readonly SignatureScheme[]>> = {
  'rsa-sha256': ['rsa-sha256'],
  'rsa-sha512': ['rsa-sha512'],
  'ecdsa-sha256': ['ecdsa-sha256'],
  'ecdsa-sha512': ['ecdsa-sha512'],
  hs2019: [
    ...(['rsa-sha256', 'rsa-sha384', 'rsa-sha512'] as const),
    ...(['rsa-pss-sha256', 'rsa-pss-sha384', 'rsa-pss-sha512'] as const),
    ...(['ecdsa-sha256', 'ecdsa-sha384', 'ecdsa-sha512', 'ed25519'] as const),
  ],
};

/** null: it cannot be read. */
export function keyOfCertificate(der: Uint8Array): KeyObject | null {
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    return null;
  }
}

export interface SignatureProbe {
  /** The scheme by which the key signed this text; null if it signed another one. */
  readonly schemeOf: (text: Uint8Array) => SignatureScheme | null;
  /** false: another key made the signature, or it was damaged. null: the key does not tell without the text. */
  readonly isOfKey: boolean | null;
  /** A text costs no more than its hash: thousands may be tried. */
  readonly isCheap: boolean;
}

/** DER of a DigestInfo in front of the hash (RFC 8017 9.2), in hex. */
const DIGEST_INFOS: Readonly<Record<HashName, string>> = {
  sha256: '3031300d060960864801650304020105000420',
  sha512: '3051300d060960864801650304020305000440',
  sha384: '3041300d060960864801650304020205000430',
  sha1: '3021300906052b0e03021a05000414',
};

const UNUSABLE: SignatureProbe = { schemeOf: () => null, isOfKey: null, isCheap: true };
/** Each use of a larger key takes long, and whoever calls may have made it for that. */
const LONGEST_MODULUS = 8_192;
const LARGEST_EXPONENT = 2n ** 32n;

export function probeSignature(key: KeyObject, signature: Uint8Array): SignatureProbe {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return modulusLength > LONGEST_MODULUS || publicExponent > LARGEST_EXPONENT
        ? UNUSABLE
        : probeRsa(key, signature);
    case 'ec':
      return probeBySchemes(ecSchemes(key, signature), signature);
    case 'ed25519':
      return probeBySchemes([['ed25519', null, { key }]], signature);
    default:
      return UNUSABLE;
  }
}

/** An RSA key gives back the hash that was signed: with it, any number of texts can be compared. */
function probeRsa(key: KeyObject, signature: Uint8Array): SignatureProbe {
  const signed = recover(key, constants.RSA_PKCS1_PADDING, signature);
  if (signed === null) {
    const pss = probeBySchemes(
      HASHES.map((name) => [`rsa-pss-${name}`, name, { key, padding: constants.RSA_PKCS1_PSS_PADDING }]),
      signature,
    );
    // RFC 8017 9.1.1: the last byte is fixed.
    const mayBePss = recover(key, constants.RSA_NO_PADDING, signature)?.endsWith('bc') === true;
    return { ...pss, isOfKey: mayBePss ? null : false };
  }
  const found = HASHES.find((name) => signed.startsWith(DIGEST_INFOS[name]));
  const bare = HASHES.find((name) => hash(name, '', 'hex').length === signed.length);
  const [scheme, name, start]: readonly [SignatureScheme, HashName, string] =
    found === undefined
      ? ['rsa without DigestInfo', bare ?? 'sha256', '']
      : [`rsa-${found}`, found, DIGEST_INFOS[found]];
  return {
    schemeOf: (text) => (signed === start + hash(name, text, 'hex') ? scheme : null),
    isOfKey: true,
    isCheap: true,
  };
}

/** Hex of what was signed; null if the padding is not that of this key. */
function recover(key: KeyObject, padding: number, signature: Uint8Array): string | null {
  try {
    return publicDecrypt({ key, padding }, signature).toString('hex');
  } catch {
    return null;
  }
}

type Scheme = readonly [name: SignatureScheme, hash: HashName | null, input: VerifyKeyObjectInput];

/** Libraries differ in how they write the two numbers of ECDSA: as DER, or one after the other. */
function ecSchemes(key: KeyObject, signature: Uint8Array): Scheme[] {
  const encodings = (['der', 'ieee-p1363'] as const).filter((one) =>
    one === 'der' ? signature[0] === SEQUENCE : BOTH_NUMBERS.includes(signature.length),
  );
  return EC_HASHES.flatMap((name) =>
    encodings.map((dsaEncoding): Scheme => [`ecdsa-${name}`, name, { key, dsaEncoding }]),
  );
}

const EC_HASHES = ['sha256', 'sha384', 'sha512'] as const;
const SEQUENCE = 0x30;
/** Their length in bytes, on P-256, P-384 and P-521. */
const BOTH_NUMBERS: readonly number[] = [64, 96, 132];

function probeBySchemes(schemes: readonly Scheme[], signature: Uint8Array): SignatureProbe {
  return {
    schemeOf: (text) =>
      schemes.find(([, name, input]) => isMadeBy(name, text, input, signature))?.[0] ?? null,
    isOfKey: null,
    isCheap: false,
  };
}

function isMadeBy(
  name: HashName | null,
  text: Uint8Array,
  input: VerifyKeyObjectInput,
  signature: Uint8Array,
) {
  try {
    return verify(name, text, input, signature);
  } catch {
    return false;
  }
}
