/** The same traffic judged live, from the store, from a HAR and from a cassette: the same verdicts, but for what a file does not hold. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineJudge, judgeRecording, loadConfig } from '../../src/app/index.js';
import {
  buildCassette,
  buildHar,
  createFingerprint,
  type FileRecord,
  type FileRecording,
  readRecording,
} from '../../src/exchange/index.js';
import type { Profile } from '../../src/rules/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { BLOCKED_TPP } from '../mutations/certificates.js';
import { JOURNEY_NAMES } from '../mutations/journeys.js';
import { openStage, type Stage } from '../mutations/play.js';
import { MUTATIONS } from '../mutations/table.js';
import type { TestGateway } from './harness.js';

/** One journey as it was judged while it flowed. */
interface Live {
  readonly name: string;
  /** Of a mutation that a proxy's file cannot show: another certificate, another listener, the allow list. */
  readonly unseen: boolean;
  readonly records: readonly RecordedExchange[];
  readonly gateway: TestGateway;
}

type Rejudge = (live: Live, profile: Profile) => readonly RecordedExchange[];

/** Verdicts and findings are left out: everything must follow from the traffic. */
const bare = ({ exchange }: RecordedExchange): FileRecord => ({ exchange });

const fromStore =
  (keep: (record: RecordedExchange) => FileRecord): Rejudge =>
  ({ records, gateway: { app } }) => [
    ...judgeRecording(records.map(keep), { judge: app.judge, fingerprint: app.fingerprint }),
  ];

function fromFile(write: (live: Live) => string): Rejudge {
  return (live, profile) => {
    const text = write(live);
    const recording = readRecording(text);
    // As `sandgate check` does it: a key of the file's own.
    const fingerprint = createFingerprint(createHash('sha256').update(text).digest());
    const { config } = loadConfig({ flags: { profile, blockedOrganisations: [BLOCKED_TPP] }, env: {} });
    const judge = createOfflineJudge(config, {
      fingerprint,
      today: '2026-01-01',
      segment: recording.segment,
      origins: recording.origins,
      foreign: isForeign(recording),
    });
    return [...judgeRecording(recording.records, { judge, fingerprint })];
  };
}

const isForeign = ({ format, session }: FileRecording) => format === 'har' && session === undefined;

const har = ({ records, gateway }: Live, keep: (record: RecordedExchange) => FileRecord): string =>
  [
    ...buildHar(records.map(keep), {
      version: '0.0.0',
      session: 'test',
      segment: 'stdgroup',
      origins: [gateway.urls.api, gateway.urls.psu],
    }),
  ].join('');

/** The HAR of a proxy: without what only we write into one. */
function foreignHar(live: Live): string {
  return JSON.stringify(JSON.parse(har(live, bare)), (key, value) =>
    key === '_sandgate' ? undefined : value,
  );
}

/** What such a file holds of a journey: no callbacks, and nothing that is not of this interface. */
function throughProxy(live: Live): Live {
  const isSeen = ({ exchange: { call } }: RecordedExchange) =>
    call.listener !== 'callback' &&
    (call.operation !== null || call.allow !== undefined || call.request.path.startsWith('/stdgroup/v1/'));
  return { ...live, records: live.records.filter(isSeen) };
}

const cassette = ({ records, gateway }: Live): string =>
  [
    ...buildCassette(records.map(bare), {
      session: 'test',
      segment: 'stdgroup',
      origins: { api: gateway.urls.api, psu: gateway.urls.psu },
    }),
  ].join('');

/** That a consent is not the TPP's own cannot be seen there, but that the token is not the consent's. */
const OTHERWISE_NAMED = 'accounts/token-belongs-to-consent was n/a, is violated';
/** Mutations that look otherwise where listeners and the allow list of the gateway are not known. */
const UNSEEN = new Set(['authorize on the API listener', 'an address that is not allowed']);

/** What of the verdicts differs, as lines; `mayMiss`: where the file need not tell. */
function differences(
  live: Live,
  again: readonly RecordedExchange[],
  mayMiss: (rule: string) => boolean,
): string[] {
  if (again.length !== live.records.length)
    return [`${live.name}: ${live.records.length} exchanges became ${again.length}`];
  return live.records.flatMap((record, i) => {
    const other = again[i];
    const rules = new Set([...Object.keys(record.verdicts), ...Object.keys(other?.verdicts ?? {})]);
    return [...rules].flatMap((rule) => {
      const [then, now] = [record.verdicts[rule] ?? 'n/a', other?.verdicts[rule] ?? 'n/a'];
      if (then === now || (now === 'not-observed' && mayMiss(rule))) return [];
      return [`${live.name}, ${record.exchange.call.operation}: ${rule} was ${then}, is ${now}`];
    });
  });
}

