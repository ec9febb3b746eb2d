import rule from '../../../src/rules/requests/headers-of-the-bank.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const bank = {
  headers: {
    required: { 'PSU-ID': ['consents.create'], Date: ['accounts.*'], 'X-Request-ID': ['*'] },
    forbidden: { 'PSU-Corporate-ID': ['consents.*'] },
  },
};
const withHeaders = (headers: Record<string, string>) => consentWith({}, { headers });
const TOKEN_FIRST = { sca: { oauth: 'before' as const } };

testRule(rule, {
  complies: {
    'what it requires': { bank, call: withHeaders({ 'PSU-ID': 'anton' }) },
    'the token that comes first': { bank: TOKEN_FIRST, call: withHeaders({ Authorization: 'Bearer t' }) },
  },
  violates: {
    'nothing of it': {
      bank,
      call: consentWith({}),
      finds: [{ place: 'header PSU-ID', expected: 'a value', actual: 'absent' }],
    },
    'an empty one': { bank, call: withHeaders({ 'PSU-ID': '' }), finds: [{ actual: 'empty' }] },
    'one that it forbids': {
      bank,
      call: withHeaders({ 'PSU-ID': 'anton', 'PSU-Corporate-ID': 'c' }),
      finds: [{ place: 'header PSU-Corporate-ID', actual: 'PSU-Corporate-ID' }],
    },
    'none at a read': { bank, call: { operation: 'accounts.list' }, finds: [{ place: 'header Date' }] },
    'no token where it comes first': {
      bank: TOKEN_FIRST,
      call: consentWith({}),
      finds: [{ place: 'header Authorization' }],
    },
  },
  notApplicable: {
    'an operation of which it says nothing': {
      bank: { headers: { required: { 'PSU-ID': ['payments.create'] } } },
      call: consentWith({}),
    },
    'the built-in interface': { call: consentWith({}) },
    'a token that reads can do without': {
      bank: { sca: { oauth: 'before' }, access: { bearer: 'optional' } },
      call: consentWith({}),
    },
    'headers that rules of their own ask for': {
      bank: {
        headers: { required: { 'TPP-Redirect-URI': ['*'], 'PSU-IP-Address': ['*'], 'X-Request-ID': ['*'] } },
      },
      call: consentWith({}, { headers: { 'X-Request-ID': undefined } }),
    },
  },
});
