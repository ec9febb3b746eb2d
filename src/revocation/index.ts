/** The revocation layer: asks OCSP responders behind the calls, and keeps what they said. */
import { setMaxListeners } from 'node:events';
import type { AskedCertificate, OcspFacts, OcspVerdict, Responses } from '../certificate/index.js';
import { createRecentCache } from '../exchange/index.js';
import { askResponder, type Ways } from './ask-responder.js';
import type { OcspAnswer } from './ocsp.js';

export interface ResponsesParts extends Ways {
  readonly nonce: () => Uint8Array;
  /** Called after each question; `isNew`: what is known is something else than before. */
  readonly onVerdict?: (verdict: OcspVerdict, subject: AskedCertificate, isNew: boolean) => void;
  /** Ms from the look-up of an address to the end of an answer. */
  readonly patience?: number;
  /** Certificates of which answers are kept. */
  readonly most?: number;
  readonly mostAtOnce?: number;
}

interface Entry {
  /** The last answer that counts. */
  answer: OcspAnswer | null;
  /** Why the last question got none. */
  failure: OcspVerdict | null;
  asking: Promise<void> | null;
  /** Epoch ms: the last question, and from when on there is a next one. */
  asked: number;
  next: number;
}

export type OcspResponses = ReturnType<typeof createResponses>;

const MOST = 5_000;
const MOST_AT_ONCE = 32;
const PATIENCE_MS = 10_000;
const PAUSE_MS = 60_000;
/** An answer is renewed while it still holds, so that no call has to wait. */
const RENEWED_AT = 0.75;

export function createResponses(parts: ResponsesParts) {
  const { most = MOST, patience = PATIENCE_MS, onVerdict } = parts;
  const entries = createRecentCache<string, Entry>(most);
  const inTurn = createTurns(parts.mostAtOnce ?? MOST_AT_ONCE);
  const stop = new AbortController();
  // Each question that is under way listens to it.
  setMaxListeners(0, stop.signal);

  async function ask(entry: Entry, certificate: AskedCertificate, now: number): Promise<void> {
    const { ocspRequest, readOcspAnswer } = await import('./ocsp.js');
    const nonce = parts.nonce();
    const signals = { late: AbortSignal.timeout(patience), stopped: stop.signal };
    const question = ocspRequest(certificate, nonce);
    const got = await askResponder(certificate.responders, question, parts, signals);
    const answer = typeof got === 'string' ? null : await readOcspAnswer(got, certificate, nonce, now);
    const before = shown(entry, now).ocsp;
    if (answer?.until == null) {
      entry.failure = typeof got === 'string' ? got : (answer?.verdict ?? 'unreadable');
      entry.next = now + PAUSE_MS;
    } else {
      entry.answer = answer;
      entry.failure = null;
      entry.next = now + (answer.until - now) * RENEWED_AT;
    }
    const after = shown(entry, now).ocsp;
    onVerdict?.(entry.failure ?? after, certificate, after !== before);
  }

  function begin(entry: Entry, certificate: AskedCertificate, now: number): void {
    entry.asked = now;
    entry.asking = inTurn(() => ask(entry, certificate, now))
      .catch(() => {
        entry.failure = 'unreachable';
        entry.next = now + PAUSE_MS;
      })
      .finally(() => {
        entry.asking = null;
      });
  }

  return {
    look: (certificate, now) => {
      const { fingerprint256 } = certificate;
      let entry = entries.get(fingerprint256);
      if (entry === undefined) {
        entry = { answer: null, failure: null, asking: null, asked: now, next: now };
        entries.set(fingerprint256, entry);
      }
      if (isDue(entry, now) && !stop.signal.aborted) begin(entry, certificate, now);
      return shown(entry, now);
    },
    isCurrent: ({ fingerprint256, revocation: { ocsp } }, now) => {
      if (ocsp === undefined) return true;
      const entry = entries.get(fingerprint256);
      return entry !== undefined && !isDue(entry, now) && shown(entry, now).ocsp === ocsp;
    },
    /** Resolves when the question that is under way for a certificate is answered; undefined: none is. */
    answered: (fingerprint256: string): Promise<void> | undefined =>
      entries.get(fingerprint256)?.asking ?? undefined,
    /** Ends what is under way. */
    close: () => stop.abort(),
  } satisfies Responses & {
    answered: (fingerprint256: string) => Promise<void> | undefined;
    close: () => void;
  };
}

/** Before the last question, too: the clock may be moved back. */
const isDue = ({ asking, asked, next }: Entry, now: number): boolean =>
  asking === null && (now >= next || now < asked);

/** A revocation stays, also where nobody repeats it. */
function shown({ answer, failure }: Entry, now: number): OcspFacts {
  const holds = answer?.until != null && (now < answer.until || answer.verdict === 'revoked');
  if (!holds) return { ocsp: failure ?? 'asking' };
  const { verdict, since, notes } = answer;
  return {
    ocsp: verdict,
    ...(since === undefined ? {} : { since }),
    ...(notes.length === 0 ? {} : { ocspNotes: notes }),
  };
}

/** Lets so many run at once, and the others wait in their order. */
function createTurns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
