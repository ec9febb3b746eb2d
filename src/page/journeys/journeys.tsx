/** The journeys of the session, one lane for each consent and payment, and what needs attention. */
import { useState } from 'preact/hooks';
import { hrefWith } from '../address.js';
import { grouped, momentOn } from '../format.js';
import { clock, newestAlerts } from '../state/in-force.js';
import { arePartial, journeys } from '../state/journeys.js';
import { Lane } from './lane.js';

const SHOWN = 30;

export function Journeys() {
  const [shown, setShown] = useState(SHOWN);
  const all = journeys.value;
  const open = all.filter(({ ended }) => !ended).length;
  return (
    <>
      <h2 class="head">
        <span>Journeys</span>
        <span class="num">{all.length === 0 ? '' : `${grouped(open)} open`}</span>
      </h2>
      {all.length === 0 ? <p class="soft end">Consents and payments that TPPs create appear here.</p> : null}
      {arePartial.value ? (
        <p class="soft end">More calls come than are looked at: some steps are missing until fewer come.</p>
      ) : null}
      <ul class="lanes">
        {all.slice(0, shown).map((one) => (
          <Lane key={one.id} journey={one} />
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

const TITLES = {
  unfinished: 'no end is recorded',
  handshake: 'refused at the door',
  limit: 'limit',
  certificate: 'certificate',
  bank: 'bank',
  store: 'store',
  missed: 'missed',
} as const;
const MOST_ALERTS = 20;

export function Alerts() {
  const all = newestAlerts.value;
  if (all.length === 0) return null;
  return (
    <>
      <h2 class="head">
        <span>Needs attention</span>
        <span class="num">{all.length}</span>
      </h2>
      <ul class="alerts">
        {all.slice(0, MOST_ALERTS).map(({ id, kind, at, text, remedy, count, exchange }) => (
          <li key={id}>
            <b class="bad">{TITLES[kind]}</b>{' '}
            <span class="soft num">
              {momentOn(clock.value?.now ?? at, at)}
              {count > 1 ? `, ${count} times` : ''}
            </span>
            <p>{text}</p>
            <p class="soft">
              {remedy}{' '}
              {exchange === null ? null : <a href={hrefWith({ view: 'calls', open: exchange })}>The call</a>}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
