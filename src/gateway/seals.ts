/** Inspects the certificates of signed calls, each once for as long as it is fresh. */
import { type CertificateObservation, readSealHeader } from '../certificate/index.js';
import type { HeaderList } from '../exchange/index.js';
import { createPeers, type PeersParts } from './peers.js';

export type SealOf = (headers: HeaderList) => CertificateObservation;

export function createSealOf(parts: Omit<PeersParts, 'forwarded'>): SealOf {
  const { factsOf } = createPeers(parts);
  return (headers) => {
    const values = headers.filter(([name]) => name.toLowerCase() === 'tpp-signature-certificate');
    if (values.length === 0) return 'absent';
    const read = readSealHeader(values.map(([, value]) => value).join(', '));
    return 'problem' in read ? 'absent' : factsOf(read);
  };
}
