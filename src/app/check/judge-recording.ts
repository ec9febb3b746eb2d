/** Judges a recording without a gateway, by the same rules and the same ledger as live. */
import { createHindsight, type Hindsight } from '../../bank/index.js';
import {
  type FileRecord,
  type Fingerprint,
  isFailedConnection,
  queryValue,
  type RecordedCall,
  type Stage,
} from '../../exchange/index.js';
import { giveBack, type Moment, type Reservation, reserve, sweep, withScope } from '../../ledger/index.js';
import {
  effectiveSeverity,
  type Finding,
  type Judge,
  type Judged,
  type Rule,
  ruleOf,
  type SeverityOverrides,
  type Verdict,
  type Verdicts,
} from '../../rules/index.js';
import { isSandboxResource, parseScope } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';

export interface JudgedBy {
  readonly judge: Judge;
  /** The judge's: stored findings take the severities that count now. */
  readonly overrides?: SeverityOverrides;
  /** Own rules of the judge. */
  readonly own?: readonly Rule[];
}

export interface JudgingParts extends JudgedBy {
  /** The judge of an exchange by its id, where not all are judged by the same. */
  readonly inForce?: (exchange: string) => JudgedBy;
  /** The one of the store that the recording is from; any other for a file. */
  readonly fingerprint: Fingerprint;
  /** What was known before the first exchange; moved on in place. An exchange that is given out was the last to teach it. */
  readonly known?: Hindsight;
  /** The calls of the records, in their order, where they are known beforehand. */
  readonly calls?: readonly RecordedCall[];
}

/** What a rule made of an exchange when it was recorded; undefined where that is not known. */
type Remembered = (rule: string) => Exclude<Verdict, 'not-applicable'> | undefined;

interface Arrived {
  readonly before: Judged;
  readonly held: Reservation;
}

/**
 * Judges each call when it arrived and each exchange when it ended, as it is done live, and gives out exchanges in the
 * order in which they were recorded. A rule that needs what a recording does not hold (a clear verifier) keeps the
 * verdict that it gave live, where that was stored.
 */
export function judgeRecording(parts: JudgingParts): Stage<FileRecord, RecordedExchange> {
  const { fingerprint, known = createHindsight(fingerprint), calls, inForce = () => parts } = parts;
  const underWay = new Map<FileRecord, Arrived>();
  const { take, close } = sweep<FileRecord>(calls);

  function arrive(record: FileRecord): Arrived {
    const { call } = record.exchange;
    const { ledger } = known;
    const { judge } = inForce(call.id);
    let before = judge.judgeCall(call, ledger);
    if (before.findings.length > 0 && showsMoreWasKnown(record, before)) {
      ledger.beganLater = true;
      before = judge.judgeCall(call, ledger);
    }
    return { before, held: reserve(ledger, call, fingerprint) };
  }

  function* judged(moments: Iterable<Moment<FileRecord>>): Generator<RecordedExchange> {
    for (const moment of moments) {
      if (moment.kind === 'step') {
        known.befall(moment.note);
        continue;
      }
      const { kind, record } = moment;
      const { steps } = record;
      // Of a connection that never brought a call, nothing is judged live either.
      if (isFailedConnection(record.exchange)) {
        if (kind === 'end') yield { ...record, verdicts: {}, findings: [] };
        continue;
      }
      // Its content is gone: what was judged of it stands.
      if (record.exchange.withheld !== undefined) {
        const { verdicts = {}, findings = [] } = record;
        if (kind === 'end') yield { ...record, verdicts, findings };
        continue;
      }
      if (kind === 'arrival') {
        underWay.set(record, arrive(record));
        continue;
      }
      const { ledger } = known;
      const { before, held } = underWay.get(record) as Arrived;
      underWay.delete(record);
      giveBack(ledger, held);
      const by = inForce(record.exchange.call.id);
      const { dialect } = by.judge.options;
      const exchange = withScope(record.exchange, ledger, fingerprint, dialect);
      const { verdicts, findings } = by.judge.judgeExchange(exchange, ledger, before);
      known.learn(exchange, dialect);
      const now =
        steps === undefined ? { exchange, verdicts, findings } : { exchange, verdicts, findings, steps };
      yield record.verdicts === undefined && record.findings === undefined
        ? now
        : withRemembered(now, record, by);
    }
  }

  return { take: (record) => judged(take(record)), close: () => judged(close()) };
}

