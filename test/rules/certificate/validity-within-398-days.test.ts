import rule from '../../../src/rules/certificate/validity-within-398-days.js';
import { aCertificate, NOW } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const DAY = 86_400_000;
const lasting = (ms: number, policies: string[] = []) => ({
  certificate: aCertificate({
    notBefore: new Date(NOW - DAY).toISOString(),
    notAfter: new Date(NOW - DAY + ms).toISOString(),
    policies,
  }),
});

testRule(rule, {
  complies: {
    'a year': { call: lasting(365 * DAY) },
    '398 days': { call: lasting(398 * DAY) },
  },
  violates: {
    'a second more': {
      call: lasting(398 * DAY + 1_000),
      finds: [{ place: 'certificate validity', actual: 'a little more than 398 days' }],
    },
    'two years': { call: lasting(730 * DAY), finds: [{ actual: '730 days' }] },
  },
  notApplicable: {
    'no certificate is presented': { call: { certificate: 'absent' } },
    'the browser of the PSU has none': { call: { operation: 'oauth.authorize' } },
    'two years, by the policy for PSD2': { call: lasting(730 * DAY, ['0.4.0.19495.3.1']) },
    'dates that are reversed': { call: lasting(-DAY) },
  },
  notObserved: { 'a recording without certificates': { call: { certificate: 'not-observed' } } },
});
