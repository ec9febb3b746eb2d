/** Which versions of Node run the program. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFault } from '../../../src/app/engine/index.js';

it.each(['22.14.0', '22.20.1', '23.0.0', '24.21.0', '100.0.0'])('Node %s is new enough', (version) => {
  expect(nodeFault(version)).toBeUndefined();
});

it.each(['22.13.1', '21.7.0', '20.20.2', '9.0.0'])('Node %s is refused with one sentence', (version) => {
  expect(nodeFault(version)).toBe(`Sandgate needs Node 22.14 or newer; this is Node ${version}.`);
});

it('the oldest Node is that of package.json', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(nodeFault('0.0.0')).toContain(engines.node.replace('>=', 'Node '));
});
