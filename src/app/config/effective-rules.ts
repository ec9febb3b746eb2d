/** The severity of each rule that counts: that of the catalogue, overridden by the bank's profile and the configuration. */
import {
  bankSeverity,
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
  /** Why the profile of the bank gives it this severity; null where it does not, or the configuration says otherwise. */
  readonly reason: string | null;
  readonly waivers: readonly Waiver[];
}

/** In the order of the catalogue, own rules behind it. Throws a SandgateError for an override or waiver that cannot be meant; `today` is YYYY-MM-DD. */
export function effectiveRules(
  {
    rules: overrides = {},
    waivers = [],
    bankProfile,
    loadedRules,
  }: Pick<Config, 'rules' | 'waivers' | 'bankProfile' | 'loadedRules'>,
  today: string,
): EffectiveRule[] {
  const all = [...RULES, ...(loadedRules?.rules ?? [])];
  checkOverrides(all, overrides);
  checkWaivers(all, waivers, today);
  return all.map((rule) => ({
    rule,
    severity: {
      sandbox: effectiveSeverity(rule, 'sandbox', overrides, bankProfile),
      production: effectiveSeverity(rule, 'production', overrides, bankProfile),
    },
    configured: Object.hasOwn(overrides, rule.id),
    reason: Object.hasOwn(overrides, rule.id) ? null : (bankSeverity(bankProfile, rule.id)?.reason ?? null),
    waivers: waivers.filter((waiver) => waiver.rule === rule.id),
  }));
}
