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
  const fault = (text: string) => new SandgateError('surroundings', text, { cause });
  if (NO_WAY.has(code))
    return fault(`Nothing listens at ${host} (${code}): start it, or check --against and --psu.`);
  if (UNKNOWN_HOST.has(code)) return fault(`The host ${hostname} is not known: check --against and --psu.`);
  if (NOT_BELIEVED.has(code))
    return fault(`The certificate of ${host} is signed by no CA that is known here: name its CA with --ca.`);
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID' || code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return fault(`The certificate of ${host} is not valid: ${message.replace(/\.$/, '')}.`);
  return null;
}
