/** Certificates: our own, those to test with, and those that TPPs showed, with the days that each has left. */
import type { ShownCertificate } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { days, grouped } from '../format.js';
import { AskedTable } from '../table.js';

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
  const asked = useAsked(`certificates ${session}`, () =>
    get<readonly ShownCertificate[]>('/api/certificates', { session }),
  );
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
