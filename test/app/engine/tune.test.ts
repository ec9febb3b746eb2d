/** What V8 is told by a process that answers calls, or reads a whole recording. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Answers calls of a kind: each makes garbage, and some of it lives on for a moment. Tells the largest size in MB. */
const BUSY = `
  const { getHeapSpaceStatistics } = await import('node:v8');
  const engine = await import(process.argv[1]);
  engine[process.argv[2]]();
  let [largest, underWay] = [0, []];
  for (let turn = 0; turn < 400; turn++) {
    for (let i = 0; i < 10_000; i++) underWay.push({ i, call: [i, turn] });
    if (underWay.length > 50_000) underWay = [];
    await new Promise(setImmediate);
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    largest = Math.max(largest, young.space_size / 1_048_576);
  }
  console.log(largest);
`;

it.each(['tuneEngine', 'spareMemory'])('by %s the young generation grows to 32 MB and no further', (tune) => {
  const engine = new URL('../../../dist/app/engine/index.js', import.meta.url).href;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', BUSY, engine, tune], {
    encoding: 'utf8',
  });
  expect(Number(said)).toBe(32);
});
