/** Cells of certificates: the bank's and the TPP's own, renewed, ended and refused. */
import { at, type Cell, cells } from './cell.js';

const ALL = 'listener:api';

// biome-ignore format: one cell per line
export const CERTIFICATE_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'certificate',
      seen: 'banks that forgot to renew over a week-end, and a root that ended in September 2021 for half the web',
      sound:
        'It trusts nobody else for that, never switches the check off, tells that the bank cannot be reached safely, and goes on afterwards.',
      calm: ['link'],
      storm: ['clock 1d', 'sync'],
      after: ['clock 1d', 'sync'],
    },
    {
      'server-expired': { happens: 'The bank’s certificate has ended.', isUntrusted: true, weather: [at(ALL, 'certificate/server-expired')] },
      'server-unknown-ca': { happens: 'The bank’s certificate is from a CA that nobody knows.', isUntrusted: true, weather: [at(ALL, 'certificate/server-unknown-ca')] },
      'server-renewed': { happens: 'The bank has a new certificate from the same CA.', weather: [at(ALL, 'certificate/server-renewed')], must: true },
    },
  ),
  ...cells(
    {
      family: 'certificate',
      seen: 'banks that kept an old list of QWACs, or read a revocation list of last week',
      sound:
        'It tells its operator that the bank refuses its certificate, does not hammer, keeps consents and tokens, and goes on afterwards.',
      calm: ['link'],
      storm: ['clock 1d', 'sync'],
      after: ['clock 1d', 'sync'],
      calls: 6,
    },
    {
      'client-refused': { happens: 'The bank ends the handshake: it does not take the TPP’s certificate.', weather: [at(ALL, 'certificate/client-refused')] },
      'client-revoked': { happens: 'The bank takes the TPP’s certificate for revoked.', weather: [at(ALL, 'certificate/client-revoked')] },
    },
  ),
  ...cells(
    {
      family: 'certificate',
      seen: 'the same, while a customer looks at the screen',
      sound:
        'It tells the PSU that the bank cannot be reached at the moment; the PSU need not know of certificates.',
      after: ['link', 'sync'],
    },
    {
      'link-server-expired': { happens: 'The PSU links while the bank’s certificate has ended.', isUntrusted: true, weather: [at(ALL, 'certificate/server-expired')], storm: ['link'] },
      'link-server-unknown-ca': { happens: 'The PSU links while the bank’s certificate is from an unknown CA.', isUntrusted: true, weather: [at(ALL, 'certificate/server-unknown-ca')], storm: ['link'] },
      'link-client-refused': { happens: 'The PSU links while the bank refuses the TPP’s certificate.', weather: [at(ALL, 'certificate/client-refused')], storm: ['link'] },
      'link-client-revoked': { happens: 'The PSU links while the bank takes the TPP’s certificate for revoked.', weather: [at(ALL, 'certificate/client-revoked')], storm: ['link'] },
    },
  ),
];
