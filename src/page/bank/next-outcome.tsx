/** How the next SCA ends that a PSU walks through. */
import { ABOUT } from '../about.js';
import { act, withQuery } from '../api.js';
import { doing } from '../state/said.js';
import { ActionForm, filledIn } from '../view.js';

interface Outcome {
  readonly scenario: string;
  readonly scope: string | null;
  readonly psu: string | null;
}

export function NextOutcome({ session }: { readonly session: string | null }) {
  if (!ABOUT.actions) return null;
  const set = (form: FormData) => {
    const wanted = filledIn(form, ['scenario', 'scope', 'psu']);
    return doing(
      () => act<Outcome>('PUT', withQuery('/api/bank/next-outcome', { session }), wanted),
      ({ scenario, scope, psu }) => `The next SCA of ${scope ?? psu ?? 'anybody'} ends with ${scenario}.`,
    );
  };
  return (
    <section>
      <h2>Next outcome</h2>
      <ActionForm verb="Set" onSend={set}>
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
        <label>
          Of <input name="scope" placeholder="AIS:consent or PIS:payment" size={26} autocomplete="off" />
        </label>
        <label>
          By <input name="psu" placeholder="psu-1" size={8} autocomplete="off" />
        </label>
      </ActionForm>
    </section>
  );
}
