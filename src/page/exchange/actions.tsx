/** Actions on a call: copy as code, send again, compare, write as a ticket. */
import { useState } from 'preact/hooks';
import type { Comparison, Detail, ExchangeList } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { get, getText, useAsked, useGet } from '../api.js';
import { shortPath, timeOfDay } from '../format.js';
import { dialog } from '../shell/dialog.js';
import { ABOUT, copy, Table } from '../view.js';
import { ResendDialog } from './resend.js';
import { WaiveDialog } from './waive.js';

const OURS: ReadonlySet<string> = new Set(['api', 'psu']);
const CODES = ['curl', 'fetch', 'vitest'] as const;

export function Actions({ exchange }: { exchange: Detail }) {
  const [isComparing, setComparing] = useState(false);
  const path = `/api/exchanges/${encodeURIComponent(exchange.id)}`;
  const isCall = OURS.has(exchange.listener) && exchange.method !== '';
  return (
    <>
      <div class="acts">
        {ABOUT.actions && isCall ? (
          <button
            type="button"
            class="go"
            onClick={() => (dialog.value = <ResendDialog exchange={exchange} />)}
          >
            Send again
          </button>
        ) : null}
        {isCall
          ? CODES.map((as) => (
              <button key={as} type="button" onClick={() => copy(as, getText(`${path}/code`, { as }))}>
                Copy {as}
              </button>
            ))
          : null}
        <button type="button" aria-expanded={isComparing} onClick={() => setComparing(!isComparing)}>
          Compare
        </button>
        {exchange.answer?.source === 'rule' ? null : (
          <button type="button" onClick={() => copy('The ticket', getText(`${path}/ticket`))}>
            Copy ticket
          </button>
        )}
        {ABOUT.actions && exchange.findings.length > 0 ? <Waive exchange={exchange} /> : null}
      </div>
      {isComparing ? <Compare exchange={exchange} /> : null}
    </>
  );
}

function Waive({ exchange }: { exchange: Detail }) {
  const finding = exchange.findings.find(({ waived }) => waived === undefined);
  return finding === undefined ? null : (
    <button
      type="button"
      onClick={() => (dialog.value = <WaiveDialog exchange={exchange} finding={finding} />)}
    >
      Waive
    </button>
  );
}

const LAST_GOOD = 'last-good';
const BY_ID = 'by-id';

const MOST = 100;

function Compare({ exchange: { id, session, operation } }: { exchange: Detail }) {
  const [choice, setChoice] = useState(LAST_GOOD);
  const [typed, setTyped] = useState('');
  const other = choice === BY_ID ? typed : choice;
  const q = `operation:${operation ?? 'none'}`;
  const others = useGet<ExchangeList>('/api/exchanges', { session, q, limit: MOST });
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
