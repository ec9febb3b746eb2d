import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

/** Letters of the Latin script, and what belongs to no script: spaces, digits, punctuation. */
const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

export default certificateRule({
  id: 'certificate/nca-name-latin',
  statement: 'The name of the authority is written in Latin letters',
  sources: ['ETSI TS 119 495 GEN-5.2.3-1'],
  severity: { sandbox: 'note', production: 'note' },
  why: 'People at other banks cannot read the name, and programs cannot compare it.',
  fix: 'Ask your issuer to write nCAName in Latin letters, as the authority does in English.',
  examples: { complies: 'Česká národní banka', violates: 'Τράπεζα της Ελλάδος' },
  judge: ({ ncaName }) => {
    if (ncaName === null) return 'not-applicable';
    return LATIN.test(ncaName) || violation('certificate nCAName', 'Latin letters', ncaName);
  },
});
