/** Counts of the session as switches of the filter: each shows the calls that it counts. */
import { address, go } from '../address.js';
import { grouped, momentOn } from '../format.js';
import { sessionCounts } from '../state/counts.js';
import { clock } from '../state/in-force.js';
import { grouping } from '../state/timeline.js';

/** Shown with none, too: that nothing was found is worth knowing. */
const ALWAYS: ReadonlySet<string> = new Set(['must', 'should']);

const has = (q: string, filter: string): boolean => ` ${q} `.includes(` ${filter} `);
const without = (q: string, filter: string): string => ` ${q} `.replace(` ${filter} `, ' ').trim();

export function Chips() {
  const { q } = address.value;
  if (sessionCounts.value === null) return null;
  const { counts, since } = sessionCounts.value;
  const others = counts.reduce((rest, { filter }) => without(rest, filter), q);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
    <div class="chips" role="group" aria-label="Counts of the session">
      {counts.map(({ name, filter, count }) => {
        const isOn = has(q, filter);
        const next = isOn || others === '' ? others : grouping(others);
        return count === 0 && !isOn && !ALWAYS.has(name) ? null : (
          <button
            key={name}
            type="button"
            class={`chip num ${count === 0 ? 'soft' : name}`}
            aria-pressed={isOn}
            title={isOn ? 'Show all calls again' : `Show only these calls (${filter})`}
            onClick={() => go({ q: isOn ? next : `${next} ${filter}`.trim(), open: null })}
          >
            {name} <b>{grouped(count)}</b>
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
