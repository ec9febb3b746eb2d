import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'answers/sca-approach',
  statement:
    "ASPSP-SCA-Approach, if sent, is an approach of the bank's profile: EMBEDDED, DECOUPLED or REDIRECT",
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ creates, method }) => creates !== null || method === 'PUT',
  isAsked: ({ dialect }) => dialect.profile?.sca?.approaches !== undefined,
  needs: ['bank-success'],
  why: 'The TPP decides by it what to do next: send the PSU away, ask it for a code, or wait.',
  fix: 'Send the approach that the authorisation takes, in capitals. OAuth is a REDIRECT.',
  examples: { complies: 'ASPSP-SCA-Approach: EMBEDDED', violates: 'ASPSP-SCA-Approach: embedded' },
  check: ({ answer, options: { dialect } }) => {
    const approach = answer.header['aspsp-sca-approach'];
    if (approach === undefined) return 'not-applicable';
    const known = [...dialect.approaches].map((one) => (one === 'oauth' ? 'REDIRECT' : one.toUpperCase()));
    return (
      known.includes(approach) ||
      violation('answer header ASPSP-SCA-Approach', [...new Set(known)].join(' or '), approach || 'empty')
    );
  },
});
