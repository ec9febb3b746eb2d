import { storedDigest } from '../../exchange/index.js';
import { digestOfCall, keyOf, ownerOf, usesOf } from '../../ledger/index.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/request-id-fresh',
  statement: 'X-Request-ID was not used before with another payload, consent or token',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ requestId }) => requestId,
  why: 'A bank that knows the id may repeat its first answer, or refuse the call.',
  fix: 'Make a new UUID for each request; keep it only when the very same request is sent again.',
  examples: {
    complies: 'the same id with the same request again',
    violates: 'the same id with another path, body, consent or token',
  },
  check: ({ call, ledger, fingerprint }) => {
    const id = call.header['x-request-id'];
    const owner = ownerOf(call);
    if (id === undefined || id === '' || owner === null) return 'not-applicable';
    const key = keyOf.requestId(owner, id);
    const first = ledger.requestIds.get(key) ?? usesOf(ledger, keyOf.use('id', key))[0];
    if (first === undefined) return true;
    if (first.digest === null) return 'not-observed';
    const digest = digestOfCall(call, fingerprint);
    if (digest === null) return 'not-observed';
    return (
      digest === first.digest ||
      storedDigest(digest) === storedDigest(first.digest) ||
      violation(
        'header X-Request-ID',
        'an id that no other request had',
        `${id}, used for another request at ${new Date(first.at).toISOString()}`,
      )
    );
  },
});
