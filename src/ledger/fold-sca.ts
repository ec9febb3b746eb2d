/** Folds in an SCA without the bank's pages: the steps that a TPP sends, and the statuses that it reads. */
import { type Answer, type Call, memberOf } from '../exchange/index.js';
import { parseScope } from '../spec/index.js';
import { type ChangeSet, type Fold, factOf, put, shortMember } from './change-set.js';
import { authoriseResource } from './fold-authorize.js';
import { foldScaStatus } from './fold-status.js';
import { keyOf } from './keys.js';

/** A status tells the end of an SCA that no redirect shows. */
export const foldStep: Fold = (changeSet, call, answer, tpp, know) => {
  foldScaStatus(changeSet, call, answer, tpp);
  const fact = factOf(changeSet, 'authorisations', keyOf.authorisation(call.params.authorisationId ?? ''));
  const status = shortMember(answer.content, 'scaStatus');
  if (fact?.sca === undefined || fact.tpp !== tpp || fact.cancels === true) return;
  if (status === 'finalised' || status === 'exempted')
    authoriseResource(changeSet, tpp, parseScope(fact.scope), know.heardAt);
};

const FAILURES: ReadonlySet<unknown> = new Set(['PSU_CREDENTIALS_INVALID', 'SCA_INVALID']);

/** The bank has refused what the PSU entered. */
export function foldFailedStep(changeSet: ChangeSet, call: Call, { content }: Answer, tpp: string): void {
  const key = keyOf.authorisation(call.params.authorisationId ?? '');
  const fact = factOf(changeSet, 'authorisations', key);
  if (fact?.sca === undefined || fact.tpp !== tpp || content.kind !== 'json') return;
  const messages = memberOf(content.value, 'tppMessages');
  const [first] = Array.isArray(messages) ? messages : [content.value];
  if (!FAILURES.has(memberOf(first, 'code'))) return;
  const { sca } = fact;
  put(changeSet, 'authorisations', key, { ...fact, sca: { ...sca, failures: (sca.failures ?? 0) + 1 } });
}
