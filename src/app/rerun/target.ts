/** The target of a rerun: a bank by its addresses, or an emulator in this process. */
import type { CertificateObservation } from '../../certificate/index.js';
import type { Identity } from './sender.js';

export interface RerunTarget {
  readonly name: string;
  /** Addresses without a slash at their end; `psu` null: the links of the answers tell. */
  readonly api: string;
  readonly psu: string | null;
  /** CAs in PEM that are believed. */
  readonly ca: readonly string[];
  /** The certificate for a call that was recorded with this one at that time (epoch ms); null: none. */
  readonly identityFor: (certificate: CertificateObservation, at: number) => Identity | null;
  /** Whether authorise ends at once with the outcome that `scenario` names. */
  readonly headless: boolean;
  /** Whether a bank may be behind it; loopback is no proof of the contrary, because a gateway forwards from there. */
  readonly real: boolean;
  /** Sets its clock so far ahead of the machine's, in ms; absent: nobody can move the time of a bank. */
  readonly setAhead?: (ms: number) => void;
  /** Does what an operator did, as the note of it tells; absent: nobody can, at the bank of others. */
  readonly operate?: (action: string, settings: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly close: () => Promise<void>;
}
