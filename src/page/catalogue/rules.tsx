/** The catalogue of rules, with how often each found something. */
import { useState } from 'preact/hooks';
import type { ShownRule } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { grouped } from '../format.js';
import { standing } from '../state/standing.js';
import { AskedTable } from '../table.js';

export function Rules() {
  const { session } = address.value;
  const [wanted, setWanted] = useState('');
  const asked = useAsked(`rules ${session}`, () => get<readonly ShownRule[]>('/api/rules', { session }));
  const profile = standing.value?.settings?.profile ?? 'production';
  const fits = ({ id, statement }: ShownRule) =>
    `${id} ${statement}`.toLowerCase().includes(wanted.toLowerCase());
  return (
    <div class="page">
      <h1>Rules</h1>
      <p class="soft">As profile {profile} has them; those that found most in this session first.</p>
      <p>
        <label>
          Search{' '}
          <input
            type="search"
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        </label>
      </p>
      <AskedTable
        asked={asked}
        label="Rules"
        chosen={(all) => all.filter(fits).sort((a, b) => b.found - a.found)}
        keyOf={({ id }) => id}
        nothing="No rule is like that."
        columns={[
          [
            'Rule',
            ({ id, statement, why, fix }) => (
              <details>
                <summary>
                  <span class="mono">{id}</span>
                </summary>
                <p>{statement}</p>
                <p class="soft">{why}</p>
                <p>{fix}</p>
              </details>
            ),
            'rule-cell',
          ],
          [
            'Severity',
            ({ severity }) => <span class={`badge ${severity[profile]}`}>{severity[profile]}</span>,
          ],
          ['At fault', ({ judges }) => (judges === 'tpp' ? 'TPP' : 'bank')],
          [
            'Found',
            ({ id, found }) =>
              found === 0 ? (
                <span class="soft">0</span>
              ) : (
                <a href={hrefWith({ view: 'calls', q: `rule:${id}`, open: null })}>{grouped(found)}</a>
              ),
            'num',
          ],
        ]}
      />
    </div>
  );
}
