/** The error of an expectation that names what there is not. */
import { slipOf } from '../../spec/index.js';

export function unknownName(what: string, name: string, known: readonly string[]): TypeError {
  const meant = slipOf(name, known);
  return new TypeError(`There is no ${what} ${name}.${meant === '' ? '' : ` Did you mean ${meant}?`}`);
}
