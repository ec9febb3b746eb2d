/** Renders docs/coverage.md: every sentence of the specification, with what enforces it. */
import { RULES } from '../src/rules/index.js';
import { CLAUSE_IDS, type ClauseId, clauseRow, READING_IDS, readingRow } from '../src/spec/index.js';
import { code, page, table } from './docs.js';

/** What holds a clause: the rules that cite it, the emulator, the readings that fill it, or why nothing can. */
export interface Cover {
  readonly rules: readonly string[];
  readonly readings: readonly string[];
  readonly emulator: ReturnType<typeof clauseRow>['emulator'];
  readonly notCheckable: string | undefined;
}

export function coverOf(id: ClauseId): Cover {
  const { emulator, notCheckable } = clauseRow(id);
  return {
    rules: RULES.filter(({ clauses }) => clauses.includes(id)).map((rule) => rule.id),
    readings: READING_IDS.filter((reading) => readingRow(reading).clause === id),
    emulator,
    notCheckable,
  };
}

function heldBy(id: ClauseId): string {
  const { rules, readings, emulator, notCheckable } = coverOf(id);
  return [
    ...(rules.length === 0 ? [] : [`Rules: ${rules.map(ruleLink).join(', ')}.`]),
    ...(emulator === undefined
      ? []
      : [`Emulator: ${emulator.does} Shown by “${emulator.test}” (${code(emulator.file)}).`]),
    ...(notCheckable === undefined ? [] : [`Not checkable: ${notCheckable}`]),
    ...(readings.length === 0 ? [] : [`Readings: ${readings.map(code).join(', ')}.`]),
  ].join(' ');
}

const ruleLink = (id: string) => `[${code(id)}](rules.md#${id.replace('/', '')})`;

/** Of `Authentication 3, scope`: Authentication. */
const headingOf = (id: ClauseId) => clauseRow(id).section.replace(/(?: \d+)?(?:,.*)?$/, '');

export function coverageDoc(): string {
  const headings = [...new Set(CLAUSE_IDS.map(headingOf))];
  const sections = headings.flatMap((heading) => {
    const ids = CLAUSE_IDS.filter((id) => headingOf(id) === heading);
    const rows = ids.map((id) => [code(id), clauseRow(id).text, heldBy(id)]);
    return [`## ${heading}`, table(['Clause', 'It says', 'Held by'], rows)];
  });
  const covers = CLAUSE_IDS.map(coverOf);
  const count = (holds: (cover: Cover) => boolean) => covers.filter(holds).length;
  const [ruled, shown, open] = [
    count(({ rules }) => rules.length > 0),
    count(({ rules, emulator }) => rules.length === 0 && emulator !== undefined),
    count(({ notCheckable }) => notCheckable !== undefined),
  ];
  return page(
    'Coverage',
    `The specification has ${CLAUSE_IDS.length} clauses, one for each sentence. Rules judge ${ruled}. ${shown} more are ` +
      `behaviour of the emulator, shown by a test. ${open} cannot be checked, for the reason given. Where the ` +
      'specification is silent, [readings.md](readings.md) says what Sandgate does.',
    ...sections,
  );
}
