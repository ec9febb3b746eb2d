/** Which steps a session has, where several gateways noted them. */
import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../../src/app/sessions/session-notes.js';
import type { StepNote } from '../../../src/exchange/index.js';
import { createNotePlaces } from '../../../src/exchange/recording/file-steps.js';
import type { PlacedStep, SessionInfo } from '../../../src/store/index.js';
import { anExchange } from '../../builders.js';

const step = (at: number, action: string): StepNote => ({
  ...{ at, kind: 'bank', settings: { action, name: 'one', step: at } },
});
const placed = (note: StepNote, ...before: string[]): PlacedStep => ({ note, before });
const [taken, back] = [step(1, 'snapshot'), step(2, 'restore')];

describe('a step that two gateways noted', () => {
  it('stands where it was noted first, before what came behind it', async () => {
    const steps = [placed(taken, 'A'), placed(back, 'B'), placed(taken, 'C')];
    const session = { name: 'one', notes: steps.map(({ note }) => note) } as unknown as SessionInfo;
    expect(await stepsOf({ chains: { steps: async () => steps } }, session, new Map())).toEqual(
      steps.slice(0, 2),
    );
  });

  it('is written into a file once', () => {
    const places = createNotePlaces();
    const exchange = anExchange({});
    for (const steps of [[taken], [back], []]) places.take({ exchange, steps });
    expect(places.of([taken, back, taken])).toEqual([
      { ...taken, behind: 0 },
      { ...back, behind: 1 },
    ]);
  });
});
