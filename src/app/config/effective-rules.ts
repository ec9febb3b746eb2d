/** The severity of each rule that counts: that of the profile, overridden by the configuration. */
import {
  checkOverrides,
  checkWaivers,
  effectiveSeverity,
  type Profile,
  RULES,
  type Rule,
  type Severity,
  type Waiver,
} from '../../rules/index.js';
import type { Config } from './config.js';

export interface EffectiveRule {
  readonly rule: Rule;
  readonly severity: Readonly<Record<Profile, Severity>>;
  readonly configured: boolean;
  readonly waivers: readonly Waiver[];
}

/** In the order of the catalogue. Throws a SandgateError for an override or waiver that cannot be meant; `today` is YYYY-MM-DD. */
export function effectiveRules(
  { rules: overrides = {}, waivers = [] }: Pick<Config, 'rules' | 'waivers'>,
  today: string,
): EffectiveRule[] {
  checkOverrides(RULES, overrides);
  checkWaivers(RULES, waivers, today);
  return RULES.map((rule) => ({
    rule,
    severity: {
      sandbox: effectiveSeverity(rule, 'sandbox', overrides),
      production: effectiveSeverity(rule, 'production', overrides),
    },
    configured: Object.hasOwn(overrides, rule.id),
    waivers: waivers.filter((waiver) => waiver.rule === rule.id),
  }));
}
