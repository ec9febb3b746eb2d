/** Tells what is wrong with a text that should be a date. */
import { describe } from './schema-violations.js';

export const A_DATE = 'a real date, YYYY-MM-DD';

const FORM = /^\d{4}-\d{2}-\d{2}$/;

export function describeDate(text: string): string {
  return FORM.test(text) ? `${describe(text)}, a day that does not exist` : describe(text);
}
