/** What a page's form has posted. */
import type { Call } from '../../../exchange/index.js';
import { FIELDS, type StepAction } from './frame.js';

export interface PostedForm {
  /** The first value of a field, without blanks around it; empty where there is none. */
  readonly text: (field: string) => string;
  /** All values of a field, bounded. */
  readonly all: (field: string) => readonly string[];
}

export interface StepForm {
  readonly action: StepAction | undefined;
  readonly text: (field: keyof typeof FIELDS) => string;
  readonly accounts: readonly string[];
}

const ACTIONS: ReadonlySet<string> = new Set<StepAction>([
  'login',
  'accounts',
  'all',
  'confirm',
  'again',
  'cancel',
  'choice',
]);
const MOST_VALUES = 1_000;

export function readForm({ content }: Call): PostedForm {
  const fields = content.kind === 'form' ? content.fields : [];
  return {
    text: (field) => fields.find(([name]) => name === field)?.[1].trim() ?? '',
    all: (field) =>
      fields
        .filter(([name]) => name === field)
        .slice(0, MOST_VALUES)
        .map(([, value]) => value),
  };
}

export function readStepForm(call: Call): StepForm {
  const { text, all } = readForm(call);
  const action = text(FIELDS.step);
  return {
    action: ACTIONS.has(action) ? (action as StepAction) : undefined,
    text: (field) => text(FIELDS[field]),
    accounts: all(FIELDS.account),
  };
}
