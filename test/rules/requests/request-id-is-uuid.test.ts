import rule from '../../../src/rules/requests/request-id-is-uuid.js';
import { REQUEST_ID } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const id = (value: string) => ({ headers: { 'X-Request-ID': value } });

testRule(rule, {
  complies: [
    { name: 'version 4' },
    { name: 'version 7', call: id('01890a5d-ac96-774b-bcce-b302099a8057') },
    { name: 'version 1 in capitals', call: id('6BA7B810-9DAD-11D1-80B4-00C04FD430C8') },
  ],
  violates: [
    { name: 'a number', call: id('12345'), finds: [{ place: 'header X-Request-ID', actual: '12345' }] },
    { name: 'without hyphens', call: id('99391c7ead8849eca2ad99ddcb1f7721') },
    {
      name: 'two of them',
      call: {
        headerList: [
          ['X-Request-ID', REQUEST_ID],
          ['X-Request-ID', REQUEST_ID],
        ],
      },
    },
  ],
  notApplicable: [
    { name: 'absent', call: { headers: { 'X-Request-ID': undefined } } },
    {
      name: 'the token endpoint',
      call: { operation: 'oauth.token', form: {}, headers: { 'X-Request-ID': 'x' } },
    },
  ],
});
