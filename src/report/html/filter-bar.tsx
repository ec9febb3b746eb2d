/** The filter bar of the report; shown by the script, because it does nothing without it. */
import { useParties } from './links.js';

const SEVERITIES = [
  ['', 'all'],
  ['must', 'must'],
  ['should', 'should'],
  ['note', 'note'],
] as const;

export function FilterBar() {
  const { tpp, aspsp } = useParties();
  const parties = [['', 'both'] as const, ['tpp', tpp] as const, ['aspsp', aspsp] as const];
  return (
    <search>
      <form id="filter" hidden>
        <p>
          <label for="filter-word">Search</label>
          <input
            id="filter-word"
            name="word"
            type="search"
            autocomplete="off"
            placeholder="path, rule, id, status …"
          />
        </p>
        <p>
          <label for="filter-severity">Severity</label>
          <Choice id="filter-severity" name="severity" options={SEVERITIES} />
        </p>
        <p>
          <label for="filter-party">At fault</label>
          <Choice id="filter-party" name="party" options={parties} />
        </p>
        <p class="check">
          <input id="filter-waived" name="waived" type="checkbox" />
          <label for="filter-waived">hide waived</label>
        </p>
        <p>
          <button type="reset">Clear</button>
        </p>
        <output id="filter-told" for="filter-word filter-severity filter-party filter-waived" />
      </form>
    </search>
  );
}

type Options = readonly (readonly [value: string, label: string])[];

function Choice({ id, name, options }: { id: string; name: string; options: Options }) {
  return (
    <select id={id} name={name}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
