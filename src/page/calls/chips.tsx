/** Counts of the session as switches of the filter: each shows the calls that it counts. */
import { address, go } from '../address.js';
import { grouped, momentOn } from '../format.js';
import { sessionCounts } from '../state/counts.js';
import { clock } from '../state/in-force.js';
import { grouping } from '../state/timeline.js';

/** Shown with none, too: that nothing was found is worth knowing. */
const ALWAYS: ReadonlySet<string> = new Set(['must', 'should']);

/** Other refusals have a must or should, and are counted there. */
const LABELS: Readonly<Record<string, string>> = { refused: 'refused otherwise' };

const has = (q: string, filter: string): boolean => ` ${q} `.includes(` ${filter} `);
const without = (q: string, filter: string): string => ` ${q} `.replace(` ${filter} `, ' ').trim();

/** One of several is enough. */
const groupOf = (filters: readonly string[]): string =>
  filters.length > 1 ? `(${filters.join(' OR ')})` : filters.join('');

/** The filters that are switched on: the largest group of them that stands in the search. */
function chosenIn(q: string, filters: readonly string[]): readonly string[] {
  const groups = Array.from({ length: 2 ** filters.length }, (_, bits) =>
    filters.filter((_, i) => (bits >> i) & 1),
  );
  const found = groups.filter((group) => group.length > 0 && has(q, groupOf(group)));
  return found.reduce((most, one) => (one.length > most.length ? one : most), []);
}

export function Chips() {
  const { q } = address.value;
  if (sessionCounts.value === null) return null;
  const { counts, since } = sessionCounts.value;
  const filters = counts.map(({ filter }) => filter);
  const chosen = chosenIn(q, filters);
  const others = chosen.length === 0 ? q : without(q, groupOf(chosen));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
    <div class="chips" role="group" aria-label="Counts of the session">
      {counts.map(({ name, filter, count }) => {
        const isOn = chosen.includes(filter);
        const next = filters.filter((one) => chosen.includes(one) !== (one === filter));
        const search = next.length === 0 ? others : `${grouping(others)} ${groupOf(next)}`.trim();
        return count === 0 && !isOn && !ALWAYS.has(name) ? null : (
          <button
            key={name}
            type="button"
            class={`chip num ${count === 0 ? 'soft' : name}`}
            aria-pressed={isOn}
            title={isOn ? 'Do not ask for these calls' : `Show these calls (${filter})`}
            onClick={() => go({ q: search, open: null })}
          >
            {LABELS[name] ?? name} <b>{grouped(count)}</b>
          </button>
        );
      })}
      {since === null ? null : (
        <span class="soft num" title="No index knows what was called before.">
          since {momentOn(clock.value?.now ?? since, since)}
        </span>
      )}
    </div>
  );
}
