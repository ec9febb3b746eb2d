/** `sandgate rerun` as a function: a recording, a target, and what came of sending the one to the other. */
import {
  createFingerprint,
  type FileRecord,
  queryValue,
  quieten,
  redactExchange,
} from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { type FilterTree, matches, type RecordedExchange } from '../../store/index.js';
import { valuesGivenBy } from './learn.js';
import { deviationNoise, learnNoise, mergeNoise, type NoiseOf, noiseOf } from './noise.js';
import type { OperatorReport } from './operator-actions.js';
import { HELD_BACK, isWrite, reasonOfItsOwn, valuesUsedBy } from './reasons.js';
import { type CallOutcome, OUTCOMES, type RerunCall, type RerunReport } from './result.js';
import { createRunState, type PlannedCall, type RerunParts, type Run } from './run.js';
import { sendCalls } from './send-calls.js';
import { createSender } from './sender.js';
import { type FileRows, surveyRecording } from './survey.js';

const KEY_BYTES = 32;

export async function rerunRecording(parts: RerunParts): Promise<RerunReport> {
  const { source, system, timeout, signal, learn } = parts;
  const declared = [...parts.noise, ...deviationNoise(source.dialect.profile ?? {})];
  const { bytes } = system.chance;
  const survey = await surveyRecording(source.records());
  const use = await chooseUse(parts);
  const at = new Date(system.clock()).toISOString();
  const target = await parts.openTarget(survey);
  const sender = createSender({ ca: target.ca, timeout, signal });
  const recognise = source.dialect.recognise;
  const operators: OperatorReport = { repeated: {}, notRepeated: {}, reasons: [] };
  const run: Run = {
    ...parts,
    ...{ survey, use, target, sender, recognise, operators },
    writes: !target.real || parts.sendWrites,
    noiseOf: noiseOf(declared),
    state: createRunState(recognise, survey.clearVerifiers, bytes),
    fingerprint: createFingerprint(bytes(KEY_BYTES)),
    twins: [],
    requests: 0,
  };
  let sent: readonly RerunCall[];
  try {
    const plan = await planCalls(run);
    if (plan.some((call) => call.plan === 'hold back')) parts.onPlan?.(plan, target.name);
    sent = await sendCalls(run);
  } finally {
    sender.close();
    await target.close();
  }
  const learned = learn ? learnNoise(source.dialect, run.twins) : null;
  const noise = noiseOf(mergeNoise(declared, learned?.places ?? []));
  const calls = sent.map((call) => (call.differences.length === 0 ? call : quiet(call, noise)));
  refuseNothing(source.name, calls);
  const [recording, against, counts] = [source.name, target.name, countOutcomes(calls)];
  return { recording, against, at, calls, requests: run.requests, counts, operators, learned };
}

async function planCalls({ source, writes, use, fingerprint }: Run): Promise<PlannedCall[]> {
  const plan: PlannedCall[] = [];
  let index = 0;
  for await (const { exchange } of source.records()) {
    if (use(index++) === 'leave') continue;
    const { method, path } = redactExchange(exchange, fingerprint).call.request;
    const head = { number: index, method, path };
    const reason = reasonOfItsOwn(exchange);
    if (reason !== null) plan.push({ ...head, plan: 'skip', reason });
    else if (!writes && isWrite(exchange.call)) plan.push({ ...head, plan: 'hold back', reason: HELD_BACK });
    else plan.push({ ...head, plan: 'send' });
  }
  return plan;
}

async function chooseUse({ source, only }: RerunParts): Promise<Run['use']> {
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
