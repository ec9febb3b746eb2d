/** One call on a page of its own. */
import { address, hrefWith } from '../address.js';
import { ExchangeDetail } from './exchange-detail.js';

export function ExchangePage() {
  const { open } = address.value;
  return (
    <article class="own">
      <p class="pane-head">
        <a href={hrefWith({ view: 'calls' })}>Back to list</a>
      </p>
      <ExchangeDetail id={open ?? ''} />
    </article>
  );
}