/** Rules that need a value which is never written: a clear verifier. */
const NEEDS_CLEAR = new Set(['oauth/verifier-well-formed', 'oauth/verifier-matches-challenge']);
/** Rules that need to know who calls, beside those of the certificate. */
const NEEDS_CALLER = new Set([
  'accounts/consent-known',
  'accounts/consent-valid',
  'accounts/token-belongs-to-tpp',
  'accounts/token-known',
  'consents/known-to-tpp',
  'oauth/client-id',
  'oauth/refresh-token-belongs-to-tpp',
  'oauth/token-client-id',
  'payments/known-to-tpp',
]);

describe.each(['sandbox', 'production'] as const satisfies Profile[])('under profile %s', (profile) => {
  let stage: Stage;
  const lives: Live[] = [];
  beforeAll(async () => {
    stage = await openStage(profile);
    for (const name of JOURNEY_NAMES)
      lives.push({ name, unseen: false, gateway: stage.gatewayOf(name), ...(await stage.play(name)) });
    for (const [name, journey, step, change] of Object.values(MUTATIONS).flat()) {
      const { records } = await stage.play(journey, step, change);
      const unseen = 'cert' in change || UNSEEN.has(name);
      lives.push({
        name: `${name} (${journey}, ${step})`,
        unseen,
        gateway: stage.gatewayOf(journey),
        records,
      });
    }
  }, 120_000);
  afterAll(() => stage.close());

  const compare = (rejudge: Rejudge, mayMiss: (rule: string) => boolean) =>
    lives.flatMap((live) => differences(live, rejudge(live, profile), mayMiss)).slice(0, 40);

  it('a session of the store, with what was judged then, has the same verdicts and findings', () => {
    const rejudge = fromStore((record) => record);
    expect(compare(rejudge, () => false)).toEqual([]);
    for (const live of lives) {
      const findings = (records: readonly RecordedExchange[]) =>
        records.map((record) =>
          record.findings.map(({ rule, place, severity }) => [rule, place, severity].join()).sort(),
        );
      expect(findings(rejudge(live, profile)), live.name).toEqual(findings(live.records));
    }
  });

  it('a session of the store, judged from its traffic alone, has the same verdicts', () => {
    expect(compare(fromStore(bare), (rule) => NEEDS_CLEAR.has(rule))).toEqual([]);
  });

  it('our own HAR has the same verdicts', () => {
    expect(
      compare(
        fromFile((live) => har(live, bare)),
        (rule) => NEEDS_CLEAR.has(rule),
      ),
    ).toEqual([]);
    expect(
      compare(
        fromFile((live) => har(live, (record) => record)),
        () => false,
      ),
    ).toEqual([]);
  });

  it('a cassette has the same verdicts', () => {
    expect(compare(fromFile(cassette), (rule) => NEEDS_CLEAR.has(rule))).toEqual([]);
  });

  it('the HAR of a proxy has the same verdicts, but for those that need the certificate', () => {
    const mayMiss = (rule: string) =>
      rule.startsWith('certificate/') || NEEDS_CALLER.has(rule) || NEEDS_CLEAR.has(rule);
    const found = lives
      .filter(({ unseen }) => !unseen)
      .map(throughProxy)
      .flatMap((live) => differences(live, fromFile(foreignHar)(live, profile), mayMiss));
    expect(found.filter((line) => !line.endsWith(OTHERWISE_NAMED)).slice(0, 40)).toEqual([]);
  });

  it('the HAR of a proxy shows no fault where there was none, whatever it does not hold', () => {
    const faults = (records: readonly RecordedExchange[]) =>
      records.filter(({ findings }) => findings.some(({ severity }) => severity !== 'note')).length;
    for (const live of lives.map(throughProxy)) {
      const again = fromFile(foreignHar)(live, profile);
      expect(faults(again), live.name).toBeLessThanOrEqual(faults(live.records));
    }
  });
});
