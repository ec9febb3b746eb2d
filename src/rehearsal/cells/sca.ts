/** Cells of the SCA: the fourteen outcomes of linking and of paying, and the two ways to start it. */
import { SCA_SCENARIO_IDS, type ScaScenario, scaScenarioRow } from '../../spec/index.js';
import { type Cell, cells } from './cell.js';

const GROUP = {
  family: 'sca',
  seen: 'every bank: one SCA in six ends without a yes, and few test environments play more than the yes',
} as const;

const endOf = (scenario: ScaScenario) => scaScenarioRow(scenario).error;

/** By turns the bank links to its page in both ways. */
const rowsOf = (action: 'link' | 'pay') =>
  Object.fromEntries(
    SCA_SCENARIO_IDS.map((scenario, place) => [
      `${action}-${scenario.toLowerCase().replaceAll('_', '-')}`,
      {
        happens: `The PSU ${action === 'link' ? 'links an account' : 'pays'}, and the SCA ends with ${scenario}: ${scaScenarioRow(scenario).meaning.toLowerCase()}.`,
        calm: action === 'link' ? [] : (['link'] as const),
        storm: [`${action} ${scenario}`] as const,
        after: endOf(scenario) === null ? [] : ([action] as const),
        ...(endOf(scenario) === null ? { must: true as const } : {}),
        ...(place % 2 === 1 ? { scaLink: 'direct' as const } : {}),
      },
    ]),
  );

const START = {
  ...GROUP,
  seen: 'banks that offer one way only: the link comes with the creation, or with an authorisation that the TPP starts',
  sound:
    'It takes the link from where it is: from the answer to the creation, or from an authorisation that it starts if there is none.',
  must: true,
} as const;

export const SCA_CELLS: readonly Cell[] = [
  ...cells(
    {
      ...GROUP,
      sound:
        'It reads error and code of the return, tells the PSU in words what happened, keeps nothing half done, and lets the PSU begin anew.',
    },
    { ...rowsOf('link'), ...rowsOf('pay') },
  ),
  ...cells(START, {
    'link-explicit': {
      happens: 'The authorisation of a consent is created by a call of its own.',
      storm: ['link', 'sync'],
      explicit: true,
    },
    'link-explicit-direct': {
      happens:
        'The authorisation of a consent is created by a call of its own, and its link is the authorize address.',
      storm: ['link', 'sync'],
      explicit: true,
      scaLink: 'direct',
    },
    'pay-explicit': {
      happens: 'The authorisation of a payment is created by a call of its own.',
      calm: ['link'],
      storm: ['pay'],
      explicit: true,
    },
    'pay-explicit-direct': {
      happens:
        'The authorisation of a payment is created by a call of its own, and its link is the authorize address.',
      calm: ['link'],
      storm: ['pay'],
      explicit: true,
      scaLink: 'direct',
    },
  }),
];
