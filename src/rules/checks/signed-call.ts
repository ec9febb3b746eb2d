/** A call as the signature/ rules look at it: its headers read, each when a rule first asks. */
import {
  type CertificateFacts,
  inspectCertificate,
  keyOfCertificate,
  probeSignature,
  readSealHeader,
  type SignatureProbe,
  TRUSTS_NOBODY,
} from '../../certificate/index.js';
import {
  type Call,
  type DigestEntry,
  readDigest,
  readSignature,
  type SignatureHeader,
  type SignedLine,
  signedValue,
} from '../../exchange/index.js';

/** The certificate of a signature; `isTrustKnown`: whether somebody looked for its issuer and on revocation lists. */
export interface Seal {
  readonly facts: CertificateFacts;
  readonly isTrustKnown: boolean;
}

/** A recording of another program holds what stood before the interface in the path apart. */
function sentRequest({ request, connection: { bank = '' } }: Call): Call['request'] {
  const base = URL.canParse(bank) ? new URL(bank).pathname : '/';
  return base === '/' ? request : request.with(base + request.target, request.headers, request.body);
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export class SignedCall {
  readonly #call: Call;
  #signature: ReturnType<typeof readSignature> | undefined;
  #certificate: ReturnType<typeof readSealHeader> | undefined;
  #seal: Seal | null | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The recording no longer holds what was signed as it was sent. */
  get isChanged(): boolean {
    return this.#call.seal === 'not-observed';
  }

  get digest(): readonly DigestEntry[] | null | undefined {
    const { digest } = this.#call.header;
    return digest === undefined ? undefined : readDigest(digest);
  }

  /** undefined: none was sent. */
  get signature(): ReturnType<typeof readSignature> | undefined {
    const { signature } = this.#call.header;
    if (signature === undefined) return undefined;
    this.#signature ??= readSignature(signature);
    return this.#signature;
  }

  /** null: none was sent, or it cannot be read. */
  get parameters(): SignatureHeader | null {
    const { signature } = this;
    return signature === undefined || 'problem' in signature ? null : signature;
  }

  /** undefined: none was sent. */
  get certificate(): ReturnType<typeof readSealHeader> | undefined {
    const text = this.#call.header['tpp-signature-certificate'];
    if (text === undefined) return undefined;
    this.#certificate ??= readSealHeader(text);
    return this.#certificate;
  }

  /** Others' recordings hold the certificate and nothing about its issuer. */
  get seal(): Seal | null {
    if (this.#seal === undefined) {
      const { certificate } = this;
      const { seal } = this.#call;
      if (typeof seal === 'object') this.#seal = { facts: seal, isTrustKnown: true };
      else if (certificate === undefined || 'problem' in certificate) this.#seal = null;
      else {
        const facts = inspectCertificate(certificate.leaf, [], TRUSTS_NOBODY, this.#call.at);
        this.#seal = { facts, isTrustKnown: false };
      }
    }
    return this.#seal;
  }

  /** null: a header that is said to be signed was not sent. */
  get lines(): readonly SignedLine[] | null {
    const { parameters } = this;
    if (parameters === null) return null;
    const lines: SignedLine[] = [];
    for (const name of parameters.covered) {
      const value = signedValue(sentRequest(this.#call), parameters, name);
      if (value === undefined) return null;
      lines.push([name, value]);
    }
    return lines;
  }

  /** null: there is no key, or no signature in base64. */
  get probe(): SignatureProbe | null {
    const signature = this.parameters?.parameters.get('signature') ?? '';
    return BASE64.test(signature) ? this.probeOf(Buffer.from(signature, 'base64'), 0) : null;
  }

  /** `place`: of the certificate in its header; 0 is the one that should have signed. */
  probeOf(signature: Uint8Array, place: number): SignatureProbe | null {
    const { certificate } = this;
    if (certificate === undefined || 'problem' in certificate) return null;
    const der = place === 0 ? certificate.leaf : certificate.chain[place - 1];
    const key = der === undefined ? null : keyOfCertificate(der);
    return key === null ? null : probeSignature(key, signature);
  }
}
