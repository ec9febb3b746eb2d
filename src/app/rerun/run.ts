/** One run of a recording: what it is given, what it has learned, and what it is missing. */
import { hash } from 'node:crypto';
import {
  type Exchange,
  type Fingerprint,
  isFingerprint,
  redactExchange,
  type SessionNote,
} from '../../exchange/index.js';
import type { Dialect, Recognise } from '../../spec/index.js';
import type { FilterTree } from '../../store/index.js';
import type { SystemParts } from '../system/system-parts.js';
import { createBindings } from './bindings.js';
import type { NoiseOf, NoisePlace, Twin } from './noise.js';
import type { OperatorReport } from './operator-actions.js';
import type { RerunCall } from './result.js';
import type { Sender } from './sender.js';
import type { FileRows, RecordingSurvey } from './survey.js';
import type { RerunTarget } from './target.js';

export interface RerunSource {
  readonly name: string;
  readonly dialect: Dialect;
  /** In the order of recording; read more than once. */
  readonly records: () => FileRows;
  /** Of its session; none of a cassette. */
  readonly notes?: readonly SessionNote[];
}

export interface PlannedCall {
  readonly number: number;
  readonly method: string;
  /** As it was recorded, without secrets. */
  readonly path: string;
  readonly plan: 'send' | 'hold back' | 'skip';
  readonly reason?: string;
}

interface ScaPlace {
  readonly number: number;
  readonly address: string;
  readonly problem?: string;
}

/** Gives the address that the browser was sent back to; null: the person leaves it out. */
export type AskPerson = (place: ScaPlace) => Promise<string | null>;

export interface RerunParts {
  readonly source: RerunSource;
  readonly system: SystemParts;
  /** For each call, in ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Who walks through the authorisations; absent: nobody. */
  readonly askPerson?: AskPerson | undefined;
  /** Gives tokens that this run does not get by itself. */
  readonly lender?: Lender | undefined;
  readonly openTarget: (survey: RecordingSurvey) => Promise<RerunTarget>;
  readonly noise: readonly NoisePlace[];
  /** Sends twice what changes nothing, and takes what differs between the two answers for noise. */
  readonly learn: boolean;
  /** Whether what changes something is sent to a real bank too. */
  readonly sendWrites: boolean;
  /** What to compare; all where absent. */
  readonly only?: FilterTree | undefined;
  readonly onCall?: (number: number, of: number) => void;
  /** Told before anything is sent, where something is held back. */
  readonly onPlan?: (plan: readonly PlannedCall[], against: string) => void;
}

export interface Run extends RerunParts {
  readonly survey: RecordingSurvey;
  readonly target: RerunTarget;
  readonly noiseOf: NoiseOf;
  /** By position: whether a call is compared, sent for others, or left out. */
  readonly use: (index: number) => 'compare' | 'send' | 'leave';
  /** Whether what changes something may be sent. */
  readonly writes: boolean;
  readonly recognise: Recognise;
  readonly state: RunState;
  readonly sender: Sender;
  /** Of this run only: nothing that is shown holds a secret. */
  readonly fingerprint: Fingerprint;
  readonly operators: OperatorReport;
  readonly twins: Twin[];
  requests: number;
  /** How far the recording's clock was ahead at its first call, in ms. */
  aheadAtStart?: number;
}

export function factsOf(run: Run, exchange: Exchange, index: number): Omit<RerunCall, 'outcome'> {
  const { call, answer, elapsed } = redactExchange(exchange, run.fingerprint);
  return {
    number: index + 1,
    exchange: call.id,
    operation: call.operation,
    method: call.request.method,
    path: call.request.path,
    was: answer?.status ?? null,
    now: null,
    differences: [],
    took: { was: elapsed.total, now: 0 },
  };
}

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

export type RunState = ReturnType<typeof createRunState>;

export function createRunState(
  recognise: Recognise,
  clearVerifiers: Iterable<string>,
  bytes: (size: number) => Uint8Array,
) {
  const sent = createBindings(recognise);
  const shown = createBindings(recognise);
  return {
    /** Recorded values as they were, and this run's: what is sent. */
    sent,
    /** The same, both redacted: what is compared and shown. */
    shown,
    /** Something of the client's own that is made again. */
    renew: (recorded: string, now: string): void => {
      sent.learn(recorded, now);
      shown.learn(recorded, now);
    },
    /** How many whole days ago the call was recorded. */
    setDays: (days: number): void => {
      sent.setDays(days);
      shown.setDays(days);
    },
    challenges: createChallenges(clearVerifiers, bytes),
    /** Recorded values that this run did not get, with the reason. */
    missing: new Map<string, string>(),
    /** Recorded ids that this run uses as they were recorded, by the number of the write that gave them and was held back. */
    held: new Map<string, number>(),
    /** Recorded consents and payments that nobody authorised in this run, with the reason. */
    unauthorised: new Map<string, string>(),
    /** By recorded token: its scope, and what was lent in its place. */
    scopes: new Map<string, string>(),
    lent: new Map<string, Awaited<ReturnType<Lender['ask']>>>(),
    /** The scaOAuth links of this run, by consent or payment of this run. */
    authoriseLinks: new Map<string, string>(),
    /** Where the authorise links of this run lead; null until one was seen. */
    psuSite: null as string | null,
  };
}

interface ChallengePair {
  readonly challenge: string;
  readonly verifier: string;
}

export type VerifierFlaw = 'mismatch' | 'malformed';

const WELL_FORMED = /^[A-Za-z0-9._~-]{43,128}$/;
const VERIFIER_BYTES = 32;

const s256 = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** `clearVerifiers`: those that the recording shows; their challenges are sent as recorded. */
function createChallenges(clearVerifiers: Iterable<string>, bytes: (size: number) => Uint8Array) {
  const kept = new Set([...clearVerifiers].flatMap((verifier) => [verifier, s256(verifier)]));
  const pairs = new Map<string, ChallengePair>();
  const ofCode = new Map<string, ChallengePair>();
  const freshVerifier = () => Buffer.from(bytes(VERIFIER_BYTES)).toString('base64url');
  return {
    /** The pair that takes the place of a recorded challenge; null where the recorded one is sent as it is. */
    pairFor: (challenge: string, method: string | undefined): ChallengePair | null => {
      if (kept.has(challenge) || !WELL_FORMED.test(challenge)) return null;
      const known = pairs.get(challenge);
      if (known !== undefined) return known;
      const verifier = freshVerifier();
      // Absent means plain (4.3).
      const pair = { verifier, challenge: method === 'S256' ? s256(verifier) : verifier };
      pairs.set(challenge, pair);
      return pair;
    },
    /** A code came back to an authorization request with this recorded challenge. */
    noteCode: (code: string, challenge: string): void => {
      const pair = pairs.get(challenge);
      if (pair !== undefined) ofCode.set(code, pair);
    },
    /** What is sent in place of a recorded verifier; `flaw`: what was wrong with that one. */
    verifierFor: (verifier: string, code: string, flaw: VerifierFlaw | null): string => {
      if (!isFingerprint(verifier)) return verifier;
      if (flaw === 'malformed') return 'too-short';
      return flaw === 'mismatch' ? freshVerifier() : (ofCode.get(code)?.verifier ?? freshVerifier());
    },
  };
}
