import { counted, DAY_MS } from '../../spec/index.js';
import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/not-about-to-expire',
  statement: '30 days or more remain',
  clauses: [],
  sources: ['practice'],
  severity: { sandbox: 'note', production: 'note' },
  why: 'When it expires, every call fails at once; getting a new QWAC takes weeks.',
  fix: 'Order the next certificate now.',
  examples: { complies: '300 days remain', violates: '12 days remain' },
  judge: ({ notAfter }, { call, options }) => {
    const days = Math.floor((Date.parse(notAfter) - call.at) / DAY_MS);
    // Past its end another rule speaks.
    if (days < 0 || Number.isNaN(days)) return 'not-applicable';
    const bound = options.dialect.isBoundToCertificate
      ? ', and tokens and consents of this bank end with it'
      : '';
    return (
      days >= 30 ||
      violation('certificate validity', '30 more days, or longer', `${counted(days, 'more day')}${bound}`)
    );
  },
});
