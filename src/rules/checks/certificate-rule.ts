/** The shape of the rules that look at the client certificate of a connection. */
import type { CertificateFacts } from '../../certificate/index.js';
import type { CallContext, CallRule, Outcome } from '../rule.js';

export interface CertificateRuleParts
  extends Pick<
    CallRule,
    'id' | 'statement' | 'sources' | 'severity' | 'refusal' | 'why' | 'fix' | 'examples'
  > {
  readonly clauses?: CallRule['clauses'];
  /** Only called where a certificate was presented. */
  readonly judge: (facts: CertificateFacts, context: CallContext) => Outcome;
}

const CLAUSES: CallRule['clauses'] = ['authentication.1', 'service.rule.3'];

export function certificateRule({ judge, clauses = CLAUSES, ...parts }: CertificateRuleParts): CallRule {
  return {
    ...parts,
    clauses,
    judges: 'tpp',
    scope: 'connection',
    appliesTo: 'all-with-certificate',
    needs: ['certificate'],
    check(context) {
      const { certificate } = context.call;
      return typeof certificate === 'string' ? 'not-applicable' : judge(certificate, context);
    },
  };
}
