/** Which versions of Node run the program. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFault } from '../../../src/app/engine/index.js';

it.each(['22.14.0', '22.20.1', '23.6.0', '24.21.0', '100.0.0'])('Node %s is new enough', (node) => {
  expect(nodeFault({ node, napi: '10' })).toBeUndefined();
});

it('the Node that runs this test is new enough', () => {
  expect(nodeFault(process.versions)).toBeUndefined();
});

it.each(['22.13.1', '21.7.0', '20.20.2', '9.0.0'])('Node %s is refused with one sentence', (node) => {
  expect(nodeFault({ node, napi: '9' })).toBe(`Sandgate needs Node 22.14 or newer; this is Node ${node}.`);
});

it.each([
  ['23.0.0', '9'],
  ['23.5.0', '9'],
  ['24.0.0', undefined],
])('Node %s, newer than the oldest one but with Node-API %s, is refused with one sentence', (node, napi) => {
  expect(nodeFault(napi === undefined ? { node } : { node, napi })).toBe(
    `Sandgate needs a Node with Node-API 10: 22.14 to 22.x, or 23.6 and newer; this is Node ${node}.`,
  );
});

it('the oldest Node is that of package.json', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(nodeFault({ node: '0.0.0' })).toContain(engines.node.replace('>=', 'Node '));
});
