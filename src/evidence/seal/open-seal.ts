/** Opens the seal of a user: a key with its certificates, in PKCS#12 or PEM. Whatever would make a seal that nobody accepts is refused here, before anything is written. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Certificate } from 'pkijs';
import { openPkcs12, parsePemFile } from '../../certificate/index.js';
import { dateAt, SandgateError } from '../../spec/index.js';

export interface Seal {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
  /** Certificates above it, as far as the file has them. */
  readonly above: readonly X509Certificate[];
}

interface SealFile {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** null: none was given. */
  readonly passphrase: string | null;
}

const SEQUENCE = 0x30;

/** `now` in epoch ms. @throws SandgateError (input) */
export async function openSeal(file: SealFile, now: number): Promise<Seal> {
  const { name } = file;
  const { key, certificates } = file.bytes[0] === SEQUENCE ? await readPkcs12(file) : readPem(file);
  if (certificates.length === 0) throw new SandgateError('certificate.none', { file: name });
  const opened = certificates.map((der) => readCertificate(der, name));
  const certificate = opened.find((one) => one.checkPrivateKey(key));
  if (certificate === undefined) throw new SandgateError('seal.mismatch', { file: name });
  if (!canSign(key)) throw new SandgateError('key.cannot-sign', { file: name, kinds: KINDS });
  checkFit(certificate, name, now);
  return { key, certificate, above: opened.filter((one) => one !== certificate) };
}

/** Readers of PDF files know these; Ed25519 is not among them. */
const KINDS = 'RSA of 2048 bits or more, or EC P-256, P-384 or P-521';
const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

function canSign({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails;
  return asymmetricKeyType === 'rsa'
    ? modulusLength >= 2048
    : asymmetricKeyType === 'ec' && CURVES.has(namedCurve);
}

type Read = { readonly key: KeyObject; readonly certificates: readonly Uint8Array[] };

async function readPkcs12({ bytes, name, passphrase }: SealFile): Promise<Read> {
  try {
    const { privateKey, certificates } = await openPkcs12(bytes, passphrase ?? '');
    if (privateKey !== null) return { key: privateKey, certificates };
  } catch (cause) {
    throw new SandgateError(
      passphrase === null ? 'seal.no-passphrase' : 'seal.passphrase',
      { file: name },
      { cause },
    );
  }
  throw new SandgateError('seal.no-key', { file: name });
}

const PRIVATE_KEY = /-----BEGIN (ENCRYPTED |RSA |EC )?PRIVATE KEY-----[^-]*-----END \1?PRIVATE KEY-----/;

function readPem({ bytes, name, passphrase }: SealFile): Read {
  const pem = PRIVATE_KEY.exec(Buffer.from(bytes).toString('latin1'))?.[0];
  if (pem === undefined) throw new SandgateError('seal.no-key', { file: name });
  const isLocked = pem.includes('ENCRYPTED');
  if (isLocked && passphrase === null) throw new SandgateError('seal.no-passphrase', { file: name });
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase === null ? {} : { passphrase }) });
    return { key, certificates: parsePemFile(bytes) };
  } catch (cause) {
    throw new SandgateError(isLocked ? 'seal.passphrase' : 'seal.no-key', { file: name }, { cause });
  }
}

function readCertificate(der: Uint8Array, name: string): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw new SandgateError('certificate.unreadable', { file: name }, { cause });
  }
}

function checkFit(certificate: X509Certificate, file: string, now: number): void {
  const { validFromDate, validToDate } = certificate;
  const subject = sealName(certificate);
  if (now < validFromDate.getTime())
    throw new SandgateError('seal.not-yet', { file, subject, from: dateAt(validFromDate.getTime()) });
  if (now > validToDate.getTime())
    throw new SandgateError('seal.expired', { file, subject, to: dateAt(validToDate.getTime()) });
  if (!isForSigning(certificate)) throw new SandgateError('seal.not-for-signing', { file, subject });
}

const KEY_USAGE = '2.5.29.15';
/** digitalSignature and nonRepudiation, the first bits of the extension. */
const SIGNING_BITS = 0b1100_0000;

function isForSigning({ raw }: X509Certificate): boolean {
  const { extensions = [] } = Certificate.fromBER(new Uint8Array(raw).buffer);
  const usage = extensions.find(({ extnID }) => extnID === KEY_USAGE);
  if (usage === undefined) return true;
  const bits: unknown = usage.parsedValue?.valueBlock?.valueHexView?.[0];
  return typeof bits === 'number' && (bits & SIGNING_BITS) !== 0;
}

/** Who seals, in few words: the organisation and the name of the seal. */
export function sealName({ subject, fingerprint256 }: X509Certificate): string {
  const part = (name: string): string[] => {
    const found = subject?.split('\n').find((line) => line.startsWith(`${name}=`));
    return found === undefined ? [] : [found.slice(name.length + 1)];
  };
  const names = [...new Set([...part('O'), ...part('CN')])];
  return names.length === 0 ? fingerprint256 : names.join(', ');
}
