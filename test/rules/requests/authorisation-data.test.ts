import rule from '../../../src/rules/requests/authorisation-data.js';
import { fingerprint } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const bank = {
  paths: { offers: ['consents.authorisations.update' as const] },
  sca: { steps: ['authentication' as const, 'selection' as const, 'authorisation' as const] },
};
const put = (body: unknown, headers = {}) => ({
  bank,
  call: { operation: 'consents.authorisations.update' as const, body, headers },
});
const start = (body?: unknown) => ({
  bank,
  call: { operation: 'consents.authorisations.create' as const, ...(body === undefined ? {} : { body }) },
});

testRule(rule, {
  complies: {
    'a password': put({ psuData: { password: 'secret' } }),
    'an encrypted one': put({ psuData: { encryptedPassword: 'e' } }),
    'a method': put({ authenticationMethodId: '901' }),
    'a code': put({ scaAuthenticationData: '123456' }),
    'a code that is stored as a fingerprint': put({ scaAuthenticationData: fingerprint('123456') }),
    'the PSU in a header': put({}, { 'PSU-ID': 'anton' }),
    'a start without body': start(),
    'a start without data': start({}),
    'a start with a password': start({ psuData: { password: 'secret' } }),
  },
  violates: {
    'another member': {
      ...put({ tan: '123456' }),
      finds: [{ place: 'body', actual: 'a body without any of these' }],
    },
    'no body': { ...put(undefined), finds: [{ actual: 'no body' }] },
    'a number, which is not told': {
      ...put({ scaAuthenticationData: 123456 }),
      finds: [{ place: 'body scaAuthenticationData', actual: 'a number' }],
    },
    'an empty code': { ...put({ scaAuthenticationData: '' }), finds: [{ actual: 'an empty string' }] },
    'two steps at once': {
      ...put({ authenticationMethodId: '901', scaAuthenticationData: '123456' }),
      finds: [{ place: 'body scaAuthenticationData', actual: 'a member beside authenticationMethodId' }],
    },
    'a step that this bank does not take': {
      ...put({ confirmationCode: '1' }),
      finds: [{ place: 'body confirmationCode', actual: 'confirmation' }],
    },
    'a null password in a start': { ...start({ psuData: { password: '' } }) },
  },
  notApplicable: {
    'the built-in interface': { call: { operation: 'consents.authorisations.create', body: { tan: 1 } } },
    'a body of another type, which requests/content-type names': {
      bank,
      call: {
        operation: 'consents.authorisations.update',
        body: 'tan=1',
        headers: { 'Content-Type': 'text/plain' },
      },
    },
  },
});
