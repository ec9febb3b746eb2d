/** The choice of an outcome on an SCA page: the fourteen of the specification, by what they mean. */
import { type Dialect, SCA_SCENARIO_IDS, SCA_SCENARIOS, type ScaScenario } from '../spec/index.js';
import { type Html, html } from './html.js';

const GROUPS = [
  { legend: 'It succeeds', takes: (id: ScaScenario) => SCA_SCENARIOS[id].error === null },
  { legend: 'The login fails', takes: (id: ScaScenario) => SCA_SCENARIOS[id].phase === 'login' },
  {
    legend: 'The second factor fails',
    takes: (id: ScaScenario) => SCA_SCENARIOS[id].phase === 'sca' && SCA_SCENARIOS[id].error !== null,
  },
] as const;

/** How the PSU comes back without OAuth: alone, or with a code by which the TPP confirms. */
export type PlainReturn = 'alone' | 'to-confirm';

export const plainReturn = ({ confirms }: Dialect): PlainReturn => (confirms ? 'to-confirm' : 'alone');

/** Whether the SCA is to be confirmed after this outcome. */
export const confirmsBy = (plain: PlainReturn | undefined, id: ScaScenario): boolean =>
  plain === 'to-confirm' && id === 'SCA_OK';

export const givenBy = (id: ScaScenario, plain?: PlainReturn): string => {
  const { error } = SCA_SCENARIOS[id];
  if (confirmsBy(plain, id)) return 'the PSU back, with a confirmation code';
  if (plain !== undefined) return error === null ? 'the PSU back' : 'the PSU back at TPP-Nok-Redirect-URI';
  return error === null ? 'a code' : `error=${error}`;
};

/** Radio buttons of the name `choice`. */
export function outcomeChoices(chosen: ScaScenario = 'SCA_OK', plain?: PlainReturn): Html[] {
  return GROUPS.map(({ legend, takes }) => {
    const choices = SCA_SCENARIO_IDS.filter(takes).map(
      (id) =>
        html`<label><input type="radio" name="choice" value="${id}" required${
          id === chosen && html` checked`
        }> <span>${SCA_SCENARIOS[id].meaning}<br><small>the TPP gets ${givenBy(id, plain)}</small></span> <code>${id}</code></label>\n`,
    );
    return html`<fieldset><legend>${legend}</legend>\n${choices}</fieldset>\n`;
  });
}
