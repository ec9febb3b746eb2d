import rule from '../../../src/rules/requests/request-id-present.js';
import { REQUEST_ID } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'it is there': {},
    'in other letters': { call: { headers: { 'X-Request-ID': undefined, 'x-request-id': REQUEST_ID } } },
  },
  violates: {
    absent: { call: { headers: { 'X-Request-ID': undefined } }, finds: [{ actual: 'absent' }] },
    empty: { call: { headers: { 'X-Request-ID': '' } }, finds: [{ actual: 'empty' }] },
  },
  notApplicable: {
    'the token endpoint': { call: { operation: 'oauth.token', form: {} } },
    authorize: { call: { operation: 'oauth.authorize' } },
    discovery: { call: { operation: 'oauth.discovery' } },
    'the simulation': { call: { operation: 'notifications.simulate', body: {} } },
  },
});
