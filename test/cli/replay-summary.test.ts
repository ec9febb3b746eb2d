/** What a replay says when it stops. */
import { expect, it } from 'vitest';
import { renderReplaySummary } from '../../src/cli/announce.js';

it('the summary of a replay ends with the clients that nothing told apart', () => {
  const sentence = 'These 2 recordings of POST /consents (E1, E2) differ in nothing that a client sends.';
  const report = {
    ...{ recording: 'a.json', exchanges: 0, withoutCall: 0, daysShifted: 0 },
    ...{ used: [], unused: [], misses: 0, missed: [] },
  };
  const alone = renderReplaySummary({ ...report, undecided: [] });
  expect(renderReplaySummary({ ...report, undecided: [sentence] })).toBe(`${alone}\n${sentence}\n`);
});
