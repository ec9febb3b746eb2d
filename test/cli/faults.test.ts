/** `sandgate faults`: lists and changes the faults of a gateway that runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../e2e/child.js';
import { started } from '../e2e/harness.js';
import { sandgate } from './run-command.js';

it('faults are added from JSON or a file, listed, removed and cleared', async () => {
  const { urls } = await started();
  const faults = (...words: string[]) => sandgate(['faults', ...words, '--admin', urls.admin]);
  expect((await faults()).out).toBe('No faults: calls meet fair weather.\n');
  const added = await faults('add', '{"id":"slow","count":3,"do":{"kind":"delay","ms":500}}');
  expect(added.out).toMatch(/^slow\s+delay ms=500\s+all calls\s+3 times\s+0$/m);
  const file = join(temporaryFolder(), 'faults.json');
  writeFileSync(
    file,
    JSON.stringify([
      { id: 'a', do: { kind: 'hang' } },
      { id: 'b', do: { kind: 'reset' } },
    ]),
  );
  expect((await faults('add', file)).out).toMatch(/^b\s+reset\s+all calls/m);
  expect((await faults('remove', 'a')).out).not.toMatch(/^a /m);
  const wrong = await faults('remove', 'slo');
  expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('There is no fault slo')]);
  expect(JSON.parse((await faults('clear', '--json')).out)).toEqual([]);
});

it('the kinds of faults are listed without a gateway', async () => {
  const { out } = await sandgate(['faults', 'kinds']);
  expect(out).toMatch(/^transport\/delay\s+ms jitter=0\s+The answer is delayed/m);
  expect(JSON.parse((await sandgate(['faults', 'kinds', '--json'])).out).length).toBe(
    out.trim().split('\n').length - 1,
  );
});
