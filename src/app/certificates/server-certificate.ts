/** Reads the gateway's own certificate again, as whoever renews it has put it into the folder. */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { SandgateError } from '../../spec/index.js';
import type { Certificates } from './ensure.js';
import { readIfThere, readPair } from './files.js';

/** Nothing is made. `now`: epoch ms by the machine's clock. @throws SandgateError where it cannot be shown to clients */
export async function rereadCertificates(
  { dir, made, serverPem }: Pick<Certificates, 'dir' | 'made' | 'serverPem'>,
  now: number,
): Promise<Certificates> {
  const [ca, server, crl] = await Promise.all([
    readPair(dir, 'ca'),
    readPair(dir, 'server'),
    readIfThere(join(dir, 'ca.crl')),
  ]);
  if (ca === null || server === null || crl === null) throw new SandgateError('certs.went-away', { dir });
  const file = join(dir, 'server.pem');
  const { pem: cert, keyPem: key } = server;
  if (key === '') throw new SandgateError('certs.no-server-key', { file });
  const refuse = (why: string, cause?: unknown) =>
    new SandgateError('certs.server', { file, why }, { cause });
  const { validFrom, validTo } = openServer(cert, key, refuse);
  // One that has ended meanwhile keeps nothing else from changing.
  const isOther = cert !== serverPem;
  if (isOther && now < Date.parse(validFrom)) throw refuse(`it is not valid before ${validFrom}`);
  if (isOther && now >= Date.parse(validTo)) throw refuse(`it ended on ${validTo}`);
  return { dir, made, caPem: ca.pem, serverPem: cert, serverKeyPem: key, crl };
}

function openServer(cert: string, key: string, refuse: (why: string, cause: unknown) => SandgateError) {
  try {
    createSecureContext({ cert, key });
    return new X509Certificate(cert);
  } catch (cause) {
    throw refuse('certificate or key cannot be read, or they do not belong together', cause);
  }
}
