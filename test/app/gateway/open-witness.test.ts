/** What an operator reads where checkpoints cannot be handed on. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { openWitness } from '../../../src/app/gateway/evidence.js';
import { NOW } from '../../builders.js';

it('a checkpoint that cannot be delivered is one plain line, without the way through the program', async () => {
  const lines: unknown[] = [];
  const log = {
    info: () => {},
    error: () => {},
    debug: () => {},
    warn: (facts: object) => lines.push(facts),
  };
  const unsigned = { session: 's', of: 1, store: 'store', runs: [[1, 2]], head: 'ab' } as const;
  const left = [unsigned];
  const witness = openWitness(
    { checkpointTo: tmpdir(), timestampUrl: undefined },
    {
      ...{ log, clock: () => NOW, timer: { after: () => () => {} } },
      chance: { bytes: () => new Uint8Array(8), uuid: () => 'u', below: () => 0 },
    },
    { chains: { takeUnsigned: () => left.splice(0) }, append: () => {} },
    async () => 'signed',
  );
  await witness.close();
  expect(lines).toEqual([{ error: expect.stringContaining('EISDIR'), failedBefore: 0 }]);
});
