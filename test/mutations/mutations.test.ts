/** One change of a valid journey, one finding: of the rule that the change offends, and of no other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeRecording } from '../../src/app/index.js';
import { type Profile, RULES } from '../../src/rules/index.js';
import { type Found, openStage, type Stage } from './play.js';
import { RIGHT } from './right.js';
import { MUTATIONS } from './table.js';

const PROFILES = ['sandbox', 'production'] as const satisfies Profile[];
const ALL = Object.values(MUTATIONS).flat();

/** Rules that no row of the table offends, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'certificate/tls-version':
    'The gateway offers no cipher without forward secrecy that a client could choose: changed in a recording, below.',
};

describe.each(PROFILES)('under profile %s', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(profile);
  });
  afterAll(() => stage.close());

  describe.each(Object.entries(MUTATIONS))('a change of %s is named by one rule', (_, mutations) => {
    const here = mutations.filter(([, , , , , only]) => only === undefined || only === profile);
    it.each(here.map(([name, journey, step, change, rule]) => ({ name, journey, step, change, rule })))(
      '$name ($journey, $step): $rule',
      async ({ journey, step, change, rule }) => {
        const { findings, notes } = await stage.play(journey, step, change);
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
});

const textOf = (found: readonly Found[]) =>
  found.map((one) => `${one.rule} at ${one.step}: ${one.place}, ${one.actual}`).join('\n');

describe.each(PROFILES)('a recording judged again under profile %s', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(profile);
  });
  afterAll(() => stage.close());

  it('names a connection without forward secrecy', async () => {
    const { records } = await stage.play('ais');
    const { app } = stage.gatewayOf('ais');
    const tls = { version: 'TLSv1.2', cipher: 'AES128-GCM-SHA256', resumed: false };
    const weak = records.map((record) => {
      const { call } = record.exchange;
      if (call.operation !== 'accounts.balances') return record;
      const connection = { ...call.connection, tls };
      return { ...record, exchange: { ...record.exchange, call: call.with({ connection }) } };
    });
    const judged = [...judgeRecording(weak, { judge: app.judge, fingerprint: app.fingerprint })];
    const found = judged.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'note');
    expect(found.map(({ rule, actual }) => [rule, actual])).toEqual([
      ['certificate/tls-version', 'TLSv1.2 with AES128-GCM-SHA256'],
    ]);
  });
});

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
