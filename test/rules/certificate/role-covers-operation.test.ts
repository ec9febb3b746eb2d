import rule from '../../../src/rules/certificate/role-covers-operation.js';
import { aCertificate, fingerprint, NOW, TPP } from '../../builders.js';
import { aLedger } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

const withRoles = (...roles: string[]) =>
  aCertificate({ roles: roles.map((role) => ({ oid: '1.2', name: role, role })) });
const exchange = (code: string, role: string) => ({
  operation: 'oauth.token' as const,
  form: { grant_type: 'authorization_code', code },
  certificate: withRoles(role),
});

testRule(rule, {
  complies: {
    'all roles': { call: { operation: 'consents.create', body: {} } },
    'PSP_AI for accounts': { call: { operation: 'accounts.list', certificate: withRoles('PSP_AI') } },
    'PSP_PI for payments': { call: { operation: 'payments.read', certificate: withRoles('PSP_PI') } },
    'PSP_IC for funds': {
      call: { operation: 'funds-confirmations.create', certificate: withRoles('PSP_IC') },
    },
    'any role for discovery': { call: { operation: 'oauth.discovery', certificate: withRoles('PSP_IC') } },
    'any role for the simulation': {
      call: { operation: 'notifications.simulate', body: {}, certificate: withRoles('PSP_PI') },
    },
    'a code whose scope is not known': { call: exchange('some-code', 'PSP_IC') },
    'the role of the scope of a code': { call: exchange('AIS_VALID_CODE', 'PSP_AI') },
  },
  violates: {
    'PSP_PI for accounts': {
      call: { operation: 'accounts.list', certificate: withRoles('PSP_PI') },
      finds: [{ place: 'certificate roles', expected: 'PSP_AI', actual: 'PSP_PI' }],
    },
    'PSP_AI for payments': {
      call: { operation: 'payments.create', body: {}, certificate: withRoles('PSP_AI') },
    },
    'no role for the token': {
      call: { operation: 'oauth.token', form: {}, certificate: withRoles() },
      finds: [{ expected: 'one of PSP_PI, PSP_AI, PSP_IC', actual: 'none' }],
    },
    'PSP_AS alone': { call: { operation: 'oauth.discovery', certificate: withRoles('PSP_AS') } },
    'a code of the sandbox for another service': {
      call: exchange('PIS_VALID_CODE', 'PSP_AI'),
      finds: [{ expected: 'PSP_PI' }],
    },
    'a code of another service': {
      call: exchange('the-code', 'PSP_PI'),
      ledger: aLedger({
        codes: { code: fingerprint('the-code'), tpp: TPP, scope: 'AIS:C', issuedAt: NOW, usedAt: null },
      }),
      finds: [{ expected: 'PSP_AI' }],
    },
    'a refresh token of another service': {
      call: {
        operation: 'oauth.token',
        form: { grant_type: 'refresh_token', refresh_token: 'r' },
        certificate: withRoles('PSP_PI'),
      },
      ledger: aLedger({
        refreshTokens: { token: fingerprint('r'), tpp: TPP, scope: 'AIS:C', issuedAt: NOW, replacedBy: null },
      }),
      finds: [{ expected: 'PSP_AI' }],
    },
    'discovery for an authorisation of another service': {
      call: { operation: 'oauth.discovery', query: 'authorizationId=a1', certificate: withRoles('PSP_PI') },
      ledger: aLedger({
        authorisations: {
          id: 'a1',
          tpp: TPP,
          scope: 'AIS:C',
          status: 'received',
          link: null,
          discoveryReadAt: null,
        },
      }),
    },
  },
  notApplicable: {
    'the path is unknown': { call: { target: '/nowhere' } },
    'there is no statement to read roles from': {
      call: { certificate: aCertificate({ encoding: 'absent', roles: [] }) },
    },
    'no certificate': { call: { certificate: 'absent' } },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
