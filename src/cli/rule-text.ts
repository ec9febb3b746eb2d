/** Prints a rule: its refusal, its sources, and its whole text, plain and in Markdown. */
import type { RefusalKind, Rule } from '../rules/index.js';
import { clauseRow, OUTSIDE_SOURCES, type SourceTag, statusOf } from '../spec/index.js';

/** The refusal as the catalogue writes it: `400 FORMAT_ERROR`; empty where the rule refuses nothing. */
export function refusalText(refusal: RefusalKind | null): string {
  if (refusal === null) return '';
  if ('code' in refusal) return `${refusal.status ?? statusOf(refusal.code)} ${refusal.code}`;
  if ('token' in refusal) return refusal.token;
  return 'redirect' in refusal ? `redirect error ${refusal.redirect}` : 'error page';
}

/** `RFC6749 5.2` taken apart, with title and address. */
export function sourceOf(source: string) {
  const [tag = '', ...place] = source.split(' ');
  const { title, url }: { readonly title: string; readonly url?: string } = OUTSIDE_SOURCES[tag as SourceTag];
  return { tag, title, place: place.join(' ') || null, url: url ?? null };
}

/** `RFC6749 5.2` as Markdown with a link, where an address is certain. */
export function sourceMarkdown(source: string): string {
  const { tag, place, url } = sourceOf(source);
  return [url === null ? tag : `[${tag}](${url})`, ...(place === null ? [] : [place])].join(' ');
}

/** The source of an own rule, with its address. */
export const ownSource = ({ own }: Rule): string[] =>
  own === undefined
    ? []
    : [[own.source.text, ...(own.source.url === undefined ? [] : [own.source.url])].join(', ')];

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** The section of a rule, under a heading of the fourth level. */
export function ruleMarkdown(rule: Rule): string {
  const clauses = rule.clauses.map((id) => `${clauseRow(id).section} (${code(id)})`);
  const ground = [...clauses, ...rule.sources.map(sourceMarkdown), ...ownSource(rule)].join('; ');
  return [
    `#### ${rule.id}`,
    `${rule.statement}.`,
    [
      `- Why: ${rule.why}`,
      `- What to do: ${rule.fix}`,
      `- Complies: ${code(rule.examples.complies)}`,
      `- Violates: ${code(rule.examples.violates)}`,
      `- Sources: ${ground}`,
    ].join('\n'),
  ].join('\n\n');
}
