/** The catalogue of rules, and where each was violated. */
import { useState } from 'preact/hooks';
import type { ShownRule } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { useGet } from '../api.js';
import { counted, grouped } from '../format.js';
import { inForce } from '../state/in-force.js';
import { AskedTable } from '../view.js';

const areaOf = ({ id }: ShownRule): string => id.slice(0, id.indexOf('/'));

export function Rules() {
  const { session } = address.value;
  const [wanted, setWanted] = useState('');
  const [area, setArea] = useState('');
  const [onlyFound, setOnlyFound] = useState(false);
  const asked = useGet<readonly ShownRule[]>('/api/rules', { session });
  const profile = inForce.value?.settings?.profile ?? 'production';
  const all = asked.value ?? [];
  const fits = (rule: ShownRule) =>
    (area === '' || areaOf(rule) === area) &&
    (rule.found > 0 || !onlyFound) &&
    `${rule.id} ${rule.statement}`.toLowerCase().includes(wanted.toLowerCase());
  return (
    <div class="page">
      <h1>Rules</h1>
      <p class="fields">
        <label>
          Search{' '}
          <input
            type="search"
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        </label>
        <label>
          Area{' '}
          <select value={area} onChange={({ currentTarget }) => setArea(currentTarget.value)}>
            <option value="">all</option>
            {[...new Set(all.map(areaOf))].sort().map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <button type="button" aria-pressed={onlyFound} onClick={() => setOnlyFound(!onlyFound)}>
          Found in this session: {grouped(all.filter(({ found }) => found > 0).length)}
        </button>
        <span class="soft" role="status">
          {counted(all.filter(fits).length, 'rule')}, with the severities of profile {profile}
        </span>
      </p>
      <AskedTable
        asked={asked}
        label="Rules"
        chosen={(rules) => rules.filter(fits).sort((a, b) => b.found - a.found)}
        keyOf={({ id }) => id}
        nothing="No rule matches."
        columns={[
          [
            'Rule',
            ({ id, statement, why, fix, clauses }) => (
              <details>
                <summary>
                  {statement} <span class="mono soft">{id}</span>
                </summary>
                <p>{fix}</p>
                <p class="soft">{why}</p>
                <p class="mono soft">{clauses.join(', ')}</p>
              </details>
            ),
            'rule-cell',
          ],
          [
            'Severity',
            ({ severity }) => <span class={`badge ${severity[profile]}`}>{severity[profile]}</span>,
          ],
          ['At fault', ({ judges }) => (judges === 'tpp' ? 'TPP' : 'bank')],
          ['Found', Found, 'num'],
        ]}
      />
    </div>
  );
}

/** How many calls a rule was violated in, as a link to them. */
const Found = ({ id, found }: Pick<ShownRule, 'id' | 'found'>) =>
  found === 0 ? (
    <span class="soft">0</span>
  ) : (
    <a href={hrefWith({ view: 'calls', q: `rule:${id}`, open: null })}>{grouped(found)}</a>
  );
