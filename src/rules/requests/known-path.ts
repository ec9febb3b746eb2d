import { operationRow } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { defineRule, violation } from '../rule.js';

const NEAREST = ' (the nearest)';
const OF_ROOT = 'a path of the interface: this is an API for TPPs, without a page';

export default defineRule({
  id: 'requests/known-path',
  statement: "The path is one of the specification's (the finding names the nearest one)",
  clauses: ['conventions.path', 'versioning.1', 'versioning.2', 'service.rule.2', 'errors.1'],
  appliesTo: 'all',
  refusal: { code: 'RESOURCE_UNKNOWN' },
  why: 'Nothing answers at this path: often a typing error, a missing version, or another segment.',
  fix: "Correct the path, or take it from the links in the bank's answers: all begin with /stdgroup/v1 of the API listener, but for authorize on the PSU listener.",
  examples: { complies: 'GET /stdgroup/v1/accounts', violates: 'GET /stdgroup/accounts' },
  remedyFor: (expected) => {
    if (!expected.endsWith(NEAREST)) return undefined;
    const nearest = expected.slice(0, -NEAREST.length);
    return { fix: `Call ${nearest}, or take the path from a link in the bank's answers.`, complies: nearest };
  },
  check: (context) => {
    const { call, options } = context;
    const { operation, request, listener } = call;
    if (operation === null) {
      if (options.dialect.isBesideStandard(request.method, request.path)) return true;
      if (call.allow !== undefined) return true;
      // A page of the bank's own, to which the PSU's browser is sent on.
      if (listener === 'psu' && call.nearest === undefined) return 'not-applicable';
      const near = (call.nearest ?? '') === '' ? 'a path of the interface' : `${call.nearest}${NEAREST}`;
      const expected = request.path === '/' ? OF_ROOT : near;
      return unlessGiven(context, [violation('path', expected, request.path)]);
    }
    // Without observed certificates, listeners are unknown too.
    const offered = operationRow(operation).listener;
    return (
      offered === listener ||
      call.certificate === 'not-observed' ||
      violation(
        'path',
        `a path of the ${listener} listener: this one is on the ${offered} listener`,
        request.path,
      )
    );
  },
});
