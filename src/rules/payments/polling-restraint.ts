/** A TPP waits between two looks at a payment. */
import { ownerOf, paymentOf } from '../../ledger/index.js';
import { defineRule } from '../rule.js';

const PAUSE_MS = 1_000;

export default defineRule({
  id: 'payments/polling-restraint',
  statement: 'Payment status is read at most once a second',
  clauses: ['endpoint.payments.status'],
  sources: ['practice'],
  judges: 'tpp',
  severity: { sandbox: 'note', production: 'should' },
  scope: 'call',
  appliesTo: ['payments.status'],
  needs: [],
  refusal: null,
  why: 'Banks slow down or block clients that ask all the time.',
  fix: 'Wait a second or more between two reads, and longer each time.',
  examples: { complies: 'two reads two seconds apart', violates: 'two reads 200 ms apart' },
  check: ({ call, ledger }) => {
    const readAt = paymentOf(ledger, ownerOf(call), call.params.paymentId ?? '')?.statusReadAt;
    if (readAt === undefined) return 'not-observed';
    if (readAt === null) return true;
    const pause = call.at - readAt;
    if (pause >= PAUSE_MS) return true;
    return { place: 'path paymentId', expected: 'a pause of a second or more', actual: `${pause} ms` };
  },
});
