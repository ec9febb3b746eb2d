/** Where in the page a thing stands that another part of it names. */
import type { Report } from '../model.js';
import { anchor } from './text.js';

type Mark = Report['appendix']['exchanges'][number]['findings'][number];

export interface Links {
  /** The row of an exchange in the appendix; null where the appendix was cut before it. */
  readonly exchange: (id: string) => string | null;
  /** The occurrence, else its group, else null. */
  readonly finding: (exchange: string, mark: Pick<Mark, 'rule' | 'place'>) => string | null;
  readonly rule: (rule: string) => string | null;
  /** The occurrence that shows what an exchange was: each is shown once. */
  readonly excerpt: (exchange: string) => string | null;
}

export const exchangeAnchor = (id: string) => anchor('x', id);
export const occurrenceAnchor = (id: string) => anchor('o', id);
export const ruleAnchor = (rule: string) => anchor('r', rule);

export function createLinks(report: Report): Links {
  const rows = new Set(report.appendix.exchanges.map(({ id }) => id));
  const rules = new Set(report.findings.map(({ rule }) => rule));
  const occurrences = new Map<string, string>();
  const shown = new Map<string, string>();
  for (const { rule, occurrences: all } of report.findings) {
    for (const { id, exchange, place } of all) {
      const key = keyOf(exchange, rule, place);
      if (!occurrences.has(key)) occurrences.set(key, id);
      if (!shown.has(exchange)) shown.set(exchange, id);
    }
  }
  const ruleLink = (rule: string) => (rules.has(rule) ? `#${ruleAnchor(rule)}` : null);
  return {
    exchange: (id) => (rows.has(id) ? `#${exchangeAnchor(id)}` : null),
    finding: (exchange, { rule, place }) => {
      const id = occurrences.get(keyOf(exchange, rule, place));
      return id === undefined ? ruleLink(rule) : `#${occurrenceAnchor(id)}`;
    },
    rule: ruleLink,
    excerpt: (exchange) => shown.get(exchange) ?? null,
  };
}

const keyOf = (...parts: readonly string[]) => parts.join('\n');
