/**
 * One change of a valid journey, one finding: of the rule that the change offends, and of no other. Then the same traffic
 * judged again from the store, from a HAR and from a cassette: the same verdicts, but for what a file does not hold.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeRecording } from '../../src/app/index.js';
import { through } from '../../src/exchange/index.js';
import { type Profile, RULES } from '../../src/rules/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { judgeOptions } from '../builders.js';
import { JOURNEY_NAMES, type JourneyName } from './journeys.js';
import {
  bare,
  cassette,
  differences,
  foreignHar,
  fromFile,
  fromStore,
  har,
  type Live,
  NEEDS_CALLER,
  NEEDS_CLEAR,
  OTHERWISE_NAMED,
  type Rejudge,
  throughProxy,
  UNSEEN,
} from './judged-again.js';
import { type Found, openStage, type Played, type Stage } from './play.js';
import { RIGHT } from './right.js';
import { MUTATIONS, type Mutation } from './table.js';

const PROFILES = ['sandbox', 'production'] as const satisfies Profile[];
const ALL = Object.values(MUTATIONS).flat();

const named = ([name, journey, step, , rule]: Mutation) => ({ name, journey, step, rule });

/** Rules that no row of the table offends, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'certificate/tls-version':
    'The gateway offers no cipher without forward secrecy that a client could choose: changed in a recording, below.',
  ...Object.fromEntries(
    RULES.filter(({ judges, isAsked }) => judges === 'tpp' && isAsked?.(judgeOptions()) === false).map(
      ({ id }) => [id, 'Only the profiles of other banks ask for it: its own test has mistakes in it.'],
    ),
  ),
};

describe.each(PROFILES)('under profile %s', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(profile);
  });
  afterAll(() => stage.close());

  const played = new Map<Mutation | JourneyName, Live & Played>();
  /** Once, for whoever asks first: all of them before the first test would take as long as all tests. */
  async function play(what: Mutation | JourneyName): Promise<Live & Played> {
    const known = played.get(what);
    if (known !== undefined) return known;
    const [name, journey, step, change] = typeof what === 'string' ? ([what, what] as const) : what;
    const live = {
      name: step === undefined ? name : `${name} (${journey}, ${step})`,
      unseen: change !== undefined && ('cert' in change || UNSEEN.has(name)),
      gateway: stage.gatewayOf(journey),
      ...(await stage.play(journey, step, change)),
    };
    played.set(what, live);
    return live;
  }

  describe.each(Object.entries(MUTATIONS))('a change of %s is named by one rule', (_, mutations) => {
    const here = mutations.filter(([, , , , , only]) => only === undefined || only === profile);
    it.each(here.map((mutation) => ({ ...named(mutation), mutation })))(
      '$name ($journey, $step): $rule',
      async ({ mutation, rule }) => {
        const { findings, notes } = await play(mutation);
        // Of what is a note in this profile, a note and nothing else.
        const isNote = RULES.find(({ id }) => id === rule)?.severity[profile] === 'note';
        const told = isNote ? [...findings, ...notes] : findings;
        expect([...new Set(told.map((one) => one.rule))], textOf(told)).toEqual([rule]);
      },
    );
  });

  describe.each(Object.entries(RIGHT))('a client that is right is not blamed for %s', (_, rows) => {
    const here = rows.filter(([, , , , only]) => only === undefined || only === profile);
    it.each(here.map(([name, journey, step, change]) => ({ name, journey, step, change })))(
      '$name ($journey, $step)',
      async ({ journey, step, change }) => {
        const { findings, notes } = await stage.play(journey, step, change);
        const told = [...findings, ...notes];
        expect(told, textOf(told)).toEqual([]);
      },
    );
  });

  describe('a recording judged again', () => {
    const lives: Live[] = [];
    beforeAll(async () => {
      for (const what of [...JOURNEY_NAMES, ...ALL]) lives.push(await play(what));
    });

    it('names a connection without forward secrecy', async () => {
      const { records } = await play('ais');
      const { app } = stage.gatewayOf('ais');
      const tls = { version: 'TLSv1.2', cipher: 'AES128-GCM-SHA256', resumed: false };
      const weak = records.map((record) => {
        const { call } = record.exchange;
        if (call.operation !== 'accounts.balances') return record;
        const connection = { ...call.connection, tls };
        return { ...record, exchange: { ...record.exchange, call: call.with({ connection }) } };
      });
      const judged = [...through(weak, judgeRecording({ judge: app.judge, fingerprint: app.fingerprint }))];
      const found = judged.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'note');
      expect(found.map(({ rule, actual }) => [rule, actual])).toEqual([
        ['certificate/tls-version', 'TLSv1.2 with AES128-GCM-SHA256'],
      ]);
    });

    const compare = (of: readonly Live[], rejudge: Rejudge, mayMiss: (rule: string) => boolean) =>
      of.flatMap((live) => differences(live, rejudge(live, profile), mayMiss)).slice(0, 40);
    /** What a file holds of a journey does not depend on the profile: each change is in files under one of them, in turn. */
    const inFiles = () =>
      lives.filter((_, i) => i < JOURNEY_NAMES.length || i % PROFILES.length === PROFILES.indexOf(profile));

    it('a session of the store, with what was judged then, has the same verdicts and findings', () => {
      const rejudge = fromStore((record) => record);
      const findings = (records: readonly RecordedExchange[]) =>
        records.map((record) =>
          record.findings.map(({ rule, place, severity }) => [rule, place, severity].join()).sort(),
        );
      for (const live of lives) {
        const judged = rejudge(live, profile);
        expect(differences(live, judged, () => false)).toEqual([]);
        expect(findings(judged), live.name).toEqual(findings(live.records));
      }
    });

    it('a session of the store, judged from its traffic alone, has the same verdicts', () => {
      expect(compare(lives, fromStore(bare), (rule) => NEEDS_CLEAR.has(rule))).toEqual([]);
    });

    it('our own HAR has the same verdicts', () => {
      expect(
        compare(
          inFiles(),
          fromFile((live) => har(live, bare)),
          (rule) => NEEDS_CLEAR.has(rule),
        ),
      ).toEqual([]);
      expect(
        compare(
          inFiles(),
          fromFile((live) => har(live, (record) => record)),
          () => false,
        ),
      ).toEqual([]);
    });

    it('a cassette has the same verdicts', () => {
      expect(compare(inFiles(), fromFile(cassette), (rule) => NEEDS_CLEAR.has(rule))).toEqual([]);
    });

    /** Of each journey, what such a file holds of it, and that judged again. */
    const proxied = () => {
      again ??= inFiles()
        .map(throughProxy)
        .map((live) => [live, fromFile(foreignHar)(live, profile)]);
      return again;
    };
    let again: (readonly [Live, readonly RecordedExchange[]])[] | undefined;

    it('the HAR of a proxy has the same verdicts, but for those that need the certificate', () => {
      const mayMiss = (rule: string) =>
        rule.startsWith('certificate/') || NEEDS_CALLER.has(rule) || NEEDS_CLEAR.has(rule);
      const found = proxied()
        .filter(([{ unseen }]) => !unseen)
        .flatMap(([live, judged]) => differences(live, judged, mayMiss));
      expect(found.filter((line) => !line.endsWith(OTHERWISE_NAMED)).slice(0, 40)).toEqual([]);
    });

    it('the HAR of a proxy shows no fault where there was none, whatever it does not hold', () => {
      const faults = (records: readonly RecordedExchange[]) =>
        records.filter(({ findings }) => findings.some(({ severity }) => severity !== 'note')).length;
      for (const [live, judged] of proxied())
        expect(faults(judged), live.name).toBeLessThanOrEqual(faults(live.records));
    });
  });
});

const textOf = (found: readonly Found[]) =>
  found.map((one) => `${one.rule} at ${one.step}: ${one.place}, ${one.actual}`).join('\n');

describe('the table', () => {
  it('holds 120 changes or more, no two of them the same', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(120);
    const keys = ALL.map(([, journey, step, change, , profile]) =>
      JSON.stringify([journey, step, change, profile]),
    );
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  it('offends every rule for TPPs that is a must or should', () => {
    const offended = new Set(ALL.map(([, , , , rule]) => rule));
    const counts = ({ severity }: (typeof RULES)[number]) =>
      [severity.sandbox, severity.production].some((one) => one === 'must' || one === 'should');
    const untouched = RULES.filter((rule) => rule.judges === 'tpp' && counts(rule) && !offended.has(rule.id));
    expect(untouched.map(({ id }) => id)).toEqual(Object.keys(ELSEWHERE));
  });
});
