import rule from '../../../src/rules/requests/request-id-is-uuid.js';
import { REQUEST_ID } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const id = (value: string) => ({ headers: { 'X-Request-ID': value } });

testRule(rule, {
  complies: {
    'version 4': {},
    'version 7': { call: id('01890a5d-ac96-774b-bcce-b302099a8057') },
    'version 1 in capitals': { call: id('6BA7B810-9DAD-11D1-80B4-00C04FD430C8') },
  },
  violates: {
    'a number': { call: id('12345'), finds: [{ place: 'header X-Request-ID', actual: '12345' }] },
    'without hyphens': { call: id('99391c7ead8849eca2ad99ddcb1f7721') },
    'two of them': {
      call: {
        headerList: [
          ['X-Request-ID', REQUEST_ID],
          ['X-Request-ID', REQUEST_ID],
        ],
      },
    },
  },
  notApplicable: {
    absent: { call: { headers: { 'X-Request-ID': undefined } } },
    'the token endpoint': { call: { operation: 'oauth.token', form: {}, headers: { 'X-Request-ID': 'x' } } },
  },
});
