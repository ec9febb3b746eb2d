/** What the bank hands out to be sent back: identifiers, codes and tokens, whether or not recorded calls sent them back. */
import { textMember } from '../../exchange/index.js';
import type { Entry, UnseenFlow } from './entries.js';

const MEMBERS = ['consentId', 'paymentId', 'authorisationId', 'access_token', 'refresh_token'] as const;

/** In an order that is the same for answers of the same form. */
export function handedOut(given: Entry | UnseenFlow): string[] {
  const { flow } = given;
  if (flow?.outcome.kind === 'code') return [flow.outcome.code];
  if (flow?.outcome.kind === 'redirect')
    return flow.outcome.parameters.flatMap(([name, value]) => (name === 'code' ? [value] : []));
  if (!('exchange' in given)) return [];
  const { exchange, answer } = given;
  const texts = MEMBERS.flatMap((name) => textMember(answer.content, name) ?? []);
  return exchange.call.operation === 'accounts.list' ? [...texts, ...accountIds(answer.content)] : texts;
}

function accountIds(content: Entry['answer']['content']): string[] {
  const { accounts } = (content.kind === 'json' ? (content.value ?? {}) : {}) as {
    readonly accounts?: unknown;
  };
  if (!Array.isArray(accounts)) return [];
  return accounts.flatMap((account) => (typeof account?.resourceId === 'string' ? account.resourceId : []));
}
