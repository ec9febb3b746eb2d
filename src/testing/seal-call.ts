/** Signs a call of a TPP: Digest, Signature, and the certificate of the signature (draft-cavage-http-signatures). */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { inspectCertificate, parsePemFile, TRUSTS_NOBODY } from '../certificate/index.js';
import { Request, signedText, signedValue } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import type { TppSeal } from './types.js';

const IF_SENT = ['psu-id', 'psu-corporate-id', 'date', 'tpp-redirect-uri'];

interface Unsigned {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** The headers that sign a call. */
export function sealCall(
  { method, target, headers, body = '' }: Unsigned,
  seal: TppSeal,
): Record<string, string> {
  const [der] = parsePemFile(Buffer.from(seal.cert));
  if (der === undefined) throw new SandgateError('certificate.unreadable', { file: 'The seal' });
  const { serialNumber, issuer, keyType } = inspectCertificate(der, [], TRUSTS_NOBODY, 0);
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  const all = Object.entries({ digest, ...headers });
  const request = new Request(method, target, all, null);
  const covered = seal.headers ?? [
    ...['digest', 'x-request-id'],
    ...IF_SENT.filter((name) => request.header[name] !== undefined),
  ];
  const parameters = new Map<string, string>();
  const text = signedText(
    covered.map((name) => [name, signedValue(request, { parameters }, name.toLowerCase()) ?? '']),
  );
  const signature = sign('sha256', Buffer.from(text, 'latin1'), createPrivateKey(seal.key)).toString(
    'base64',
  );
  const keyId = `SN=${serialNumber},CA=${issuer}`.replace(/["\\]/g, '\\$&');
  return {
    digest,
    signature: `keyId="${keyId}",algorithm="${keyType === 'ec' ? 'ecdsa' : 'rsa'}-sha256",headers="${covered.join(' ')}",signature="${signature}"`,
    'tpp-signature-certificate': Buffer.from(der).toString('base64'),
  };
}
