/** What a bank is sent again only where that is asked for. */
import { expect, it } from 'vitest';
import { isWrite } from '../../../src/app/rerun/reasons.js';
import { OPERATION_IDS } from '../../../src/spec/index.js';
import { aCall } from '../../builders.js';

const READS = /\.(read|status|list|balances|transactions|discovery)$|^funds-confirmations/;

it.each(OPERATION_IDS)('%s may change something, or is a read or a question', (operation) => {
  expect(isWrite(aCall({ operation }))).toBe(!READS.test(operation));
});

it.each([
  ['a read with a body', aCall({ body: { a: 1 } })],
  ['a read that may be taken for a deletion', aCall({ headers: { 'X-HTTP-Method-Override': 'DELETE' } })],
  ['what is no operation, by whatever method', aCall({ target: '/other' }).with({ operation: null })],
])('%s may change something', (_name, call) => {
  expect(isWrite(call)).toBe(true);
});
