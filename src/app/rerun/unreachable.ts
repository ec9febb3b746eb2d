/** Failures that end a rerun: nobody answers at the target, or the wrong host does. */
import { SandgateError } from '../../spec/index.js';

const UNKNOWN_HOST: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA']);
const NO_WAY: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);
const NOT_BELIEVED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
]);

/** null for failures of one call. */
export function unreachable(cause: unknown, { host, hostname }: URL): SandgateError | null {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (NO_WAY.has(code)) return new SandgateError('rerun.nobody-listens', { host, code }, { cause });
  if (UNKNOWN_HOST.has(code)) return new SandgateError('rerun.unknown-host', { host: hostname }, { cause });
  if (NOT_BELIEVED.has(code)) return new SandgateError('rerun.unknown-ca', { host }, { cause });
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID' || code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new SandgateError(
      'rerun.invalid-certificate',
      { host, why: message.replace(/\.$/, '') },
      { cause },
    );
  return null;
}
