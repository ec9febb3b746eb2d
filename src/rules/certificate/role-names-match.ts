import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: 'certificate/role-names-match',
  statement: "Each role's name is the name of its OID",
  sources: ['ETSI'],
  severity: { sandbox: 'should', production: 'should' },
  why: 'One reader goes by the name and another by the OID: they would see different roles.',
  fix: 'Tell your issuer that name and OID of a role disagree.',
  examples: { complies: '0.4.0.19495.1.3 named PSP_AI', violates: '0.4.0.19495.1.1 named PSP_PI' },
  judge: ({ roles }) => {
    if (!roles.some(({ role }) => role !== null)) return 'not-applicable';
    return roles
      .filter(({ role, name }) => role !== null && role !== name)
      .map(({ oid, role, name }) => violation(`certificate role ${oid}`, role ?? '', name));
  },
});
