/** What can be done with a call: copied as code, sent again, compared, written as a ticket. */
import { useState } from 'preact/hooks';
import type { Detail } from '../../admin/index.js';
import { ABOUT } from '../about.js';
import { getText } from '../api.js';
import { dialog } from '../shell/open-dialog.js';
import { doing } from '../state/said.js';
import { Compare } from './compare.js';

/** Listeners that a call can be sent to again. */
const OURS: ReadonlySet<string> = new Set(['api', 'psu']);
const CODES = ['curl', 'fetch', 'vitest'] as const;

export function Actions({ exchange }: { exchange: Detail }) {
  const [isComparing, setComparing] = useState(false);
  const path = `/api/exchanges/${encodeURIComponent(exchange.id)}`;
  const copy = (name: string, address: string, query?: Record<string, string>) =>
    void doing(
      async () => navigator.clipboard.writeText(await getText(address, query)),
      `${name} is copied.`,
    );
  const isCall = OURS.has(exchange.listener) && exchange.method !== '';
  return (
    <>
      <div class="acts">
        {ABOUT.actions && isCall ? (
          <button type="button" class="go" onClick={() => (dialog.value = { kind: 'resend', exchange })}>
            Send again
          </button>
        ) : null}
        {isCall
          ? CODES.map((as) => (
              <button key={as} type="button" onClick={() => copy(as, `${path}/code`, { as })}>
                Copy {as}
              </button>
            ))
          : null}
        <button type="button" aria-expanded={isComparing} onClick={() => setComparing(!isComparing)}>
          Compare
        </button>
        {exchange.answer?.source === 'rule' ? null : (
          <button type="button" onClick={() => copy('The ticket', `${path}/ticket`)}>
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
    <button type="button" onClick={() => (dialog.value = { kind: 'waive', exchange, finding })}>
      Waive
    </button>
  );
}
