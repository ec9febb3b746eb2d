/** Reads the trust anchors and revocation lists from files, again when asked. */
import { join } from 'node:path';
import { createTrust, type NamedFile, type Trust } from '../../certificate/index.js';
import type { Config } from '../config/config.js';
import { readBytes } from '../config/read-file.js';

export interface TrustSource {
  readonly trust: () => Trust;
  /** Throws a SandgateError, and keeps the trust there was, where a file cannot be read. */
  readonly reload: () => void;
}

/** The CA and the revocation list of the certificates' folder are trusted besides those configured. */
export function createTrustSource(config: Pick<Config, 'certs' | 'trustAnchors' | 'crls'>): TrustSource {
  const named = (name: string): NamedFile => ({ name, bytes: readBytes(name) });
  const read = (): Trust =>
    createTrust({
      anchors: [join(config.certs, 'ca.pem'), ...(config.trustAnchors ?? [])].map(named),
      crls: [join(config.certs, 'ca.crl'), ...(config.crls ?? [])].map(named),
    });
  let trust = read();
  return {
    trust: () => trust,
    reload: () => {
      trust = read();
    },
  };
}
