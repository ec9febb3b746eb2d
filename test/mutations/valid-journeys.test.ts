/** A complete valid journey of each kind has no finding, of TPP or bank, under either profile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../src/rules/index.js';
import { JOURNEY_NAMES, JOURNEYS } from './journeys.js';
import { openStage, type Stage } from './play.js';

describe.each(['sandbox', 'production'] as const satisfies Profile[])('under profile %s', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(profile);
  });
  afterAll(() => stage.close());

  it.each(JOURNEY_NAMES)('the valid journey “%s” is made to its end and has no finding', async (name) => {
    const { findings, notes, records } = await stage.play(name);
    expect(
      [...findings, ...notes].map(({ step, rule, place, actual }) => `${step}: ${rule}, ${place}: ${actual}`),
    ).toEqual([]);
    const calls = records.filter(({ exchange }) => exchange.call.listener !== 'callback');
    expect(calls).toHaveLength(JOURNEYS[name].steps.length);
    for (const { exchange } of records) expect(exchange.answer?.status).toBeLessThan(400);
  });
});
