/**
 * Whoever has not shown who it is (a rule on the connection refuses) is told of certificate and request only: all else
 * may be a fact about the TPP that it claims to be (reading `error-several`).
 */
import { ruleOf } from './catalogue.js';
import type { Finding, Rule } from './rule.js';

const isOfConnection = (rule: Rule | undefined): boolean => rule?.scope === 'connection';
const mayKnow = (rule: Rule | undefined): boolean =>
  isOfConnection(rule) || rule?.id.startsWith('requests/') === true;

export function tellable<T extends { readonly rule: Rule }>(refused: readonly T[]): T[] {
  const isStranger = refused.some(({ rule }) => isOfConnection(rule));
  return refused.filter(({ rule }) => !isStranger || mayKnow(rule));
}

export function refusesConnection(findings: readonly Finding[]): boolean {
  return findings.some(
    ({ rule, severity, waived }) =>
      severity === 'must' && waived === undefined && isOfConnection(ruleOf(rule)),
  );
}

/** Findings on a call that its caller may know. */
export function tellableFindings(findings: readonly Finding[]): readonly Finding[] {
  return refusesConnection(findings) ? findingsForStranger(findings) : findings;
}

/** Findings on a call that a stranger may know, whatever severities and waivers say. */
export const findingsForStranger = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ rule }) => mayKnow(ruleOf(rule)));
