/** The state of one run: what it has learned, and what it is missing. */
import type { Recognise } from '../../spec/index.js';
import { type Bindings, createBindings } from './bindings.js';
import { type Challenges, createChallenges } from './pkce.js';

export interface LentToken {
  readonly token: string;
  /** The consent that it was given for; null: that of the recording. */
  readonly consent: string | null;
}

/** What a token is wanted for, by the names of this run. */
export interface TokenNeed {
  readonly against: string;
  /** `AIS:` and the consent, `PIS:` and the payment; null where the recording does not tell. */
  readonly scope: string | null;
  readonly consentId: string | null;
  readonly paymentId: string | null;
  /** The scaOAuth link of its creation; null where this run did not create it. */
  readonly link: string | null;
}

export interface Lender {
  /** `problem`: why there is no token, for a report. */
  readonly ask: (need: TokenNeed) => Promise<LentToken | { readonly problem: string }>;
  /** Whether it has the PSU authorise: then authorisations and token calls are left to it. */
  readonly authorises: boolean;
}

export interface RunState {
  /** Recorded values as they were, and this run's: what is sent. */
  readonly sent: Bindings;
  /** The same, both redacted: what is compared and shown. */
  readonly shown: Bindings;
  /** Something of the client's own that is made again. */
  readonly renew: (recorded: string, now: string) => void;
  /** How many whole days ago the call was recorded. */
  readonly setDays: (days: number) => void;
  readonly challenges: Challenges;
  /** Recorded values that this run did not get, with the reason. */
  readonly missing: Map<string, string>;
  /** Recorded ids that this run uses as they were recorded, by the number of the write that gave them and was held back. */
  readonly held: Map<string, number>;
  /** Recorded consents and payments that nobody authorised in this run, with the reason. */
  readonly unauthorised: Map<string, string>;
  /** By recorded token: its scope, and what was lent in its place. */
  readonly scopes: Map<string, string>;
  readonly lent: Map<string, Awaited<ReturnType<Lender['ask']>>>;
  /** The scaOAuth links of this run, by consent or payment of this run. */
  readonly authoriseLinks: Map<string, string>;
  /** Where the authorise links of this run lead; null until one was seen. */
  psuSite: string | null;
}

export interface RunStateParts {
  readonly recognise: Recognise;
  readonly clearVerifiers: Iterable<string>;
  readonly bytes: (size: number) => Uint8Array;
}

export function createRunState({ recognise, clearVerifiers, bytes }: RunStateParts): RunState {
  const sent = createBindings(recognise);
  const shown = createBindings(recognise);
  return {
    sent,
    shown,
    renew: (recorded, now) => {
      sent.learn(recorded, now);
      shown.learn(recorded, now);
    },
    setDays: (days) => {
      sent.setDays(days);
      shown.setDays(days);
    },
    challenges: createChallenges(clearVerifiers, bytes),
    missing: new Map(),
    held: new Map(),
    unauthorised: new Map(),
    scopes: new Map(),
    lent: new Map(),
    authoriseLinks: new Map(),
    psuSite: null,
  };
}
