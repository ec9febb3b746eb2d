/** A living bank as the gateway has it, without wires: calls are judged, answered, folded in and remembered. */
import { createEmulator, createLivingBank } from '../../../src/answer/index.js';
import {
  applyFacts,
  type BankChange,
  type Books,
  booksAt,
  createWorld,
  endSca,
  type FactChange,
  type Population,
  roomFor,
} from '../../../src/bank/index.js';
import { type Answer, closeCall } from '../../../src/exchange/index.js';
import { advance } from '../../../src/ledger/index.js';
import { createJudge, type Profile, RULES } from '../../../src/rules/index.js';
import { type BankProfile, dialectOf, LIMITS, type ScaScenario } from '../../../src/spec/index.js';
import { NOON, POPULATION } from '../../bank/a-bank.js';
import {
  aCall,
  aCertificate,
  type CallParts,
  fingerprint,
  judgeOptions,
  organisation,
  TPP,
} from '../../builders.js';
import { API, DATA, PSU } from '../an-emulator.js';

/** Valid whenever tests move the clock to. */
export const certificateOf = (tpp: string) =>
  aCertificate({
    organizationIdentifier: organisation(tpp),
    notBefore: '2026-01-01T00:00:00Z',
    notAfter: '2030-01-01T00:00:00Z',
  });

export interface LivingBankUnderTest {
  readonly books: Books;
  /** Epoch ms; to be moved. */
  now: number;
  /** Of every call so far, as `operation: rule, place`; notes are none. */
  readonly findings: string[];
  /** Answers a call made of parts, and remembers what it changed. */
  readonly ask: (parts: CallParts) => Answer;
  /** Changes what the bank remembers. */
  readonly keep: (changes: readonly FactChange[]) => void;
  /** The SCA of an authorisation ends; undefined where the bank does not know it. */
  readonly sca: (authorisation: string, psu: string, outcome?: ScaScenario) => ScaScenario | undefined;
}

export function aLivingBank(
  parts: {
    profile?: Profile;
    notifies?: (uri: string) => boolean;
    population?: Population;
    bankProfile?: BankProfile;
    /** The sandbox bank in its place. */
    isSandbox?: boolean;
  } = {},
): LivingBankUnderTest {
  const { profile = 'sandbox', notifies = () => false, population = POPULATION, bankProfile } = parts;
  const dialect = dialectOf(bankProfile);
  const world = createWorld();
  const books = { state: world.bank, population };
  const findings: string[] = [];
  let [tokens, ids, calls] = [0, 0, 0];
  const shared = {
    data: DATA,
    urls: () => ({ api: API, psu: PSU }),
    scaLink: () => 'discovery' as const,
    dialect,
    ids: {
      token: () => (++tokens).toString(16).padStart(96, '0'),
      authorisation: () => `f0000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    },
    fingerprint,
    onNotification: () => null,
  };
  const sandbox = createEmulator(shared);
  const living = { ...shared, sandbox, population, notifies, scaLinkMs: LIMITS.scaLinkMs };
  const bank = parts.isSandbox === true ? sandbox : createLivingBank(living);
  const judge = createJudge({ rules: RULES, options: { ...judgeOptions(profile), dialect }, fingerprint });
  const keep = (changes: readonly FactChange[]) => applyFacts(world, changes);

  const under: LivingBankUnderTest = {
    books,
    now: NOON,
    findings,
    keep,
    ask: (given) => {
      const requestId = `99391c7e-ad88-49ec-a2ad-${String(++calls).padStart(12, '0')}`;
      const headers = { 'X-Request-ID': requestId, ...given.headers };
      const made = aCall({
        ...{ certificate: certificateOf(TPP), dialect },
        ...given,
        headers,
        at: under.now,
        id: String(calls).padStart(11, '0'),
      });
      // The gateway knows the bank's own pages.
      const isPage = made.listener === 'psu' && made.operation === null;
      const call = isPage ? made.with({ allow: undefined, nearest: undefined }) : made;
      const judged = judge.judgeCall(call, world.ledger);
      const { refusal } = judged;
      const context = {
        ...{ ...world, refusal, now: under.now, signal: new AbortController().signal },
        room: (tpp: string, changes: readonly BankChange[]) => roomFor(world.bank, tpp, changes, under.now),
      };
      const answered = bank.answer(call, context);
      const exchange = closeCall(call, answered.answer, { total: 0, answerer: 0 });
      const both = judge.judgeExchange(exchange, world.ledger, judged);
      for (const { rule, place, severity } of both.findings)
        if (severity !== 'note') findings.push(`${call.operation}: ${rule}, ${place}`);
      keep([...advance(world.ledger, exchange, fingerprint, dialect), ...(answered.changes ?? [])]);
      return answered.answer;
    },
    sca: (id, psu, outcome = 'SCA_OK') => {
      const authorisation = books.state.bankAuthorisations.get(id);
      if (authorisation === undefined) return undefined;
      const ended = endSca(booksAt(books, under.now), { authorisation, psu, outcome }, under.now);
      keep(ended.changes);
      return ended.outcome;
    },
  };
  return under;
}
