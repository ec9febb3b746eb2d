/** Signed calls for tests: right ones, and ones in which one thing was done otherwise. */
import { createHash, type KeyObject, sign } from 'node:crypto';
import type { IssuedCertificate } from '../../../src/certificate/index.js';
import { type Call, type SignedLine, signedText } from '../../../src/exchange/index.js';
import type { JudgeOptions } from '../../../src/rules/index.js';
import { type BankProfile, dialectOf } from '../../../src/spec/index.js';
import { aCall, type CallParts, NOW, REQUEST_ID } from '../../builders.js';
import { aQwac, factsOf, keys, serial } from '../../certificate/made.js';

const ESEAL = { compliance: true, types: ['eseal'] } as const;

/** A QSealC of the TPP that calls. */
export const aSeal = (parts: Parameters<typeof aQwac>[0] = {}): IssuedCertificate =>
  aQwac({
    publicKey: keys('rsa-2048', 'seal').publicKey,
    serialNumber: serial('seal'),
    qualified: ESEAL,
    ...parts,
  });

export const SEAL = aSeal();
export const SEAL_KEY = keys('rsa-2048', 'seal').privateKey;
export const EC_SEAL = aSeal({ publicKey: keys('ec-p256', 'seal').publicKey });
export const EC_SEAL_KEY = keys('ec-p256', 'seal').privateKey;

export const DATE = new Date(NOW).toUTCString();
export const BODY =
  '{"access":{"allPsd2":"allAccounts"},"recurringIndicator":true,"validUntil":"2026-09-01","frequencyPerDay":4,"combinedServiceIndicator":false}';
export const COVERED = ['digest', 'x-request-id', 'psu-id', 'date', 'tpp-redirect-uri'];

export const sha = (name: string, data: string | Uint8Array): Buffer =>
  createHash(name).update(data).digest();
export const digestOf = (data: string | Uint8Array): string =>
  `SHA-256=${sha('sha256', data).toString('base64')}`;

export interface SignedParts {
  readonly operation?: CallParts['operation'];
  readonly query?: string;
  /** null: none. */
  readonly body?: string | null;
  /** Beside those that are there; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** null: none. */
  readonly digest?: string | null;
  readonly covered?: readonly string[];
  /** What is signed in place of the right text. */
  readonly signs?: (lines: readonly SignedLine[], text: string) => string | Uint8Array;
  readonly key?: KeyObject;
  readonly hash?: string;
  readonly algorithm?: string;
  readonly keyId?: string;
  readonly encode?: (signature: Buffer) => string;
  /** The whole header; null: none. */
  readonly signature?: string | null;
  readonly certificate?: IssuedCertificate;
  /** null: none. */
  readonly certificateHeader?: string | null;
  readonly more?: Readonly<Record<string, Parameters<typeof sign>[2]>>;
  readonly signer?: Parameters<typeof sign>[2];
  readonly isForeign?: boolean;
  readonly qwac?: CallParts['certificate'];
}

export const keyIdOf = ({ facts }: { facts: ReturnType<typeof factsOf> }): string =>
  `SN=${facts.serialNumber},CA=${facts.issuer.replaceAll(', ', ',')}`;

/** As a call arrives, or as the file of another program has it. */
export function aSignedCall(parts: SignedParts = {}): Call {
  const { operation = 'consents.create', body = BODY, certificate = SEAL, covered = COVERED } = parts;
  const facts = factsOf(certificate);
  const digest = parts.digest === undefined ? digestOf(body ?? '') : parts.digest;
  const headers: Record<string, string | undefined> = {
    ...(digest === null ? {} : { Digest: digest }),
    'X-Request-ID': REQUEST_ID,
    'PSU-ID': 'anna',
    Date: DATE,
    'TPP-Redirect-URI': 'https://tpp.example/cb?a=1',
    ...parts.headers,
  };
  const made: CallParts = {
    operation,
    headers: headers as Record<string, string>,
    ...(body === null ? {} : { body }),
    ...(parts.query === undefined ? {} : { query: parts.query }),
    ...(parts.qwac === undefined ? {} : { certificate: parts.qwac }),
  };
  const bare = aCall(made);
  const lines = covered.flatMap((name): SignedLine[] => {
    const value =
      name === '(request-target)'
        ? `${bare.request.method.toLowerCase()} ${bare.request.target}`
        : bare.header[name];
    return value === undefined ? [] : [[name, value]];
  });
  const text = signedText(lines);
  const signed = parts.signs?.(lines, text) ?? text;
  const bytes = typeof signed === 'string' ? Buffer.from(signed, 'latin1') : signed;
  const signature = sign(parts.hash ?? 'sha256', bytes, parts.signer ?? parts.key ?? SEAL_KEY);
  const encoded = parts.encode?.(signature) ?? signature.toString('base64');
  const keyId = parts.keyId ?? keyIdOf({ facts });
  const header = `keyId="${keyId}",algorithm="${parts.algorithm ?? 'rsa-sha256'}",headers="${covered.join(' ')}",signature="${encoded}"`;
  const seals = {
    Signature: parts.signature === undefined ? header : parts.signature,
    'TPP-Signature-Certificate':
      parts.certificateHeader === undefined
        ? Buffer.from(certificate.der).toString('base64')
        : parts.certificateHeader,
  };
  for (const [name, value] of Object.entries(seals)) if (value !== null) headers[name] = value;
  const call = aCall(made);
  return parts.isForeign === true
    ? call
    : call.with({ seal: parts.certificateHeader === null ? 'absent' : facts });
}

type Headers = NonNullable<BankProfile['headers']>;

/** Options for a bank whose profile says so of headers. */
export const asking = (headers: Headers): Partial<JudgeOptions> => ({
  dialect: dialectOf({
    ...{ name: 'seals', title: 'A bank with seals', standard: 'Berlin Group 1.3.8' },
    sources: [{ where: 'this test', tells: 'that it asks for seals' }],
    headers,
  }),
});
export const ASKED = asking({ signature: 'required', digest: 'required' });
export const OPTIONAL = asking({ signature: 'optional', digest: 'optional' });
/** The built-in interface: what is sent is not looked at. */
export const NOT_ASKED: Partial<JudgeOptions> = {};
