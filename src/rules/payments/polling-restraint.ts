import { keyOf, ownerOf, usesOf } from '../../ledger/index.js';
import { defineRule, violation } from '../rule.js';

const PAUSE_MS = 1_000;

export default defineRule({
  id: 'payments/polling-restraint',
  statement: 'Payment status is read at most once a second',
  sources: ['practice'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: ['payments.status'],
  why: 'Banks slow down or block clients that ask all the time.',
  fix: 'Wait a second or more between two reads, and longer each time.',
  examples: { complies: 'two reads two seconds apart', violates: 'two reads 200 ms apart' },
  check: ({ call, ledger }) => {
    const owner = ownerOf(call);
    if (owner === null) return 'not-observed';
    const key = keyOf.resource(owner, call.params.paymentId ?? '');
    const reads = [ledger.polls.get(key), usesOf(ledger, keyOf.use('poll', key)).at(-1)];
    const readAt = Math.max(...reads.map((read) => read?.at ?? Number.NEGATIVE_INFINITY));
    const pause = call.at - readAt;
    // A read long after this one: the clock was set back since.
    if (Math.abs(pause) >= PAUSE_MS) return true;
    const actual = `a payment whose status was read ${Math.max(0, pause)} ms before`;
    return violation('path paymentId', 'one that was not read within the last second', actual);
  },
});
