/** The table of docs/faults.md that says what clients see of each fault. */
import { expect, it, onTestFinished } from 'vitest';
import { NODE_CLIENTS, seenBy } from '../../scripts/fault-clients.js';
import recorded from '../../scripts/fault-clients.json' with { type: 'json' };
import { startGateway } from '../../src/testing/index.js';
import { KIND_ROWS } from '../../src/weather/index.js';

it('says what undici and node:https see today', async () => {
  const gateway = await startGateway();
  onTestFinished(gateway.close);
  const inDocument = recorded.map(({ python: _, ...row }) => row);
  expect(await seenBy(gateway, NODE_CLIENTS)).toEqual(inDocument);
});

it('has every kind that meets a single read', () => {
  const ofReads = /^(?:transport|answer|done|content|certificate|limit)\//;
  const kinds = KIND_ROWS.map(({ kind }) => kind).filter((kind) => ofReads.test(kind));
  expect(new Set(recorded.map((row) => row.do.kind))).toEqual(new Set(kinds));
});
