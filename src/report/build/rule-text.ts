/** The text of a rule in the catalogue, with its clauses and sources spelled out. */
import { isOwnRule, RULES, type Rule, remedyOf, ruleOf } from '../../rules/index.js';
import { CLAUSES, type ClauseRow, OUTSIDE_SOURCES, type OutsideSourceRow } from '../../spec/index.js';
import type { FindingGroup } from '../model.js';

const PLACES: ReadonlyMap<string, number> = new Map(RULES.map(({ id }, place) => [id, place]));

type RuleText = Pick<FindingGroup, 'statement' | 'clauses' | 'sources' | 'why' | 'fix' | 'examples'>;

/** A recording may hold findings of a rule that is no more. */
const GONE = 'The catalogue of this version does not contain the rule.';

export const NOT_AT_HAND = 'The file of this own rule is not at hand';

/** `expected`: of the finding that it is about. */
export function ruleText(id: string, own: readonly Rule[] = [], expected = ''): RuleText {
  const rule = ruleOf(id) ?? own.find((one) => one.id === id);
  if (rule === undefined) {
    const isOwn = isOwnRule(id);
    const examples = { complies: '', violates: '' };
    return {
      statement: isOwn ? NOT_AT_HAND : GONE,
      clauses: [],
      sources: [],
      why: isOwn ? `${NOT_AT_HAND}.` : GONE,
      fix: isOwn ? 'Name its file with --own-rules.' : 'Record the session again.',
      examples,
    };
  }
  const { statement, why, examples } = rule;
  const { fix, complies } = remedyOf(rule, expected);
  return {
    statement,
    clauses: rule.clauses.map((clause) => {
      const row: ClauseRow = CLAUSES[clause];
      return { id: clause, section: row.section, text: row.text, link: null };
    }),
    sources: [...rule.sources.map(sourceOf), ...ownSourceOf(rule)],
    why,
    fix,
    examples: { ...examples, complies },
  };
}

function ownSourceOf({ own }: Rule): FindingGroup['sources'] {
  if (own === undefined) return [];
  const { source } = own;
  return [{ tag: 'own', title: source.text, place: null, link: source.url ?? null }];
}

/** `RFC7636 4.2` becomes title, place and, where it is certain, the address. */
export function sourceOf(source: string): FindingGroup['sources'][number] {
  const [tag = '', ...place] = source.split(' ');
  const row: OutsideSourceRow | undefined = Object.hasOwn(OUTSIDE_SOURCES, tag)
    ? OUTSIDE_SOURCES[tag as keyof typeof OUTSIDE_SOURCES]
    : undefined;
  return {
    tag,
    title: row?.title ?? tag,
    place: place.length === 0 ? null : place.join(' '),
    link: linkTo(row?.url, place.join(' ')),
  };
}

/** RFCs of rfc-editor.org have an anchor for each section. */
function linkTo(url: string | undefined, place: string): string | null {
  if (url === undefined) return null;
  return url.startsWith('https://www.rfc-editor.org/') && /^\d+(\.\d+)*$/.test(place)
    ? `${url}#section-${place}`
    : url;
}

/** Place in the catalogue; unknown rules come last. */
export function ruleOrder(id: string): number {
  return PLACES.get(id) ?? PLACES.size;
}
