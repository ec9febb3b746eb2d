/** The matching tables, resolved once for each operation. */
import { EVERY_OPERATION_ID, HEADERS, type OperationId, operationRow } from '../../spec/index.js';
import { type MatchTable, type PlaceKind, PRESETS, type PresetRow } from './match-table.js';
import type { Comparison, ReplayOptions } from './options.js';

export type MatchPlan = ReturnType<typeof createPlan>;

export type MatchPlans = ReadonlyMap<OperationId | null, MatchPlan>;

const OTHER_HEADERS = ['accept', 'content-type'];

export function createMatchPlans(options: ReplayOptions): MatchPlans {
  return new Map([null, ...EVERY_OPERATION_ID].map((id) => [id, createPlan(id, options)]));
}

function createPlan(id: OperationId | null, options: ReplayOptions) {
  const override = id === null ? undefined : options.overrides?.[id];
  const preset: PresetRow = PRESETS[override?.preset ?? options.match];
  const row = id === null ? null : operationRow(id);
  const group = (row === null ? undefined : preset.groups?.[row.group]) ?? {};
  const tables: readonly MatchTable[] = [override?.places ?? {}, group, preset.places];
  const find = (...places: (keyof MatchTable)[]): Comparison => {
    for (const place of places) {
      for (const table of tables) if (Object.hasOwn(table, place)) return table[place] as Comparison;
    }
    return 'ignore';
  };
  return {
    certificate: find('certificate'),
    /** Headers that count: name in lower case, place, comparison. */
    headers: [...Object.keys(HEADERS), ...OTHER_HEADERS].flatMap((name) => {
      const place = `header ${name}` as const;
      const as = find(place, 'header *');
      return as === 'ignore' ? [] : [[name, place, as] as const];
    }),
    /** `path` is the way to a member of a JSON body, its lists without positions; the name itself elsewhere. */
    comparisonOf: (kind: PlaceKind, name: string, path = name): Comparison => {
      const isOther = kind === 'query' && row !== null && !row.query.includes(name);
      return find(`${kind} ${path}`, `${kind} ${name}`, isOther ? 'other query *' : `${kind} *`);
    },
    byMeaning: preset.byMeaning,
    inOrder: preset.inOrder,
    afterLast: override?.afterLast ?? options.afterLast,
  };
}
