/** Actions on a call: copy as code, send again, compare, write as a ticket. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Comparison, Detail, ExchangeList } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { get, getText, useAsked, useGet } from '../api.js';
import { shortPath, timeOfDay } from '../format.js';
import { dialog } from '../shell/dialog.js';
import { ABOUT, copy, Table } from '../view.js';
import { AnswerOf } from './message.js';
import { ResendDialog, resent } from './resend.js';
import { WaiveDialog } from './waive.js';

const OURS: ReadonlySet<string> = new Set(['api', 'psu']);
const CODES = ['curl', 'fetch', 'vitest'] as const;

export function Actions({ exchange }: { exchange: Detail }) {
  const [isComparing, setComparing] = useState(resent.peek()?.id === exchange.id);
  const path = `/api/exchanges/${encodeURIComponent(exchange.id)}`;
  // A connection that never became a call: there is nothing to send again, to compare or to ask about.
  if (exchange.method === '') return null;
  const isCall = OURS.has(exchange.listener);
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
        {isAnsweredHere(exchange) ? null : (
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

/** Such a call has no ticket: the bank has not seen it. Where it could not be reached, the gateway answers 502 or 504. */
const isAnsweredHere = ({ answer }: Detail): boolean =>
  answer?.source === 'rule' ||
  (answer?.source === 'gateway' && answer.status !== 502 && answer.status !== 504);

const LAST_GOOD = 'last-good';
const BY_ID = 'by-id';

const MOST = 100;

function Compare({ exchange }: { exchange: Detail }) {
  const { id, session, operation } = exchange;
  const from = resent.value?.id === id ? resent.value.from : null;
  const [choice, setChoice] = useState(from ?? LAST_GOOD);
  const [typed, setTyped] = useState('');
  const other = choice === BY_ID ? typed : choice;
  const q = `operation:${operation ?? 'none'}`;
  const others = useGet<ExchangeList>('/api/exchanges', { session, q, limit: MOST });
  const { value, problem } = useAsked(`${id} ${other}`, async () => {
    if (other === '') return undefined;
    const path = (one: string) => `/api/exchanges/${encodeURIComponent(one)}`;
    const found = await get<Comparison>(`${path(id)}/compare`, { with: other });
    return { ...found, there: await get<Detail>(path(found.with)) };
  });
  const box = useRef<HTMLElement>(null);
  const isFresh = from !== null && value !== undefined;
  useLayoutEffect(() => {
    // On a wide screen it is in sight below the actions.
    if (isFresh && innerWidth <= 820) box.current?.scrollIntoView({ block: 'start' });
  }, [isFresh]);
  return (
    <section class="card" ref={box} aria-label="Comparison">
      <label>
        With{' '}
        <select class="num" value={choice} onChange={({ currentTarget }) => setChoice(currentTarget.value)}>
          {from === null ? null : <option value={from}>the call that was sent again</option>}
          <option value={LAST_GOOD}>the last good call of {operation ?? 'no known operation'}</option>
          {others.value?.exchanges
            .filter((one) => one.id !== id && one.id !== from)
            .map((one) => (
              <option key={one.id} value={one.id}>
                {[
                  timeOfDay(one.at),
                  one.method,
                  shortPath(one.path),
                  one.status ?? 'failed',
                  one.worst ?? '',
                  one.sender === null ? '' : 'by Sandgate',
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
            defaultValue={typed}
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
          <div class="answers">
            <AnswerOf exchange={exchange} title="This answer" look={lookOf(exchange, value.there)} />
            <AnswerOf exchange={value.there} title="The other answer" look={lookOf(value.there, exchange)} />
          </div>
          {(['request', 'answer'] as const).map((side) => (
            <Differences
              key={side}
              side={side}
              rows={value[side] ?? []}
              here={exchange}
              there={value.there}
            />
          ))}
        </>
      )}
    </section>
  );
}

const isWrong = ({ status, worst }: Detail): boolean => status === null || status >= 400 || worst === 'must';

/** Green is right where the other is wrong; red is the reverse. */
const lookOf = (one: Detail, other: Detail): 'right' | 'wrong' | '' =>
  isWrong(one) === isWrong(other) ? '' : isWrong(one) ? 'wrong' : 'right';

interface DifferencesParts {
  readonly side: 'request' | 'answer';
  readonly rows: Comparison['request'];
  readonly here: Detail;
  readonly there: Detail;
}

function Differences({ side, rows, here, there }: DifferencesParts) {
  const worthIt = rows.filter((one) => one.class !== 'noise');
  const noise = rows.length - worthIt.length;
  return (
    <>
      <h3>{side === 'request' ? 'Request' : 'Answer'}</h3>
      <Table
        label={`Differences of the ${side}`}
        rows={worthIt}
        keyOf={({ what, place }) => `${what} ${place}`}
        nothing={`No difference${noise === 0 ? '' : ` but ${noise} that differ from call to call`}.`}
        columns={[
          ['Place', ({ place }) => place, 'mono'],
          ['Here', ({ now }) => <span class={lookOf(here, there)}>{now}</span>, 'mono'],
          ['There', ({ was }) => <span class={lookOf(there, here)}>{was}</span>, 'mono'],
        ]}
      />
    </>
  );
}
