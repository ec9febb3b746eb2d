/** Journeys, calls, and the call that is open. */
import { address } from '../address.js';
import { ExchangePane } from '../exchange/exchange-pane.js';
import { Alerts } from '../journeys/alerts.js';
import { Journeys } from '../journeys/journeys.js';
import { CallList } from './call-list.js';
import { CallsHead } from './calls-head.js';
import { Search } from './search.js';

export function CallsView() {
  const { open } = address.value;
  return (
    <div class={`columns ${open === null ? '' : 'opened'}`}>
      <section class="side" aria-label="Journeys and alerts">
        <a class="skip" href="#calls">
          Skip to the calls
        </a>
        <Journeys />
        <Alerts />
      </section>
      <section class="calls-column" aria-labelledby="calls-title">
        <CallsHead />
        <Search />
        <CallList />
      </section>
      {open === null ? null : <ExchangePane id={open} />}
    </div>
  );
}
