/** Server certificates that stand in the place of the gateway's own, for faults. Nothing of them is written to the folder. */
import { X509Certificate } from 'node:crypto';
import type { OtherServer } from '../../weather/index.js';
import type { Certificates } from './ensure.js';
import type { PemPair } from './files.js';
import { openAuthorityOf } from './issue.js';
import { type MakeKeys, makeKeyPair } from './key-pairs.js';
import { mintAuthority, mintServer } from './mint.js';

const DAYS = { expired: [-400, -1], 'unknown-ca': [-1, 365], renewed: [-1, 365] } as const;

/** For the same names. `now`: epoch ms by the machine's clock. @throws SandgateError where the CA's key is not there */
export async function mintOtherServer(
  other: OtherServer,
  { dir, serverPem }: Pick<Certificates, 'dir' | 'serverPem'>,
  now: number,
  makeKeys: MakeKeys = makeKeyPair,
): Promise<PemPair> {
  const ca =
    other === 'unknown-ca'
      ? mintAuthority({ from: now, to: now }, makeKeys, 'Sandgate Untrusted CA', 'ec-p256')
      : openAuthorityOf(dir);
  const names = (new X509Certificate(serverPem).subjectAltName ?? 'DNS:localhost').split(', ');
  const named = (prefix: string): string[] =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return mintServer(ca, now, makeKeys, {
    days: DAYS[other],
    dnsNames: named('DNS:'),
    ipAddresses: named('IP Address:'),
  });
}
