/** Reads a client certificate with its key from files, as PEM or PKCS#12, and says in plain words what is wrong. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { parsePemFile } from '../../certificate/index.js';
import { readBytes, readText } from '../../files/index.js';
import { SandgateError } from '../../spec/index.js';

export interface CredentialFiles {
  /** PEM (leaf first, then its chain) or PKCS#12. */
  readonly cert: string;
  readonly key?: string | undefined;
  readonly passphrase?: { readonly file: string } | { readonly env: string } | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** All files that a credential is made of; a change of one of them means reading it again. */
export function filesOf(files: CredentialFiles | undefined, ca: readonly string[]): readonly string[] {
  if (files === undefined) return ca;
  const { cert, key, passphrase } = files;
  const more = passphrase !== undefined && 'file' in passphrase ? [passphrase.file] : [];
  return [cert, ...(key === undefined ? [] : [key]), ...more, ...ca];
}

/** Without files: a context that trusts the CAs and shows no certificate. Throws a SandgateError. */
export function readCredential(
  files: CredentialFiles | undefined,
  ca: readonly string[],
  env: Environment,
): SecureContext {
  const trusted = ca.length === 0 ? {} : { ca: ca.map((file) => readAuthority(file)) };
  const options: SecureContextOptions = { ...trusted, minVersion: 'TLSv1.2' };
  if (files === undefined) return contextOf(options, undefined);
  const passphrase = readPassphrase(files, env);
  const shared = { ...options, ...(passphrase === undefined ? {} : { passphrase }) };
  const cert = readBytes(files.cert);
  if (!isPem(cert)) {
    // Node would take the key out of the PKCS#12 file and say nothing of the other one.
    if (files.key !== undefined)
      throw new SandgateError('upstream.key-beside-pkcs12', { cert: files.cert, key: files.key });
    return contextOf({ ...shared, pfx: cert }, files);
  }
  return contextOf({ ...shared, cert, key: readKey(files, cert) }, files);
}

/** Without this look OpenSSL would speak of an algorithm that it does not know. */
function readKey({ cert: certFile, key: file }: CredentialFiles, cert: Buffer): Buffer {
  const key = file === undefined ? cert : readBytes(file);
  if (key.includes('PRIVATE KEY-----')) return key;
  throw new SandgateError('upstream.no-key', { file: file ?? certFile });
}

export function readAuthority(file: string): string {
  const bytes = readBytes(file);
  const text = bytes.toString('utf8');
  const begun = text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/g)?.length ?? 0;
  if (begun === 0) throw new SandgateError('certificate.none', { file });
  // Node passes over what it cannot read, and would then trust nobody.
  const whole = parsePemFile(bytes).filter(isCertificate).length;
  if (whole < begun) throw new SandgateError('certificate.damaged', { file });
  return text;
}

function isCertificate(der: Uint8Array): boolean {
  try {
    return new X509Certificate(der).raw.length > 0;
  } catch {
    return false;
  }
}

function isPem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ');
}

function readPassphrase({ passphrase }: CredentialFiles, env: Environment): string | undefined {
  if (passphrase === undefined) return undefined;
  if ('file' in passphrase) return readText(passphrase.file).replace(/\r?\n$/, '');
  const value = env[passphrase.env];
  if (value !== undefined) return value;
  throw new SandgateError('upstream.passphrase-unset', { name: passphrase.env });
}

function contextOf(options: SecureContextOptions, files: CredentialFiles | undefined): SecureContext {
  try {
    return createSecureContext(options);
  } catch (error) {
    const names =
      files === undefined ? 'The CA file' : [files.cert, files.key].filter(Boolean).join(' with ');
    throw new SandgateError(
      'upstream.unusable',
      { files: names, why: describe(error as NodeJS.ErrnoException, String(options.key ?? '')) },
      { cause: error },
    );
  }
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/key values mismatch/i, 'the key is not that of the certificate'],
  [/mac verify failure/i, 'the passphrase is wrong or missing'],
  [/bad (decrypt|password)|password|passphrase/i, 'the passphrase is wrong or missing'],
  [/interrupted or cancelled|read key|while getting the key/i, 'the passphrase is missing'],
  [/unsupported/i, 'it is damaged, or encrypted by an old algorithm; convert it with a current openssl'],
  [/no start line/i, 'it lacks a PEM certificate or a PEM key'],
  [/not enough data|header too long|wrong tag|asn1|too long/i, 'it is neither PEM nor PKCS#12'],
];

/** One wrong passphrase in some hundreds undoes an encryption to something that ends as it should, and is no key. */
const ENCRYPTED =
  'the passphrase is wrong or missing, or the key is damaged or encrypted by an old algorithm; convert it with a current openssl';

function describe(error: NodeJS.ErrnoException, key: string): string {
  if (/unsupported|asn1/i.test(error.message) && key.includes('ENCRYPTED')) return ENCRYPTED;
  const known = REASONS.find(([pattern]) => pattern.test(error.message));
  return known?.[1] ?? error.message.slice(0, 200);
}
