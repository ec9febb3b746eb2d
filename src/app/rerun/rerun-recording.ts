/** `sandgate rerun` as a function: a recording, a target, and what came of sending the one to the other. */
import {
  createFingerprint,
  type FileRecord,
  queryValue,
  quieten,
  type SessionNote,
} from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { type FilterTree, matches, type RecordedExchange } from '../../store/index.js';
import { valuesGivenBy } from './learn.js';
import { type LearnedNoise, learnNoise } from './learn-noise.js';
import { mergeNoise, type NoiseOf, type NoisePlace, noiseOf } from './noise.js';
import { type OperatorReport, operatorActions } from './operator-actions.js';
import { type PlannedCall, planCalls } from './plan.js';
import type { CallOutcome, RerunCall } from './rerun-call.js';
import type { RunParts } from './run.js';
import { type RunResult, runRecording } from './run-recording.js';
import { type FileRows, type RecordingSurvey, surveyRecording } from './survey.js';
import type { RerunTarget } from './target.js';
import { valuesUsedBy } from './values-used.js';

export interface RerunSource {
  readonly name: string;
  readonly segment: string;
  /** In the order of recording; read more than once. */
  readonly records: () => FileRows;
  /** Of its session; none of a cassette. */
  readonly notes?: readonly SessionNote[];
}

export interface RerunParts extends Pick<RunParts, 'system' | 'timeout' | 'signal' | 'askPerson' | 'lender'> {
  readonly source: RerunSource;
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

export interface RerunReport {
  readonly recording: string;
  readonly against: string;
  readonly at: string;
  readonly calls: readonly RerunCall[];
  /** How many requests left: more than calls where some were sent twice. */
  readonly requests: number;
  readonly counts: Readonly<Record<CallOutcome, number>>;
  /** What operators did to the bank while it was recorded. */
  readonly operators: OperatorReport;
  /** null where no noise was to be learned. */
  readonly learned: LearnedNoise | null;
}

/** In the order in which they matter. */
export const OUTCOMES = [
  'breaking',
  'additive',
  'value',
  'noise',
  'same',
  'sent',
  'skipped',
] as const satisfies readonly CallOutcome[];

const KEY_BYTES = 32;

export async function rerunRecording(parts: RerunParts): Promise<RerunReport> {
  const { source, system, timeout, signal, askPerson, lender } = parts;
  const survey = await surveyRecording(source.records());
  const use = await chooseUse(parts);
  const at = new Date(system.clock()).toISOString();
  const target = await parts.openTarget(survey);
  const writes = !target.real || parts.sendWrites;
  let run: RunResult;
  try {
    const fingerprint = createFingerprint(system.chance.bytes(KEY_BYTES));
    const plan = await planCalls(source.records(), { writes, use }, fingerprint);
    if (plan.some((call) => call.plan === 'hold back')) parts.onPlan?.(plan, target.name);
    run = await runRecording({
      records: source.records,
      actions: await operatorActions(source.records(), source.notes ?? []),
      segment: source.segment,
      survey,
      target,
      system,
      use,
      writes,
      noise: noiseOf(parts.noise),
      timeout,
      signal,
      twice: parts.learn,
      askPerson,
      lender,
      onCall: (number) => parts.onCall?.(number, survey.calls),
    });
  } finally {
    await target.close();
  }
  const learned = parts.learn ? learnNoise(source.segment, run.twins) : null;
  const noise = noiseOf(mergeNoise(parts.noise, learned?.places ?? []));
  const calls = run.calls.map((call) => (call.differences.length === 0 ? call : quiet(call, noise)));
  refuseNothing(source.name, calls);
  const { requests, operators } = run;
  return {
    recording: source.name,
    against: target.name,
    at,
    calls,
    requests,
    counts: countOutcomes(calls),
    operators,
    learned,
  };
}

async function chooseUse({ source, only }: RerunParts): Promise<RunParts['use']> {
  if (only === undefined) return () => 'compare';
  const { compared, needed } = await chooseCalls(source.records(), only);
  if (compared.size === 0) throw new SandgateError('rerun.filtered-out', { name: source.name });
  return (index) => (compared.has(index) ? 'compare' : needed.has(index) ? 'send' : 'leave');
}

function quiet(call: RerunCall, noise: NoiseOf): RerunCall {
  const differences = quieten(call.differences, noise(call.operation));
  return { ...call, differences, outcome: differences[0]?.class ?? 'same' };
}

/** A gate that compared nothing must not be open. */
function refuseNothing(name: string, calls: readonly RerunCall[]): void {
  if (calls.some(({ outcome }) => outcome !== 'sent' && outcome !== 'skipped')) return;
  const reason = calls.find((call) => call.reason !== undefined)?.reason;
  if (reason === undefined) throw new SandgateError('rerun.no-call', { name });
  throw new SandgateError('rerun.nothing-compared', { name, reason });
}

function countOutcomes(calls: readonly RerunCall[]): RerunReport['counts'] {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<CallOutcome, number>;
  for (const { outcome } of calls) counts[outcome]++;
  return counts;
}

async function chooseCalls(records: FileRows, only: FilterTree) {
  const isWanted = matches(only);
  const compared = new Set<number>();
  const needs: number[][] = [];
  const givers = new Map<string, number>();
  for await (const record of records) {
    const index = needs.length;
    if (isWanted(asRecorded(record))) compared.add(index);
    needs.push(giversOf(record, givers));
    const { answer } = record.exchange;
    if (answer !== null) for (const value of valuesGivenBy(answer)) givers.set(value, index);
    // The verifier of a token request is that of the authorization request, whatever its code is.
    const challenge = queryValue(record.exchange.call, 'code_challenge');
    if (challenge !== undefined && /[?&]code=/.test(answer?.header.location ?? ''))
      givers.set(LATEST_CODE, index);
    if (AUTHORISE_LINK.test(answer?.body?.text ?? '')) givers.set(AUTHORISE_PLACE, index);
  }
  return { compared, needed: reach(compared, needs) };
}

/** Where the PSU authorises is told by the last of these. */
const AUTHORISE_LINK = /"(?:scaOAuth|authorization_endpoint)"/;
const AUTHORISE_PLACE = ' authorise';
/** Stands for a code that was not given by an answer of the recording. */
const LATEST_CODE = ' code';

function giversOf({ exchange }: FileRecord, givers: ReadonlyMap<string, number>): number[] {
  const found = new Set<number>();
  const used = [...valuesUsedBy(exchange.call)];
  if (exchange.call.operation === 'oauth.token') used.push(LATEST_CODE);
  if (exchange.call.operation === 'oauth.authorize') used.push(AUTHORISE_PLACE);
  for (const value of used) {
    const giver = givers.get(value);
    if (giver !== undefined) found.add(giver);
  }
  return [...found];
}

function reach(from: ReadonlySet<number>, needs: readonly (readonly number[])[]): Set<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const giver of needs[index] ?? []) {
      if (reached.has(giver)) continue;
      reached.add(giver);
      open.push(giver);
    }
  }
  return reached;
}

/** A file may hold exchanges without what was judged of them. */
function asRecorded({ exchange, verdicts = {}, findings = [] }: FileRecord): RecordedExchange {
  return { exchange, verdicts, findings };
}
