import rule from '../../../src/rules/requests/no-body-on-read.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a GET without body': { call: { operation: 'accounts.list' } },
    'a DELETE without body': { call: { operation: 'consents.delete' } },
    'an empty one with its media type': {
      call: { operation: 'consents.read', body: '', headers: { 'Content-Length': '0' } },
    },
  },
  violates: {
    'a DELETE with an empty object': {
      call: { operation: 'consents.delete', body: {} },
      finds: [{ place: 'body', actual: '2 bytes' }],
    },
    'a GET with a text': { call: { operation: 'payments.status', body: 'null' } },
  },
  notApplicable: {
    'a POST': { call: { operation: 'consents.create', body: {} } },
    'a PUT': {
      bank: { paths: { offers: ['consents.authorisations.update'] } },
      call: { operation: 'consents.authorisations.update', body: {} },
    },
  },
});
