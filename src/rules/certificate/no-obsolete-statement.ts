import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

/** QCStatements that newer ones replaced, by OID. */
const OBSOLETE: Readonly<Record<string, { readonly name: string; readonly instead: string }>> = {
  '1.3.6.1.5.5.7.11.1': { name: 'id-qcs-pkixQCSyntax-v1', instead: 'id-qcs-pkixQCSyntax-v2' },
};

export default certificateRule({
  id: 'certificate/no-obsolete-statement',
  statement: 'The certificate holds no obsolete QCStatement',
  sources: ['RFC3739 3.2.6.1'],
  severity: { sandbox: 'note', production: 'note' },
  why: 'Readers of today look for the statement that replaced it, and find nothing.',
  fix: 'Tell your issuer which statement is obsolete, and which one replaced it.',
  examples: {
    complies: 'id-qcs-pkixQCSyntax-v2 (1.3.6.1.5.5.7.11.2)',
    violates: 'id-qcs-pkixQCSyntax-v1 (1.3.6.1.5.5.7.11.1)',
  },
  judge: ({ qcStatements }) => {
    // A recording of an earlier version does not tell.
    if (qcStatements === undefined) return 'not-observed';
    if (qcStatements.length === 0) return 'not-applicable';
    return qcStatements.flatMap((oid) => {
      const obsolete = Object.hasOwn(OBSOLETE, oid) ? OBSOLETE[oid] : undefined;
      if (obsolete === undefined) return [];
      const { name, instead } = obsolete;
      return [violation('certificate QCStatements', instead, `${name} (${oid})`)];
    });
  },
});
