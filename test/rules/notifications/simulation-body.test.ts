import rule from '../../../src/rules/notifications/simulation-body.js';
import { simulationWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'all three': { call: simulationWith({}) },
    'a host that is not allowed, which another rule judges': {
      call: simulationWith({ tppNotificationUri: 'https://example.com/' }),
    },
  },
  violates: {
    'no payment id': {
      call: simulationWith({ paymentId: undefined }),
      finds: [{ place: 'body paymentId', actual: 'absent' }],
    },
    'a relative address': {
      call: simulationWith({ tppNotificationUri: '/notify' }),
      finds: [{ place: 'body tppNotificationUri', actual: '/notify' }],
    },
    'another scheme': { call: simulationWith({ tppNotificationUri: 'file:///etc/passwd' }) },
    'an unknown status': {
      call: simulationWith({ status: 'DONE' }),
      finds: [{ place: 'body status', actual: 'DONE' }],
    },
    'a status that banks use, but the specification does not list': {
      call: simulationWith({ status: 'ACCC' }),
      finds: [{ place: 'body status', actual: 'ACCC' }],
    },
    'an empty status': { call: simulationWith({ status: '' }), finds: [{ place: 'body status' }] },
    'a word that every object knows': { call: simulationWith({ status: 'toString' }) },
    'a status that is a number': {
      call: simulationWith({ status: 1 }),
      finds: [{ place: 'body status', expected: 'a string' }],
    },
    'no body': {
      call: { operation: 'notifications.simulate' },
      finds: [{ place: 'body', actual: 'no body' }],
    },
  },
  notApplicable: { 'another call': { call: { operation: 'consents.create' } } },
});
