/** The anchors of a page, and links from one part of it to another. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { whoseOf } from '../formats/lines.js';
import type { CitedExchange, Mark, Report } from '../model.js';
import { Name } from './parts.js';
import { anchor, titled, visible } from './text.js';

/** Most characters of excerpts: a page must stay quick, and the JSON report has them all. */
const EXCERPT_ROOM = 400_000;

export const exchangeAnchor = (id: string) => anchor('x', id);
export const occurrenceAnchor = (id: string) => anchor('o', id);
export const ruleAnchor = (rule: string) => anchor('r', rule);

/** Links of the page that is being rendered. */
const Links = createContext<ReturnType<typeof linksOf> | null>(null);

export function Linked({ links, children }: { links: PageLinks; children: ComponentChildren }) {
  return <Links.Provider value={links}>{children}</Links.Provider>;
}

export type PageLinks = ReturnType<typeof linksOf>;

export function linksOf(report: Report) {
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
  return { rows, rules, occurrences, shown, whose: whoseOf(report) };
}

/** Both parties by their names: `bank`, or what answered in its place. */
export const useParties = () => useContext(Links)?.whose ?? { tpp: 'TPP', aspsp: 'bank' };

export function Whose({ judges }: Pick<Mark, 'judges'>) {
  return <>{titled(useParties()[judges])}</>;
}

type Target = { readonly children?: ComponentChildren };

const linked = (href: string | null, text: ComponentChildren) =>
  href === null ? text : <a href={href}>{text}</a>;

/** To the row of the appendix, unless it was cut before that. */
export function ToExchange({ id, children = visible(id) }: Target & { id: string }) {
  const isThere = useContext(Links)?.rows.has(id) === true;
  return linked(isThere ? `#${exchangeAnchor(id)}` : null, children);
}

export function ToRule({ rule, children = <Name>{rule}</Name> }: Target & { rule: string }) {
  const isThere = useContext(Links)?.rules.has(rule) === true;
  return linked(isThere ? `#${ruleAnchor(rule)}` : null, children);
}

/** To the occurrence, else to its rule. */
export function ToFinding(parts: Target & { exchange: string; mark: Pick<Mark, 'rule' | 'place'> }) {
  const { exchange, mark, children } = parts;
  const id = useContext(Links)?.occurrences.get(keyOf(exchange, mark.rule, mark.place));
  if (id === undefined) return <ToRule rule={mark.rule}>{children}</ToRule>;
  return linked(`#${occurrenceAnchor(id)}`, children);
}

export function RuleName({ rule, statement }: { rule: string; statement: string }) {
  return (
    <>
      <ToRule rule={rule}>{statement}</ToRule>
      <br />
      <Name>{rule}</Name>
    </>
  );
}

/** The one occurrence that shows an exchange; null where there was no room for it. */
export const useExcerptOf = (exchange: string): string | null =>
  useContext(Links)?.shown.get(exchange) ?? null;

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
