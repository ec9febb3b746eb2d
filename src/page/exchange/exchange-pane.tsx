/** The call that is open beside the list. */
import { go, hrefWith } from '../address.js';
import { ExchangeDetail } from './exchange-detail.js';

export function ExchangePane({ id }: { id: string }) {
  return (
    <section class="pane" aria-label="The call that is open">
      <div class="pane-head">
        <a href={hrefWith({ view: 'exchange', open: id })}>Open full page</a>
        <button type="button" class="icon" aria-label="Close" onClick={() => go({ open: null })}>
          ×
        </button>
      </div>
      <ExchangeDetail id={id} />
    </section>
  );
}
