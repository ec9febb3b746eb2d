/** The live view of a whole session: journeys, findings by rule, certificates in use, troubles. */
import { setImmediate } from 'node:timers/promises';
import { type Exchange, timeOfId } from '../../exchange/index.js';
import type { RecordedExchange } from '../../store/index.js';
import type { CertificateFile } from '../certificate.js';
import { type Brief, graver, worstOf } from '../exchanges/index.js';
import { faultSide } from '../exchanges/remedies.js';
import { createTurns } from '../find-exchanges.js';
import { createJourneys, type Journeys } from '../journeys/journeys.js';
import { type StepCall, stepCallOf } from '../journeys/step-call.js';
import { createOlder } from './older.js';
import type { LivePort } from './port.js';
import { COUNTED_FILTERS, createSessionCounts, namesOf } from './session-counts.js';
import { createSessionTime } from './session-time.js';

/** How often, and in which exchange the last time. */
export type Found = { count: number; at: number; exchange: string; worst: Brief['worst'] };
/** Something that happens again and again, told once. */
type Trouble = { readonly text: string; count: number; at: number; exchange: string };
/** `hasReturned`: its peer has connected since. */
type Refused = Trouble & { readonly peer: string; hasReturned: boolean };
type UsedCertificate = Pick<
  CertificateFile,
  'fingerprint' | 'subject' | 'organisation' | 'tpp' | 'notAfter'
> & {
  exchanges: number;
  last: number;
  exchange: string;
};

export type Figures = ReturnType<typeof createFigures>;

export type SessionView = Omit<Figures, 'count' | 'beginAt'> & { readonly journeys: Journeys };

const MOST_CERTIFICATES = 200;
const MOST_CAUSES = 20;

export function createFigures() {
  const rules = new Map<string, Found>();
  const certificates = new Map<string, UsedCertificate>();
  const handshakes = new Map<string, Refused>();
  const tally = createSessionCounts();
  const time = createSessionTime();
  const older = createOlder(({ timeline, counts }) => {
    time.addAll(timeline);
    tally.addAll(counts);
  });
  const fetchOlder = (session: string, port: LivePort) =>
    older.fetch(({ exchange }) => port.past(session, exchange, COUNTED_FILTERS));
  let bankDown: Trouble | null = null;

  const findRules = ({ findings, at, exchange }: Seen): void => {
    if (findings.length === 0) return;
    for (const finding of findings) {
      const { rule } = finding;
      const known = rules.get(rule);
      const count = known?.exchange === exchange ? known.count : (known?.count ?? 0) + 1;
      rules.set(rule, { count, worst: graver(known?.worst ?? null, worstOf([finding])), at, exchange });
    }
  };
  const useCertificate = ({ certificate, tpp, at, exchange }: Seen): void => {
    if (typeof certificate === 'string') return;
    const { fingerprint256: fingerprint, subject, organization: organisation, notAfter } = certificate;
    const known = certificates.get(fingerprint);
    if (known !== undefined) {
      known.exchanges += 1;
      known.last = at;
      known.exchange = exchange;
    } else if (certificates.size < MOST_CERTIFICATES) {
      const used = { fingerprint, subject, organisation, notAfter, tpp, exchanges: 1, last: at, exchange };
      certificates.set(fingerprint, used);
    }
  };
  const failHandshake = ({ handshake, at, exchange, peer }: Seen): void => {
    if (handshake === null) {
      for (const one of handshakes.values()) if (one.peer === peer) one.hasReturned = true;
      return;
    }
    // How many were only counted stands behind the cause.
    const cause = handshake.slice(0, handshake.indexOf('.') + 1);
    const known = handshakes.get(cause);
    if (known === undefined && handshakes.size >= MOST_CAUSES) return;
    const count = (known?.count ?? 0) + 1;
    handshakes.set(cause, { text: cause, count, at, exchange, peer, hasReturned: false });
  };

  return {
    rules: rules as ReadonlyMap<string, Found>,
    certificates: certificates as ReadonlyMap<string, UsedCertificate>,
    /** Failed handshakes by their cause. */
    handshakes: handshakes as ReadonlyMap<string, Refused>,
    /** null where the newest call to the bank was answered. */
    bankDown: () => bankDown,
    beginAt: older.beginAt,
    counts: async (session: string, port: LivePort) =>
      tally.show(session, port, await fetchOlder(session, port)),
    timeline: async (session: string, port: LivePort) =>
      time.show(session, port, await fetchOlder(session, port)),
    count: (seen: Seen): void => {
      const { at, exchange, bank } = seen;
      tally.take(seen.names);
      time.take(timeOfId(exchange) ?? at, worstOf(seen.findings), seen.bankMs);
      findRules(seen);
      useCertificate(seen);
      failHandshake(seen);
      if (bank !== null)
        bankDown = bank.answered
          ? null
          : { text: bank.text, count: (bankDown?.count ?? 0) + 1, at, exchange };
    },
  };
}

export type Seen = ReturnType<typeof seenOf>;

/** Picks what is counted of each exchange: little, and nothing of its bodies. */
export function seenOf(record: RecordedExchange) {
  const { exchange, findings } = record;
  const { call, fault } = exchange;
  const { id, at, tpp, certificate, connection } = call;
  const handshake = fault?.kind === 'handshake' ? fault.message : null;
  const [bank, names] = [bankOf(exchange), namesOf(record)];
  const bankMs = exchange.answer?.source === 'upstream' ? exchange.elapsed.total : null;
  const told = { exchange: id, at, peer: connection.address, tpp, certificate, findings };
  return { ...told, handshake, bank, bankMs, names };
}

/** Whether the bank answered; null where it was not asked. */
type BankAnswer = { readonly answered: boolean; readonly text: string } | null;

const ANSWERED: BankAnswer = { answered: true, text: '' };

function bankOf(exchange: Exchange): BankAnswer {
  const { answer, fault } = exchange;
  if (fault !== null && faultSide(exchange, fault) === 'bank')
    return { answered: false, text: fault.message };
  return answer?.source === 'upstream' ? ANSWERED : null;
}

export const MOST_READ = 10_000;
const A_TURN = 500;

export async function readView(port: LivePort, session: string) {
  const [figures, journeys] = [createFigures(), createJourneys()];
  const read: (readonly [Seen, StepCall])[] = [];
  const turn = createTurns();
  const options = { backwards: true, limit: MOST_READ, onUnreadable: () => {} } as const;
  for await (const record of port.store.read(session, options)) {
    read.push([seenOf(record), stepCallOf(record)]);
    const pause = turn(record);
    if (pause !== undefined) await pause;
  }
  const [oldest] = read.at(-1) ?? [];
  if (oldest !== undefined && read.length === MOST_READ) figures.beginAt(oldest);
  for (const [i, [seen, step]] of read.toReversed().entries()) {
    figures.count(seen);
    journeys.take(step);
    if (i % A_TURN === 0) await setImmediate();
  }
  return { figures, journeys, known: new Set(read.map(([{ exchange }]) => exchange)) };
}
