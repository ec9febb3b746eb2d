/** Whom the gateway believes, read from files, and read anew when asked. */
import { readFileSync } from 'node:fs';
import { createTrust, type Trust } from '../certificate/index.js';
import { SandgateError } from '../spec/index.js';
import type { Certificates } from './certificates.js';
import type { Config } from './config.js';

export interface TrustSource {
  readonly trust: () => Trust;
  /** Throws a SandgateError, and keeps the trust there was, where a file cannot be read. */
  readonly reload: () => void;
}

/** `certificates` gives the gateway's own CA and its revocation list, which are trusted besides those configured. */
export function createTrustSource(
  config: Pick<Config, 'trustAnchors' | 'crls'>,
  certificates: () => Pick<Certificates, 'caPem' | 'crl'>,
): TrustSource {
  const read = (): Trust => {
    const own = certificates();
    return createTrust({
      anchors: [
        own.caPem,
        ...(config.trustAnchors ?? []).map((file) => readTrustFile(file).toString('utf8')),
      ],
      crls: [own.crl, ...(config.crls ?? []).map(readTrustFile)],
    });
  };
  let trust = read();
  return {
    trust: () => trust,
    reload: () => {
      trust = read();
    },
  };
}

function readTrustFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new SandgateError('input', `The file ${file} cannot be read: ${(cause as Error).message}.`, {
      cause,
    });
  }
}
