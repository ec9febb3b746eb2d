import { PAYMENT_TEXTS } from '../../spec/index.js';
import { clearTextIn, judgeEach } from '../checks/each-payment.js';
import { defineRule, type Violation, violation } from '../rule.js';

export default defineRule({
  id: 'payments/text-lengths',
  // The character set, a should in both profiles, is payments/text-characters: a rule has one severity.
  statement:
    'creditorName has at most 70 characters, endToEndIdentification 35, remittance 140, in the SEPA character set (set: should)',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Longer texts are cut or refused on their way, and the payee cannot match the payment.',
  fix: 'Shorten the text before sending; the limit counts characters, not bytes.',
  examples: {
    complies: '"endToEndIdentification":"INV-2026-000123"',
    violates: '"endToEndIdentification" of 36 characters',
  },
  check: ({ call }) =>
    judgeEach(call, ({ payment, at }) => {
      const violations: Violation[] = [];
      let judged = false;
      for (const [name, most] of PAYMENT_TEXTS) {
        const text = clearTextIn(payment, name);
        if (text === undefined) continue;
        judged = true;
        if (text.length <= most) continue;
        const length = [...text].length;
        if (length > most)
          violations.push(
            violation(`body ${at}${name}`, `at most ${most} characters`, `${length} characters`),
          );
      }
      return judged ? violations : 'not-applicable';
    }),
});
