import rule from '../../../src/rules/requests/request-id-present.js';
import { REQUEST_ID } from '../../builders.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'it is there' },
    {
      name: 'in other letters',
      call: { headers: { 'X-Request-ID': undefined, 'x-request-id': REQUEST_ID } },
    },
  ],
  violates: [
    { name: 'absent', call: { headers: { 'X-Request-ID': undefined } }, finds: [{ actual: 'absent' }] },
    { name: 'empty', call: { headers: { 'X-Request-ID': '' } }, finds: [{ actual: 'empty' }] },
  ],
  notApplicable: [
    { name: 'the token endpoint', call: { operation: 'oauth.token', form: {} } },
    { name: 'authorize', call: { operation: 'oauth.authorize' } },
    { name: 'discovery', call: { operation: 'oauth.discovery' } },
    { name: 'the simulation', call: { operation: 'notifications.simulate', body: {} } },
  ],
});
