/** The choice of an outcome on an SCA page: the fourteen of the specification, by what they mean. */
import { SCA_SCENARIO_IDS, SCA_SCENARIOS, type ScaScenario } from '../spec/index.js';
import { type Html, html } from './html.js';

const GROUPS = [
  { legend: 'It succeeds', takes: (id: ScaScenario) => SCA_SCENARIOS[id].error === null },
  { legend: 'The login fails', takes: (id: ScaScenario) => SCA_SCENARIOS[id].phase === 'login' },
  {
    legend: 'The second factor fails',
    takes: (id: ScaScenario) => SCA_SCENARIOS[id].phase === 'sca' && SCA_SCENARIOS[id].error !== null,
  },
] as const;

/** `isPlain`: without OAuth, the PSU just comes back. */
export const givenBy = (id: ScaScenario, isPlain = false): string => {
  const { error } = SCA_SCENARIOS[id];
  if (isPlain) return error === null ? 'the PSU back' : 'the PSU back at TPP-Nok-Redirect-URI';
  return error === null ? 'a code' : `error=${error}`;
};

/** Radio buttons of the name `choice`. */
export function outcomeChoices(chosen: ScaScenario = 'SCA_OK', isPlain = false): Html[] {
  return GROUPS.map(({ legend, takes }) => {
    const choices = SCA_SCENARIO_IDS.filter(takes).map(
      (id) =>
        html`<label><input type="radio" name="choice" value="${id}" required${
          id === chosen && html` checked`
        }> <span>${SCA_SCENARIOS[id].meaning}<br><small>the TPP gets ${givenBy(id, isPlain)}</small></span> <code>${id}</code></label>\n`,
    );
    return html`<fieldset><legend>${legend}</legend>\n${choices}</fieldset>\n`;
  });
}
