/** What needs attention, with what to do. */
import { hrefWith } from '../address.js';
import { momentOn } from '../format.js';
import { clock, newestAlerts } from '../state/standing.js';

const TITLES = {
  unfinished: 'no end is recorded',
  handshake: 'refused at the door',
  limit: 'limit',
  certificate: 'certificate',
  bank: 'bank',
  store: 'store',
  missed: 'missed',
} as const;
const SHOWN = 20;

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
        {all.slice(0, SHOWN).map(({ id, kind, at, text, remedy, count, exchange }) => (
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
