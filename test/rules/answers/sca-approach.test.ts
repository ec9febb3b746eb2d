import rule from '../../../src/rules/answers/sca-approach.js';
import { consentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const bank = { sca: { approaches: ['embedded' as const, 'oauth' as const] } };
const answered = (approach?: string) => ({
  bank,
  call: consentWith({}),
  answer: {
    status: 201,
    body: {},
    headers: approach === undefined ? {} : { 'ASPSP-SCA-Approach': approach },
  },
});

testRule(rule, {
  complies: { 'one of its approaches': answered('EMBEDDED'), 'OAuth, which redirects': answered('REDIRECT') },
  violates: {
    'one that it has not': {
      ...answered('DECOUPLED'),
      finds: [
        { place: 'answer header ASPSP-SCA-Approach', expected: 'EMBEDDED or REDIRECT', actual: 'DECOUPLED' },
      ],
    },
    'small letters': { ...answered('embedded') },
    'an empty one': { ...answered(''), finds: [{ actual: 'empty' }] },
  },
  notApplicable: {
    'no such header': answered(),
    'a bank of which no approaches are known': { ...answered('OTHER'), bank: {} },
  },
});
