/** What the log says while the bank is dead. */
import { expect, it } from 'vitest';
import { createBankLog } from '../../../src/app/gateway/failure-logs.js';

it('a dead bank is warned of at once, then once a minute with the cause and how many calls failed between', () => {
  const said: object[] = [];
  let now = 0;
  const note = (facts: object) => void said.push(facts);
  const log = { info: note, warn: note, error: note, debug: note };
  const failed = createBankLog({ log, clock: () => now });
  const refused = {
    kind: 'refused',
    message: 'The bank (bank.example:443) refused the connection.',
  } as const;
  const gone = { kind: 'client-gone', message: 'The client went away.' } as const;
  for (now = 0; now < 119_000; now += 1_000) {
    failed(refused);
    failed(gone);
  }
  expect(said).toEqual([
    { cause: refused.message, failedBefore: 0 },
    { cause: refused.message, failedBefore: 59 },
  ]);
});
