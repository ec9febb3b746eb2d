/** The journeys of the session, one lane for each consent and payment, and what needs attention. */
import { useState } from 'preact/hooks';
import type { Alert } from '../../admin/index.js';
import { hrefWith, VIEWS, type View } from '../address.js';
import { grouped, momentOn } from '../format.js';
import { clock, newestAlerts } from '../state/in-force.js';
import { arePartial, areShared, journeys, journeysInRange } from '../state/journeys.js';
import { Lane } from './lane.js';

const SHOWN = 30;

export function Journeys() {
  const [shown, setShown] = useState(SHOWN);
  const all = journeysInRange.value;
  const open = all.filter(({ ended }) => !ended).length;
  return (
    <>
      <h2 class="head">
        <span>Journeys</span>
        <span class="num">{all.length === 0 ? '' : `${grouped(open)} open`}</span>
      </h2>
      {all.length > 0 ? null : (
        <p class="soft end">
          {journeys.value.length === 0
            ? 'Consents and payments that TPPs create appear here.'
            : 'None had a call in this range.'}
        </p>
      )}
      {arePartial.value ? (
        <p class="soft end">More calls come than are looked at: some steps are missing until fewer come.</p>
      ) : null}
      <ul class="lanes">
        {all.slice(0, shown).map((one) => (
          <Lane key={one.id} journey={one} isShared={areShared.value.has(one.resource)} />
        ))}
      </ul>
      {all.length <= shown ? null : (
        <p class="end">
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            {grouped(all.length - shown)} more
          </button>
        </p>
      )}
    </>
  );
}

/** The title of each kind, and the view that has more where no call is named. */
const KINDS: Readonly<Record<Alert['kind'], readonly [title: string, view?: View]>> = {
  unfinished: ['Unfinished call'],
  store: ['Store'],
  bank: ['Bank down'],
  certificate: ['Certificate', 'certificates'],
  limit: ['Daily limit'],
  handshake: ['Refused connection'],
  finding: ['Finding', 'rules'],
  missed: ['Missed'],
};
/** More would hide the journeys below. */
const FEW_ALERTS = 3;

export function Alerts() {
  const [areAll, showAll] = useState(false);
  const all = newestAlerts.value;
  if (all.length === 0) return null;
  return (
    <>
      <h2 class="head">
        <span>Needs attention</span>
        <span class="num">{all.length}</span>
      </h2>
      <ul class="alerts">
        {(areAll ? all : all.slice(0, FEW_ALERTS)).map(({ id, kind, at, text, remedy, count, exchange }) => {
          const [title, view] = KINDS[kind];
          return (
            <li key={id}>
              <div>
                <b class="bad">{title}</b>{' '}
                <span class="soft num">
                  {momentOn(clock.value?.now ?? at, at)}
                  {count > 1 ? `, ${grouped(count)} times` : ''}
                </span>
                {exchange !== null ? (
                  <a href={hrefWith({ view: 'calls', open: exchange })}>
                    Open call<span class="hidden"> of {title}</span>
                  </a>
                ) : view === undefined ? null : (
                  <a href={hrefWith({ view, open: null })}>{VIEWS[view].name}</a>
                )}
              </div>
              <p title={text}>{text}</p>
              <p class="soft" title={remedy}>
                {remedy}
              </p>
            </li>
          );
        })}
      </ul>
      {all.length <= FEW_ALERTS ? null : (
        <p class="end">
          <button type="button" aria-expanded={areAll} onClick={() => showAll(!areAll)}>
            {areAll ? 'Show fewer' : `${grouped(all.length - FEW_ALERTS)} more`}
          </button>
        </p>
      )}
    </>
  );
}
