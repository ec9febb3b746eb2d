/** Makes a recorder. */

import type { FactChange } from '../bank/index.js';
import {
  type Call,
  createRedactor,
  type Exchange,
  type Fingerprint,
  type Pseudonyms,
  placeFrom,
  pseudonymise,
  type Redacted,
  redactValue,
} from '../exchange/index.js';
import type { Finding, Judged } from '../rules/index.js';
import { type KeptChange, type RecordedExchange, StoreMoved } from '../store/index.js';
import { createAvailability } from './availability.js';
import { createQueue } from './queue.js';
import type { Basis, Findings, Recorder, RecorderParts } from './recorder.js';
import { redactNote } from './redact-note.js';
import { dependOn, type Waiting } from './waiting.js';

const DONE = Promise.resolve();
const ignore = (): void => {};

export function createRecorder(parts: RecorderParts): Recorder {
  const { fingerprint, pseudonyms, others, maxWaiting = 1_000 } = parts;
  // Before it is kept, nobody knows whether it is to be judged anew.
  const isRelaxed = parts.durability === 'relaxed' && others === undefined;
  const redact = createRedactor(fingerprint);
  const availability = createAvailability(parts);
  const queue = createQueue(parts, availability);
  /** Calls that were sent on and have not ended. Entries are deleted: a weak one outlives many young collections. */
  const begun = new WeakMap<Call, Redacted>();

  function take(which: 'begun' | 'records', exchange: Exchange, judged: Findings): Waiting {
    const { call } = exchange;
    const redacted = redact(exchange, begun.get(call));
    if (which === 'begun') begun.set(call, redacted);
    else begun.delete(call);
    const record = redactRecord(redacted, judged, pseudonyms);
    const current = queue.open();
    current.batch[which].push(record);
    return current;
  }

  /** Full: whoever comes now waits for the commit of those before it, which is done here and now where it can be. */
  function promiseOf(current: Waiting): Promise<void> {
    const isFull = current.batch.records.length >= maxWaiting;
    if (isFull) queue.flush();
    return isRelaxed && !(isFull && queue.isOpen(current)) ? DONE : current.kept;
  }

  function keep(
    enter: () => Waiting,
    changes: readonly KeptChange[],
    onLost: (() => void) | undefined,
    basis: Basis | undefined,
    until = promiseOf,
  ): Promise<void> {
    const problem = availability.problem();
    if (problem !== null) {
      onLost?.();
      return Promise.reject(problem);
    }
    const current = enter();
    if (onLost !== undefined) current.onLost.push(onLost);
    for (const change of changes) current.batch.changes.push(redactChange(change, fingerprint, pseudonyms));
    const kept = until(current);
    if (others === undefined) return kept;
    if (basis !== undefined) {
      dependOn(current, basis, changes);
      return kept;
    }
    // It depends on nothing: whatever others changed, it is as right as it was.
    const again = kept.catch((error) => {
      if (!(error instanceof StoreMoved)) throw error;
      return keep(enter, changes, onLost, basis, until);
    });
    again.catch(ignore);
    return again;
  }

  return {
    problem: availability.problem,
    probe: availability.probe,
    close: availability.close,
    catchUp: queue.catchUp,
    note: (session, note) => queue.note(session, redactNote(note, fingerprint, pseudonyms)),
    waiting: queue.waiting,
    drain: queue.drain,
    assure: () => keep(queue.open, [], undefined, undefined),
    begin: (exchange, judged, changes = [], onLost, basis) =>
      keep(() => take('begun', exchange, judged), changes, onLost, basis),
    take: (exchange, judged, changes = [], onLost, basis) =>
      keep(() => take('records', exchange, judged), changes, onLost, basis),
    remember: (changes, onLost, basis) => keep(queue.open, changes, onLost, basis),
    change: (sessions, given, changes, onLost, basis) => {
      const note = redactNote(given, fingerprint, pseudonyms);
      const enter = (): Waiting => {
        const current = queue.open();
        const { notes, begun, records } = current.batch;
        for (const session of sessions) {
          const noted = { session, note, behind: { begun: begun.length, records: records.length } };
          notes.push(noted);
          current.bound.add(noted);
        }
        return current;
      };
      return keep(enter, changes, onLost, basis, ({ kept }) => kept);
    },
  };
}

/** Doing it a second time changes nothing more. With `pseudonyms` people are not to be recognised either. */
export function redactRecord(
  redacted: Redacted,
  { verdicts, findings }: Pick<Judged, 'verdicts' | 'findings'>,
  pseudonyms?: Pseudonyms,
): RecordedExchange {
  const other = pseudonyms === undefined ? null : pseudonymise(redacted.exchange, pseudonyms);
  const exchange = other?.exchange ?? redacted.exchange;
  if (findings.length === 0) return { exchange, verdicts, findings };
  const clean = (text: string): string => {
    const without = redacted.redactWords(text);
    return other?.pseudonymiseText(without) ?? without;
  };
  return { exchange, verdicts, findings: findings.map((finding) => cleanFinding(finding, clean)) };
}

function cleanFinding(finding: Finding, clean: (text: string) => string): Finding {
  return {
    ...finding,
    place: placeFrom(clean(finding.place)),
    expected: clean(finding.expected),
    ...(finding.actual === undefined ? {} : { actual: clean(finding.actual) }),
  };
}

/** Facts with texts of a TPP's or a bank's own; all others hold ids, times and fingerprints. */
const WITH_TEXTS: ReadonlySet<string> = new Set<FactChange['family']>([
  'consents',
  'payments',
  'authorisations',
  'authorizes',
  'usedOnce',
  'links',
  'bankConsents',
  'bankAuthorisations',
  'bankPayments',
  'bankBodies',
  'bankCodes',
]);

/** A fact may hold an address with a secret in it, and persons where a bank makes account numbers its account ids. */
function redactChange(change: KeptChange, fingerprint: Fingerprint, pseudonyms?: Pseudonyms): KeptChange {
  const redacted =
    'family' in change && WITH_TEXTS.has(change.family) ? redactFact(change, fingerprint) : change;
  if (pseudonyms === undefined) return redacted;
  const text = JSON.stringify(redacted);
  const other = pseudonyms.ibansIn(text);
  return other === text ? redacted : (JSON.parse(other) as KeptChange);
}

function redactFact<C extends FactChange>(change: C, fingerprint: Fingerprint): C {
  const fact = redactValue(change.fact, fingerprint);
  return fact === change.fact ? change : { ...change, fact };
}
