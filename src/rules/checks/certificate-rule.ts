/** The shape of the rules that look at the client certificate of a connection. */
import type { CertificateFacts } from '../../certificate/index.js';
import { type CallContext, type CallRule, defineRule, type Outcome, type Rule } from '../rule.js';

export interface CertificateRuleParts
  extends Pick<CallRule, 'id' | 'statement' | 'sources' | 'why' | 'fix' | 'examples'>,
    Partial<Pick<CallRule, 'clauses' | 'refusal' | 'severity'>> {
  readonly judge: (facts: CertificateFacts, context: CallContext) => Outcome;
}

const CLAUSES: CallRule['clauses'] = ['authentication.1', 'service.rule.3'];

/** `judge`: for other certificates, such as that of a signature. */
export type CertificateRule = Rule & Pick<CertificateRuleParts, 'judge'>;

export function certificateRule({
  judge,
  clauses = CLAUSES,
  ...parts
}: CertificateRuleParts): CertificateRule {
  const rule = defineRule({
    ...parts,
    clauses,
    scope: 'connection',
    appliesTo: 'all-with-certificate',
    needs: ['certificate'],
    check(context) {
      const { certificate } = context.call;
      return typeof certificate === 'string' ? 'not-applicable' : judge(certificate, context);
    },
  });
  return Object.assign(rule, { judge });
}
