/** The checks behind `/readyz`. */
import { X509Certificate } from 'node:crypto';
import type { ReadinessCheck } from '../../admin/index.js';

export interface ReadinessParts {
  readonly clock: () => number;
  /** Why nothing can be recorded now; null where it can. */
  readonly recordingProblem: ReadinessCheck['check'];
  readonly serverPem: string;
  readonly areListening: () => boolean;
}

export function readinessChecks(parts: ReadinessParts): readonly ReadinessCheck[] {
  const server = new X509Certificate(parts.serverPem);
  const from = Date.parse(server.validFrom);
  const to = Date.parse(server.validTo);
  return [
    { name: 'store', check: parts.recordingProblem },
    {
      name: 'certificates',
      check: () => {
        const now = parts.clock();
        return now >= from && now < to ? null : 'The server certificate is outside its validity period.';
      },
    },
    {
      name: 'listeners',
      check: () => (parts.areListening() ? null : 'The gateway is stopping, or not yet listening.'),
    },
  ];
}
