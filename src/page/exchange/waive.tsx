/** Lets a known finding pass from now on, with a reason and until a day. */
import type { Detail } from '../../admin/index.js';
import { act } from '../api.js';
import { Dialog } from '../shell/dialog.js';
import { clock } from '../state/in-force.js';
import { doing } from '../state/said.js';

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

export function WaiveDialog(parts: { exchange: Detail; finding: Detail['findings'][number] }) {
  const { finding, exchange } = parts;
  const { tpp, operation } = exchange;
  // Until the clock is known, the call is as near to it as anything here; when it is told again, what is edited stays.
  const now = Date.parse(clock.peek()?.now ?? exchange.at);
  const until = new Date(now + DEFAULT_DAYS * DAY_MS).toISOString().slice(0, 10);
  const waive = async (form: FormData) => {
    const match = {
      ...(form.has('tpp') && tpp !== null ? { tpp } : {}),
      ...(form.has('operation') && operation !== null ? { operation } : {}),
    };
    const wanted = {
      rule: finding.rule,
      ...(Object.keys(match).length === 0 ? {} : { match }),
      reason: String(form.get('reason')),
      until: String(form.get('until')),
    };
    await doing(
      () => act('POST', '/api/waivers', wanted),
      `${finding.rule} is waived until ${wanted.until}.`,
    );
  };
  return (
    <Dialog title={`Waive ${finding.rule}`} verb="Waive" onSend={waive}>
      <p class="soft">
        Applies from the next call and lasts until restart. Gateways that share a store keep it until the last
        one stops. The session notes it.
      </p>
      <label>
        Why
        <input name="reason" required maxLength={500} autocomplete="off" />
      </label>
      <label>
        Until
        <input name="until" type="date" required value={until} />
      </label>
      {tpp === null ? null : (
        <label class="check">
          <input name="tpp" type="checkbox" checked /> Of {tpp} only
        </label>
      )}
      {operation === null ? null : (
        <label class="check">
          <input name="operation" type="checkbox" checked /> In {operation} only
        </label>
      )}
    </Dialog>
  );
}
