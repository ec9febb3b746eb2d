import rule from '../../../src/rules/payments/agent-is-bic.js';
import { fingerprint } from '../../builders.js';
import { CROSS_BORDER, paymentWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const with_ = (creditorAgent: unknown) => paymentWith({ creditorAgent }, CROSS_BORDER);

testRule(rule, {
  complies: [
    { name: 'COBADEFFXXX', call: with_('COBADEFFXXX') },
    { name: 'COBADEFF', call: with_('COBADEFF') },
  ],
  violates: [
    {
      name: 'small letters',
      call: with_('cobadeff'),
      finds: [{ place: 'body creditorAgent', actual: 'cobadeff' }],
    },
    { name: 'a bank code', call: with_('37040044') },
    { name: 'ten characters', call: with_('COBADEFFXX') },
  ],
  notApplicable: [
    { name: 'none', call: paymentWith({}) },
    { name: 'one that is hidden', call: with_(fingerprint('x')) },
  ],
});
