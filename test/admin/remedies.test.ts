/** What an operator is told to do about a call that failed on its way. */
import { expect, it } from 'vitest';
import { remedyOf } from '../../src/admin/exchanges/remedies.js';
import { anExchange } from '../builders.js';

it.each<readonly [name: string, status: number, remedy: RegExp | null]>([
  ['a body beyond the limit of the gateway', 413, /--limits-body .* bank was not asked/],
  ['broken HTTP, whose answer says what to send', 400, null],
  ['a bank that could not be reached', 502, /sandgate doctor/],
])('says what helps with %s', (_name, status, remedy) => {
  const exchange = anExchange({ answer: { status, source: 'gateway' } });
  const said = remedyOf({ ...exchange, fault: { kind: 'too-large', message: 'It was so.' } });
  if (remedy === null) expect(said).toBeNull();
  else expect(said).toMatch(remedy);
});
