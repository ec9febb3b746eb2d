import { certificateRule } from '../checks/certificate-rule.js';

export default certificateRule({
  id: 'certificate/within-validity',
  statement: 'The certificate is within its validity period',
  sources: ['RFC5280 4.1.2.5'],
  refusal: { code: 'CERTIFICATE_EXPIRED' },
  why: 'An expired certificate identifies nobody, and one that is not yet valid does not identify yet.',
  fix: 'Use a certificate that is valid now; renew it in time, and check your clock.',
  examples: {
    complies: 'notBefore 2026-01-01, notAfter 2027-01-01, called on 2026-06-15',
    violates: 'notAfter 2026-06-14, called on 2026-06-15',
  },
  judge: ({ notBefore, notAfter }, { call }) => {
    const [from, to] = [Date.parse(notBefore), Date.parse(notAfter)];
    // Written so that dates which cannot be read do not pass.
    if (call.at >= from && call.at <= to) return true;
    const fault = {
      place: 'certificate validity',
      expected: `a period that includes the time of the call, ${new Date(call.at).toISOString()}`,
    } as const;
    if (call.at < from)
      return {
        ...fault,
        actual: `${notBefore} to ${notAfter}, which has not begun`,
        refusal: { code: 'CERTIFICATE_INVALID' },
      };
    return { ...fault, actual: `${notBefore} to ${notAfter}${call.at > to ? ', which is over' : ''}` };
  },
});
