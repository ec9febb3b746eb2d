/** The anchors of a page, so that one part can link to another. */
import type { CitedExchange, Report } from '../model.js';
import { anchor } from './text.js';

/** Most characters of excerpts: a page must stay quick, and the JSON report has them all. */
const EXCERPT_ROOM = 400_000;

type Mark = Report['appendix']['exchanges'][number]['findings'][number];

export type Links = ReturnType<typeof createLinks>;

export const exchangeAnchor = (id: string) => anchor('x', id);
export const occurrenceAnchor = (id: string) => anchor('o', id);
export const ruleAnchor = (rule: string) => anchor('r', rule);

export function createLinks(report: Report) {
  const rows = new Set(report.appendix.exchanges.map(({ id }) => id));
  const rules = new Set(report.findings.map(({ rule }) => rule));
  const occurrences = new Map<string, string>();
  const shown = new Map<string, string>();
  let room = EXCERPT_ROOM;
  for (const { rule, occurrences: all } of report.findings) {
    for (const { id, exchange, place } of all) {
      const key = keyOf(exchange, rule, place);
      if (!occurrences.has(key)) occurrences.set(key, id);
      const length = lengthOf(report.exchanges[exchange]);
      if (length === null || shown.has(exchange) || length > room) continue;
      room -= length;
      shown.set(exchange, id);
    }
  }
  const ruleLink = (rule: string) => (rules.has(rule) ? `#${ruleAnchor(rule)}` : null);
  return {
    /** The row of an exchange in the appendix; null where the appendix was cut before it. */
    exchange: (id: string) => (rows.has(id) ? `#${exchangeAnchor(id)}` : null),
    /** The occurrence, else its group, else null. */
    finding: (exchange: string, { rule, place }: Pick<Mark, 'rule' | 'place'>) => {
      const id = occurrences.get(keyOf(exchange, rule, place));
      return id === undefined ? ruleLink(rule) : `#${occurrenceAnchor(id)}`;
    },
    rule: ruleLink,
    /** The one occurrence that shows an exchange; null where there was no room for it. */
    excerpt: (exchange: string) => shown.get(exchange) ?? null,
  };
}

function lengthOf(cited: CitedExchange | undefined): number | null {
  if (cited === undefined) return null;
  const texts = [cited.request, cited.answer].flatMap((excerpt) =>
    excerpt === null ? [] : [excerpt.body ?? '', ...excerpt.headers.flat()],
  );
  return texts.reduce((sum, text) => sum + written(text), written(cited.curl));
}

/** Quotes of JSON grow on a page, to `&quot;`. */
const written = (text: string) => text.length + 5 * (text.split('"').length - 1);

const keyOf = (...parts: readonly string[]) => parts.join('\n');
