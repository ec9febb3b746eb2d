/**
 * The table of mutations under each bank profile that comes with the program: the same calls at the paths of that bank,
 * judged by its profile. A profile may leave out what its bank does otherwise, and nothing else.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankProfileNames } from '../../src/app/built.js';
import { type Config, createOfflineJudge, judgeRecording, loadConfig } from '../../src/app/index.js';
import { createFingerprint, through } from '../../src/exchange/index.js';
import { readRecording } from '../../src/exchange/recording/index.js';
import { type Dialect, dialectOf, type OperationId, operationRow } from '../../src/spec/index.js';
import { BLOCKED_TPP } from './certificates.js';
import { JOURNEY_NAMES, type JourneyName } from './journeys.js';
import { bare, har, type Live, NEEDS_CLEAR } from './judged-again.js';
import { LEFT_OUT } from './left-out.js';
import { openStage, type Stage } from './play.js';
import { MUTATIONS, type Mutation } from './table.js';

const HERE = dialectOf();
const METHODS = ['GET', 'POST', 'DELETE'];
const PATHS = /\/(?:internal\/)?stdgroup\/[^\s"'?#&\\]*/g;

/** Whoever writes the paths of one bank as those of another, in whatever text. */
function translator(there: Dialect): (text: string) => string {
  const base = there
    .pathOf('payments.create', { paymentService: '-', paymentProduct: '-' })
    .replace('/-/-', '');
  const known = new Map<string, string>();
  const moved = (path: string): string => {
    for (const method of METHODS) {
      const found = HERE.recognise(method, path);
      if (found.kind === 'operation' && there.offers(found.operation))
        return there.pathOf(found.operation, found.params);
    }
    return path.replace('/stdgroup/v1', base);
  };
  return (text) =>
    text.replace(PATHS, (path) => {
      const before = known.get(path) ?? moved(path);
      known.set(path, before);
      return before;
    });
}

/** Whoever tells how often each rule for TPPs was broken, in a journey at the bank that the configuration names. */
function judgeAt(config: Config): (text: string) => ReadonlyMap<string, number> {
  const segment = '"segment":"stdgroup"';
  const atBank = `${segment},"bankProfile":${JSON.stringify(config.bankProfile)}`;
  const fingerprint = createFingerprint(createHash('sha256').update('banks').digest());
  return (text) => {
    const recording = readRecording(text.replace(segment, atBank));
    const judge = createOfflineJudge(config, {
      fingerprint,
      today: '2026-01-01',
      dialect: recording.dialect,
      origins: recording.origins,
      foreign: false,
    });
    const broken = new Map<string, number>();
    for (const { findings } of through(recording.records, judgeRecording({ judge, fingerprint })))
      for (const { rule } of findings) broken.set(rule, (broken.get(rule) ?? 0) + 1);
    return broken;
  };
}

const ALL = Object.values(MUTATIONS)
  .flat()
  .filter(([, , , , , only]) => only !== 'production');

/** A journey as it was played, and the operations where the rule of the change was broken. */
interface PlayedText {
  readonly text: string;
  readonly at: readonly (OperationId | null)[];
}

describe('the table of mutations', () => {
  let stage: Stage;
  const played = new Map<Mutation | JourneyName, PlayedText>();
  beforeAll(async () => {
    stage = await openStage('sandbox');
    const operations = new Map<JourneyName, readonly (OperationId | null)[]>();
    for (const what of [...JOURNEY_NAMES, ...ALL]) {
      const [name, journey, step, change, rule] = typeof what === 'string' ? ([what, what] as const) : what;
      const { records } = await stage.play(journey, step, change);
      const live: Live = { name, unseen: false, gateway: stage.gatewayOf(journey), records };
      if (typeof what === 'string')
        operations.set(
          what,
          records.map(({ exchange }) => exchange.call.operation),
        );
      const at = records.flatMap(({ exchange: { call }, findings }, i) =>
        findings.some((finding) => finding.rule === rule)
          ? [call.operation ?? operations.get(journey)?.[i] ?? null]
          : [],
      );
      played.set(what, { text: har(live, bare), at });
    }
  });
  afterAll(() => stage.close());

  it.each(bankProfileNames())('loses nothing under %s but what its bank does otherwise', (name) => {
    const flags = { blockedOrganisations: [BLOCKED_TPP], bankProfile: name };
    const { config } = loadConfig({ flags, env: {} });
    const dialect = dialectOf(config.bankProfile);
    const translate = translator(dialect);
    const judge = judgeAt(config);
    const brokenAt = (what: Mutation | JourneyName) => judge(translate(played.get(what)?.text ?? ''));
    const right = new Map(JOURNEY_NAMES.map((journey) => [journey, brokenAt(journey)]));
    /** Whether the bank has what the call is about. */
    const isThere = (mutation: Mutation): boolean => {
      const product = mutation[1] === 'cross-border' ? 'cross-border-payments' : 'sepa-credit-transfers';
      return (played.get(mutation)?.at ?? []).some(
        (operation) =>
          operation !== null &&
          dialect.offers(operation) &&
          (operationRow(operation).group !== 'payments' ||
            dialect.productOf('payments', product) !== undefined),
      );
    };
    const lost = ALL.filter((mutation) => {
      const [, journey, , , rule] = mutation;
      if (NEEDS_CLEAR.has(rule) || !isThere(mutation)) return false;
      return (brokenAt(mutation).get(rule) ?? 0) <= (right.get(journey)?.get(rule) ?? 0);
    }).map(([, , , , rule]) => rule);
    expect([...new Set(lost)].sort()).toEqual(Object.keys(LEFT_OUT[name] ?? {}).sort());
  });
});
