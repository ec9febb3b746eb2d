import { isSepaText, PAYMENT_TEXTS } from '../../spec/index.js';
import { clearTextIn, judgeEach } from '../checks/each-payment.js';
import { defineRule, type Violation } from '../rule.js';

const FOREIGN = /[^A-Za-z0-9/\-?:().,'+ ]/gu;

export default defineRule({
  id: 'payments/text-characters',
  statement: 'creditorName, endToEndIdentification and remittance are in the SEPA character set',
  sources: ['BG'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  why: 'Banks on the way replace or drop other characters, so that the payee reads something else.',
  fix: "Transliterate to Latin letters, digits, spaces and / - ? : ( ) . , ' + before sending.",
  examples: { complies: '"creditorName":"Mueller und Soehne"', violates: '"creditorName":"Müller & Söhne"' },
  check: ({ call }) =>
    judgeEach(call, ({ payment, at }) => {
      const violations: Violation[] = [];
      let judged = false;
      for (const [name] of PAYMENT_TEXTS) {
        const text = clearTextIn(payment, name);
        if (text === undefined) continue;
        judged = true;
        if (isSepaText(text)) continue;
        const foreign = [...new Set(text.match(FOREIGN))].slice(0, 10).join(' ');
        violations.push({
          place: `body ${at}${name}`,
          expected: "Latin letters, digits, spaces and / - ? : ( ) . , ' +",
          // A line break must not break the line of the finding.
          actual: `other characters too: ${JSON.stringify(foreign).slice(1, -1)}`,
        });
      }
      return judged ? violations : 'not-applicable';
    }),
});
