/** Reads the steps of cells: who does what, how often, and how it is to end. */
import { readDuration } from '../app/config/index.js';
import { DAY_MS, isScaScenario, type ScaScenario } from '../spec/index.js';
import { BANK_ACTIONS, type BankAction, type Cell, type Step } from './cells/index.js';

export type ActionName = 'link' | 'pay' | 'sync';

/** `times` at once; `leaves`: the PSU goes away at the bank. */
export interface ActionStep {
  readonly kind: 'action';
  readonly action: ActionName;
  readonly times: number;
  readonly outcome: ScaScenario;
  readonly leaves: boolean;
}

export type ReadStep =
  | ActionStep
  | { readonly kind: 'clock'; readonly ms: number }
  | { readonly kind: 'bank'; readonly action: BankAction };

const ACTION = /^(?:(\d+) )?(link|pay|sync)(?: (.+))?$/;

/** A sync each day is a day and a sync, so many times. */
export function readStep(step: Step): ReadStep[] {
  const [word = '', rest = ''] = step.split(/ (.*)/s, 2);
  const daily = /^sync daily (\d+)$/.exec(step)?.[1];
  if (daily !== undefined)
    return Array.from({ length: Number(daily) }).flatMap(() => [
      ...readStep('clock 1d'),
      ...readStep('sync'),
    ]);
  if (word === 'clock') return [{ kind: 'clock', ms: readDuration(rest) ?? 0 }];
  const bank = BANK_ACTIONS.find((action) => step === `bank ${action}`);
  if (bank !== undefined) return [{ kind: 'bank', action: bank }];
  const [, times = '1', action, how = ''] = ACTION.exec(step) ?? [];
  return [
    {
      kind: 'action',
      action: action as ActionName,
      times: Number(times),
      outcome: isScaScenario(how) ? how : 'SCA_OK',
      leaves: how === 'and leave',
    },
  ];
}

export const stepsOf = ({ calm, storm, after }: Cell): readonly ReadStep[] =>
  [calm, storm, after].flatMap((steps) => steps.flatMap(readStep));

export const daysOf = (cell: Cell): number =>
  stepsOf(cell).reduce((sum, step) => sum + (step.kind === 'clock' ? step.ms / DAY_MS : 0), 0);
