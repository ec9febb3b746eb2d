/** Where a call differs from another: the last good one of its operation, or any. */
import { useState } from 'preact/hooks';
import type { Comparison, Detail, ExchangeList } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { shortPath, timeOfDay } from '../format.js';
import { Table } from '../table.js';

const LAST_GOOD = 'last-good';
/** Of the choices; no exchange has it for an id. */
const BY_ID = 'by-id';

/** So many of the newest of the operation can be chosen. */
const MOST = 100;

export function Compare({ exchange: { id, session, operation } }: { exchange: Detail }) {
  const [choice, setChoice] = useState(LAST_GOOD);
  const [typed, setTyped] = useState('');
  const other = choice === BY_ID ? typed : choice;
  const others = useAsked(`others of ${id}`, () =>
    get<ExchangeList>('/api/exchanges', { session, q: `operation:${operation ?? 'none'}`, limit: MOST }),
  );
  const { value, problem } = useAsked(`${id} ${other}`, () =>
    other === ''
      ? Promise.resolve(undefined)
      : get<Comparison>(`/api/exchanges/${encodeURIComponent(id)}/compare`, { with: other }),
  );
  return (
    <section class="card" aria-label="Comparison">
      <label>
        With{' '}
        <select class="num" value={choice} onChange={({ currentTarget }) => setChoice(currentTarget.value)}>
          <option value={LAST_GOOD}>the last good call of {operation ?? 'no known operation'}</option>
          {others.value?.exchanges
            .filter((one) => one.id !== id)
            .map((one) => (
              <option key={one.id} value={one.id}>
                {[
                  timeOfDay(one.at),
                  one.method,
                  shortPath(one.path),
                  one.status ?? 'failed',
                  one.worst ?? '',
                ].join(' ')}
              </option>
            ))}
          <option value={BY_ID}>any other call, by its id</option>
        </select>
      </label>
      {choice === BY_ID ? (
        <label>
          Its id{' '}
          <input
            class="mono"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value.trim())}
          />
        </label>
      ) : null}
      {others.problem === null ? null : <p class="problem">{others.problem}</p>}
      {problem === null ? null : <p class="problem">{problem}</p>}
      {value === undefined ? null : (
        <>
          <p>
            <a href={hrefWith({ open: value.with })}>The other call</a>
          </p>
          <Differences title="Request" rows={value.request} />
          {value.answer === null ? null : <Differences title="Answer" rows={value.answer} />}
        </>
      )}
    </section>
  );
}

function Differences({ title, rows }: { title: string; rows: Comparison['request'] }) {
  const worthIt = rows.filter((one) => one.class !== 'noise');
  const noise = rows.length - worthIt.length;
  return (
    <>
      <h3>{title}</h3>
      <Table
        label={`Differences of the ${title.toLowerCase()}`}
        rows={worthIt}
        keyOf={({ what, place }) => `${what} ${place}`}
        nothing={`No difference${noise === 0 ? '' : ` but ${noise} that differ from call to call`}.`}
        columns={[
          ['Place', ({ place }) => place, 'mono'],
          ['Here', ({ now }) => <del>{now}</del>, 'mono'],
          ['There', ({ was }) => <ins>{was}</ins>, 'mono'],
        ]}
      />
    </>
  );
}
