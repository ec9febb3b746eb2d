/** Severity overrides and waivers, checked at start so that a mistake in them is reported then. */
import type { Call } from '../exchange/index.js';
import { type BankProfile, DAY_MS, isDate, SandgateError, slipOf } from '../spec/index.js';
import type { Profile, Rule, Severity } from './rule.js';

export type SeverityOverrides = Readonly<Record<string, Severity>>;

/** Which calls are meant: all that are given must fit; `operation` and `path` may end in `*`. */
export interface CallMatch {
  readonly operation?: string | undefined;
  readonly tpp?: string | undefined;
  readonly path?: string | undefined;
}

/** Lets a known finding pass until a day; it stays visible, marked with the reason. */
export interface Waiver {
  readonly rule: string;
  readonly match?: CallMatch | undefined;
  readonly reason: string;
  readonly until: string;
}

/** The settings of the user come first, then the profile of the bank, then the catalogue. */
export function effectiveSeverity(
  rule: Rule,
  profile: Profile,
  overrides: SeverityOverrides,
  bank: BankProfile | undefined,
): Severity {
  return (
    (Object.hasOwn(overrides, rule.id) ? overrides[rule.id] : undefined) ??
    bankSeverity(bank, rule.id)?.severity ??
    rule.severity[profile]
  );
}

/** The severity that the profile of the bank gives to a rule, with its reason. */
export const bankSeverity = (bank: BankProfile | undefined, rule: string) =>
  bank?.rules !== undefined && Object.hasOwn(bank.rules, rule) ? bank.rules[rule] : undefined;

function requireKnown(rules: readonly Rule[], id: string, what: string): void {
  if (rules.some((rule) => rule.id === id)) return;
  const ids = rules.map((rule) => rule.id);
  throw new SandgateError('rule.unknown', {
    id,
    use: `, for which ${what} is configured`,
    nearest: slipOf(id, ids),
  });
}

export function checkOverrides(rules: readonly Rule[], overrides: SeverityOverrides): void {
  for (const id of Object.keys(overrides)) requireKnown(rules, id, 'a severity');
}

export function checkWaivers(rules: readonly Rule[], waivers: readonly Waiver[], today: string): void {
  for (const waiver of waivers) {
    requireKnown(rules, waiver.rule, 'a waiver');
    if (waiver.reason.trim() === '') throw new SandgateError('waiver.no-reason', { rule: waiver.rule });
    if (!isDate(waiver.until))
      throw new SandgateError('waiver.no-date', { rule: waiver.rule, until: waiver.until });
    if (waiver.until < today)
      throw new SandgateError('waiver.ended', { rule: waiver.rule, until: waiver.until });
  }
}

/** The reason of the first waiver that covers the rule's findings of this call, or undefined. */
export function waiverOf(waivers: readonly Waiver[], call: Call): string | undefined {
  for (const waiver of waivers) {
    if (call.at < Date.parse(waiver.until) + DAY_MS && fitsCall(waiver.match ?? {}, call))
      return waiver.reason;
  }
  return undefined;
}

export function fitsCall(match: CallMatch, call: Call): boolean {
  if (match.tpp !== undefined && match.tpp !== call.tpp) return false;
  if (match.operation !== undefined && !fits(match.operation, call.operation ?? '')) return false;
  return match.path === undefined || fits(match.path, call.request.path);
}

function fits(pattern: string, text: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
