/** An operator chooses how the next SCA ends: that of one consent or payment, of one PSU, or of anybody. */
import { act, withQuery } from '../api.js';
import { Dialog } from '../shell/dialog.js';
import { doing } from '../state/said.js';
import { ABOUT, ActionForm, filledIn } from '../view.js';

type Outcome = { readonly scenario: string; readonly scope: string | null; readonly psu: string | null };

interface OutcomeParts {
  readonly session: string | null;
}

const set = (session: string | null, wanted: Readonly<Record<string, string>>) =>
  doing(
    () => act<Outcome>('PUT', withQuery('/api/bank/next-outcome', { session }), wanted),
    ({ scenario, scope, psu }) => `The next SCA of ${scope ?? psu ?? 'anybody'} ends with ${scenario}.`,
  );

const Scenario = () => (
  <label>
    The next SCA ends with{' '}
    <select name="scenario">
      {ABOUT.outcomes.map(([scenario, meaning]) => (
        <option key={scenario} value={scenario}>
          {scenario}: {meaning}
        </option>
      ))}
    </select>
  </label>
);

export function NextOutcome({ session }: OutcomeParts) {
  if (!ABOUT.actions) return null;
  return (
    <section>
      <h2>Next outcome</h2>
      <ActionForm verb="Set" onSend={(form) => set(session, filledIn(form, ['scenario', 'psu']))}>
        <Scenario />
        <label>
          Of PSU <input name="psu" placeholder="anybody" size={8} autocomplete="off" />
        </label>
      </ActionForm>
    </section>
  );
}

/** `scope`: of the consent or payment, as OAuth names it. */
export function OutcomeDialog({ session, scope }: OutcomeParts & { readonly scope: string }) {
  return (
    <Dialog
      title="Next outcome"
      verb="Set"
      onSend={(form) => set(session, { ...filledIn(form, ['scenario']), scope })}
    >
      <p class="soft">
        Of <span class="mono">{scope}</span> alone.
      </p>
      <Scenario />
    </Dialog>
  );
}
