/** The table of cells holds together: ids, steps, texts. */
import { describe, expect, it } from 'vitest';
import { CELLS, FAMILIES } from '../../src/rehearsal/cells/index.js';
import { readStep, stepsOf } from '../../src/rehearsal/steps.js';
import { SCA_SCENARIO_IDS } from '../../src/spec/index.js';
import { readFault } from '../../src/weather/index.js';

describe('the cells', () => {
  it('are more than 150, in twelve families, each by its own name', () => {
    expect(new Set(CELLS.map(({ id }) => id)).size).toBe(CELLS.length);
    expect(CELLS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(CELLS.map(({ family }) => family))).toEqual(new Set(FAMILIES));
    for (const { id, family } of CELLS) expect(id).toMatch(new RegExp(`^${family}/[a-z0-9-]+$`));
  });

  it('say what happens, where it was seen and what a sound application does, in sentences', () => {
    for (const { id, happens, seen, sound } of CELLS) {
      expect(happens, id).toMatch(/^[A-Z0-9].*\.$/);
      expect(sound, id).toMatch(/^[A-Z].*\.$/);
      expect(seen, id).toMatch(/[^.]$/);
    }
  });

  it('do something under their weather, and each of their steps can be read', () => {
    for (const cell of CELLS) {
      expect(cell.storm.length, cell.id).toBeGreaterThan(0);
      for (const step of stepsOf(cell)) {
        if (step.kind === 'action') expect(['link', 'pay', 'sync'], cell.id).toContain(step.action);
        if (step.kind === 'clock') expect(step.ms, cell.id).toBeGreaterThan(0);
      }
    }
  });

  it('have weather that the gateway knows', () => {
    for (const { id, weather } of CELLS)
      for (const fault of weather) expect(() => readFault({ id: 'f', ...fault }, 'fault'), id).not.toThrow();
  });

  it('take the PSU through all outcomes of the SCA, linking and paying', () => {
    const ends = CELLS.filter(({ family }) => family === 'sca').flatMap((cell) => stepsOf(cell));
    for (const action of ['link', 'pay'])
      expect(
        new Set(
          ends.flatMap((step) => (step.kind === 'action' && step.action === action ? [step.outcome] : [])),
        ),
      ).toEqual(new Set(SCA_SCENARIO_IDS));
  });
});

describe('a step', () => {
  it('is read as who does what, how often', () => {
    expect(readStep('link')).toEqual([
      { kind: 'action', action: 'link', times: 1, outcome: 'SCA_OK', leaves: false },
    ]);
    expect(readStep('pay SCA_NOK')).toMatchObject([{ action: 'pay', outcome: 'SCA_NOK' }]);
    expect(readStep('100 link')).toMatchObject([{ action: 'link', times: 100 }]);
    expect(readStep('link and leave')).toMatchObject([{ leaves: true }]);
    expect(readStep('clock 2h')).toEqual([{ kind: 'clock', ms: 7_200_000 }]);
    expect(readStep('bank revokes the consent')).toEqual([{ kind: 'bank', action: 'revokes the consent' }]);
    expect(readStep('sync daily 2').map(({ kind }) => kind)).toEqual(['clock', 'action', 'clock', 'action']);
  });
});