function withRemembered(now: RecordedExchange, record: FileRecord, by: JudgedBy): RecordedExchange {
  const unseen = unseenIn(now.verdicts);
  if (unseen.length === 0) return now;
  const remembered = remember(record);
  const verdicts = { ...now.verdicts };
  const findings = [...now.findings];
  for (const rule of unseen) {
    const before = remembered(rule);
    // With clear values to see, the rule did not apply.
    if (before === undefined && record.verdicts !== undefined) delete verdicts[rule];
    if (before === undefined || before === 'not-observed') continue;
    verdicts[rule] = before;
    if (before === 'violated') findings.push(...findingsOf(rule, record, by));
  }
  return { ...now, verdicts, findings };
}

/** The judge hands out the same verdicts again and again. */
const unseenOf = new WeakMap<Verdicts, readonly string[]>();

function unseenIn(verdicts: Verdicts): readonly string[] {
  let unseen = unseenOf.get(verdicts);
  if (unseen === undefined) {
    unseen = Object.keys(verdicts).filter((rule) => verdicts[rule] === 'not-observed');
    unseenOf.set(verdicts, unseen);
  }
  return unseen;
}

/** A file may hold findings without verdicts: a finding is a violation. */
function remember({ verdicts = {}, findings = [] }: FileRecord): Remembered {
  const violated = new Set(findings.map(({ rule }) => rule));
  return (rule) => {
    if (violated.has(rule)) return 'violated';
    return Object.hasOwn(verdicts, rule) ? verdicts[rule] : undefined;
  };
}

function findingsOf(
  id: string,
  { findings = [] }: FileRecord,
  { judge, overrides, own = [] }: JudgedBy,
): Finding[] {
  const rule = ruleOf(id) ?? own.find((one) => one.id === id);
  const { profile, dialect } = judge.options;
  const severity =
    rule === undefined ? 'off' : effectiveSeverity(rule, profile, overrides ?? {}, dialect.profile);
  if (severity === 'off') return [];
  return findings
    .filter((finding) => finding.rule === id)
    .map((finding) => ({ ...finding, severity: finding.severity === 'note' ? 'note' : severity }));
}

/** Rules on what must be known, and the id that they look for; a token names none. */
const KNOWN: Readonly<Record<string, (record: FileRecord) => string>> = {
  'accounts/token-known': () => '',
  'accounts/consent-known': ({ exchange: { call } }) => call.header['consent-id'] ?? '',
  'consents/known-to-tpp': ({ exchange: { call } }) => call.params.consentId ?? '',
  'payments/known-to-tpp': ({ exchange: { call } }) => call.params.paymentId ?? '',
  'oauth/scope-names-created-resource': ({ exchange: { call } }) =>
    parseScope(queryValue(call, 'scope') ?? '')?.id ?? '',
};

/**
 * A token, consent or payment is not known here, though it was where the call was judged live: by its verdict, or because
 * nothing was found and no emulator refused it, as that one does by itself. A bank of its own may know it in any case. An
 * id that the sandbox fixes is known by its profile alone.
 */
function showsMoreWasKnown(record: FileRecord, { findings }: Judged): boolean {
  return findings.some(({ rule }) => {
    const id = KNOWN[rule]?.(record);
    return id !== undefined && !isSandboxResource(id) && wasKnown(rule, record);
  });
}

function wasKnown(rule: string, { exchange: { answer }, verdicts, findings }: FileRecord): boolean {
  if (answer?.source === 'upstream') return true;
  if (verdicts !== undefined) return verdicts[rule] === 'complied' || verdicts[rule] === 'not-observed';
  if (findings === undefined || findings.some((found) => found.rule === rule)) return false;
  if (answer === null || answer.source === 'gateway' || answer.source === 'rule') return true;
  return answer.source === 'emulator' && answer.status >= 200 && answer.status < 300;
}
