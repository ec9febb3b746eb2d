/** Readings on the living bank: each names the test that shows it. */
import type { ReadingId } from '../../../src/spec/index.js';
import type { Shown } from './shown.js';

const consents = (test: string) => ({ file: 'test/bank/consents.test.ts', test });

export const LIVING = {
  'sca-rejects': {
    file: 'test/bank/authorisations.test.ts',
    test: 'makes of a consent what the outcome says',
  },
  'consent-replaced': consents(
    'comes to an older recurring one of the same PSU and TPP when a newer becomes valid',
  ),
  'one-off-consent': consents('valid 20 minutes from the first read, if for once'),
} as const satisfies Partial<Record<ReadingId, Shown>>;
