import { expect } from 'vitest';
import rule from '../../../src/rules/requests/known-path.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a path of the table': {},
    'a path whose method is unknown': { call: { method: 'PATCH' } },
    'authorize, on the PSU listener': { call: { operation: 'oauth.authorize' } },
    'authorize in a recording that does not tell listeners': {
      call: { operation: 'oauth.authorize', listener: 'api', certificate: 'not-observed' },
    },
  },
  violates: {
    'no version': {
      call: { target: '/stdgroup/consents' },
      finds: [
        { place: 'path', expected: '/stdgroup/v1/consents (the nearest)', actual: '/stdgroup/consents' },
      ],
    },
    'a path that is like none': {
      call: { target: '/stdgroup/v1/signing-baskets' },
      finds: [{ place: 'path', expected: 'a path of the interface', actual: '/stdgroup/v1/signing-baskets' }],
    },
    'the root, to which no path is near': {
      call: { target: '/' },
      finds: [{ expected: 'a path of the interface: this is an API for TPPs, without a page', actual: '/' }],
    },
    'another segment': { call: { target: '/berlingroup/v1/accounts' } },
    'an account read on the PSU listener, which asks for no certificate': {
      call: { operation: 'accounts.list', listener: 'psu', certificate: 'absent' },
      finds: [{ expected: expect.stringContaining('api listener') }],
    },
  },
  notApplicable: {
    'a callback of the bank': { call: { target: '/notify', method: 'POST', listener: 'callback' } },
  },
});
