import rule from '../../../src/rules/payments/agent-is-bic.js';
import { fingerprint } from '../../builders.js';
import { CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const with_ = (creditorAgent: unknown) => paymentWith({ creditorAgent }, CROSS_BORDER);

testRule(rule, {
  complies: {
    COBADEFFXXX: { call: with_('COBADEFFXXX') },
    COBADEFF: { call: with_('COBADEFF') },
  },
  violates: {
    'small letters': {
      call: with_('cobadeff'),
      finds: [{ place: 'body creditorAgent', actual: 'cobadeff' }],
    },
    'a bank code': { call: with_('37040044') },
    'ten characters': { call: with_('COBADEFFXX') },
  },
  notApplicable: {
    none: { call: paymentWith({}) },
    'one that is hidden': { call: with_(fingerprint('x')) },
  },
});
