/** The part of a running gateway that the live admin API needs. */
import type { BankState } from '../../bank/index.js';
import type { CertificateFacts } from '../../certificate/index.js';
import type { Unrecorded } from '../../exchange/index.js';
import type { DailyWindow, Ledger } from '../../ledger/index.js';
import type { JudgeOptions, Rule } from '../../rules/index.js';
import type { Lookup } from '../../store/index.js';
import type { CertificateFile } from '../certificate.js';
import type { ExchangesPort } from '../exchanges/summary.js';
import type { Feed } from './feed.js';

export interface LivePort extends ExchangesPort {
  readonly feed: Feed;
  readonly ownRules: () => readonly Rule[];
  /** Calls that were sent to a bank and have no end, nor will have one. */
  readonly unfinished: Lookup['unfinished'];
  readonly past: Lookup['past'];
  /** Others record in the store as well. */
  readonly isShared: boolean;
  readonly ledgerOf: (session: string) => Ledger;
  readonly bankOf: (session: string) => BankState;
  /** Epoch ms, by the clock of the machine. */
  readonly clock: () => number;
  /** Epoch ms, by the clock of a session's world. */
  readonly now: (session: string) => number;
  /** Ms since any moment. */
  readonly stopwatch: () => number;
  readonly window: () => DailyWindow;
  /** Why nothing can be recorded; null where it can. */
  readonly storeProblem: () => string | null;
  /** Calls of a session that were answered and could not be recorded; null where all were. */
  readonly unrecordedIn: (session: string) => Unrecorded | null;
  readonly ownCertificates: () => readonly OwnCertificate[];
  readonly files: () => Promise<readonly CertificateFile[]>;
  /** The facts of one of them, by what the gateway trusts. */
  readonly factsOf: (fingerprint: string) => Promise<CertificateFacts | undefined>;
  readonly judgedBy: () => Pick<JudgeOptions, 'profile' | 'blockedOrganisations'>;
  /** Runs once after so many ms; the function given back cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Runs once when the clock of a session's world has reached a time, epoch ms; the function given back cancels it. */
  readonly at: (session: string, time: number, run: () => void) => () => void;
}

/** `what`: its name in a sentence: `the server certificate`. */
export type OwnCertificate = Pick<CertificateFile, 'subject' | 'fingerprint' | 'notAfter'> & {
  readonly what: string;
  readonly use: 'server' | 'bank';
};
