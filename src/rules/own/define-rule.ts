/** `sandgate/rules`: what the files of a user's own rules import. */
import type { BankRule, CallRule, ExchangeRule, Rule } from './types.js';

export type * from './types.js';

/** Gives the rule as it is, with its types checked. Export it, or a list of rules, as the default of its file. */
export function defineRule(rule: CallRule | ExchangeRule | BankRule): Rule {
  return Object.freeze(rule);
}
