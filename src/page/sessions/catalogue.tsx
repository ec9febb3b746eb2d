/** The views of rules and of certificates. */
import { useState } from 'preact/hooks';
import type { ShownCertificate, ShownRule } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { useGet } from '../api.js';
import { days, grouped } from '../format.js';
import { inForce } from '../state/in-force.js';
import { AskedTable } from '../view.js';

export function Rules() {
  const { session } = address.value;
  const [wanted, setWanted] = useState('');
  const asked = useGet<readonly ShownRule[]>('/api/rules', { session });
  const profile = inForce.value?.settings?.profile ?? 'production';
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

const USES = {
  bank: 'client certificate at the bank',
  server: 'server certificate',
  ca: 'CA',
  tpp: 'TPP',
  test: 'test',
} as const satisfies Record<ShownCertificate['use'], string>;
const NEAR_DAYS = 30;

export function Certificates() {
  const { session } = address.value;
  const asked = useGet<readonly ShownCertificate[]>('/api/certificates', { session });
  return (
    <div class="page">
      <h1>Certificates</h1>
      <AskedTable
        asked={asked}
        label="Certificates"
        chosen={(all) => [...all].sort((a, b) => b.exchanges - a.exchanges)}
        keyOf={({ fingerprint }) => fingerprint}
        nothing="There are none."
        columns={[
          ['Certificate', ({ name, subject }) => <span title={subject}>{name ?? subject}</span>],
          ['Use', ({ use, flaw }) => (flaw === null ? USES[use] : `${USES[use]}: ${flaw}`)],
          ['TPP', ({ tpp }) => tpp ?? '–', 'mono'],
          [
            'Left',
            ({ daysLeft, notAfter }) => (
              <span class={daysLeft < NEAR_DAYS ? 'bad' : ''} title={notAfter}>
                {days(daysLeft)}
              </span>
            ),
            'num',
          ],
          ['Calls', ({ exchanges }) => grouped(exchanges), 'num'],
          [
            'Newest',
            ({ exchange }) =>
              exchange === null ? '–' : <a href={hrefWith({ view: 'calls', open: exchange })}>The call</a>,
          ],
        ]}
      />
    </div>
  );
}
