import { isAbsoluteHttpUri, isLanguage } from '../../spec/index.js';
import { certificateRule } from '../checks/certificate-rule.js';
import { type Violation, violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/pds-address',
  statement: 'The addresses of the PKI disclosure statements (PDS) are https, each with a known language',
  sources: ['ETSI EN 319 412-5 4.3.4'],
  severity: { sandbox: 'note', production: 'note' },
  why: 'The statement of what the issuer promises cannot be fetched safely, or its language is not known.',
  fix: 'Tell your issuer that QcPDS takes https addresses, each with a language of ISO 639-1 such as en.',
  examples: { complies: 'https://tsp.example/pds/en, en', violates: 'http://tsp.example/pds, eng' },
  judge: ({ qcPds }) => {
    if (qcPds.length === 0) return 'not-applicable';
    const violations: Violation[] = [];
    for (const { url, language } of qcPds) {
      if (!/^https:/i.test(url) || !isAbsoluteHttpUri(url))
        violations.push(violation('certificate QcPDS', 'an https address', url));
      if (!isLanguage(language))
        violations.push(violation('certificate QcPDS', 'a language of ISO 639-1, such as en', language));
    }
    return violations.slice(0, MOST);
  },
});

const MOST = 10;
