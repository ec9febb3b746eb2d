/** What a page's form has posted. */
import type { Call } from '../../../exchange/index.js';
import { FIELDS, type StepAction } from './frame.js';

export interface StepForm {
  readonly action: StepAction | undefined;
  /** The first value of a field, without blanks around it; empty where there is none. */
  readonly text: (field: keyof typeof FIELDS) => string;
  readonly accounts: readonly string[];
}

const ACTIONS: ReadonlySet<string> = new Set<StepAction>([
  'login',
  'accounts',
  'confirm',
  'again',
  'cancel',
  'choice',
]);
const MOST_ACCOUNTS = 1_000;

export function readStepForm({ content }: Call): StepForm {
  const fields = content.kind === 'form' ? content.fields : [];
  const text = (field: keyof typeof FIELDS): string =>
    fields.find(([name]) => name === FIELDS[field])?.[1].trim() ?? '';
  const action = text('step');
  return {
    action: ACTIONS.has(action) ? (action as StepAction) : undefined,
    text,
    accounts: fields
      .filter(([name]) => name === FIELDS.account)
      .slice(0, MOST_ACCOUNTS)
      .map(([, value]) => value),
  };
}
