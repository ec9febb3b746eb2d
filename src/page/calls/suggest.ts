/** What may stand next in a filter: names of fields, then values, most of them out of the calls that are shown. */
import type { Summary } from '../../admin/index.js';
import { ABOUT } from '../about.js';

export interface Suggestion {
  /** What is put in place of the word that is typed. */
  readonly text: string;
  readonly meaning: string;
}

const MOST = 8;
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  status: ['2*', '4*', '5*'],
  severity: ['must', 'should', 'note'],
  listener: ['api', 'psu', 'callback'],
  judges: ['tpp', 'aspsp'],
  source: ['rule', 'emulator', 'upstream', 'replay', 'gateway'],
};
const SEEN: Readonly<Record<string, (call: Summary) => readonly (string | null)[]>> = {
  status: ({ status }) => [status === null ? null : String(status)],
  method: ({ method }) => [method.toLowerCase()],
  operation: ({ operation }) => [operation],
  source: ({ source }) => [source],
  tpp: ({ tpp }) => [tpp],
  fault: ({ fault }) => [fault],
  rule: ({ findings }) => findings.map(({ rule }) => rule),
  consent: ({ resource }) => [resource?.kind === 'consent' ? resource.id : null],
  payment: ({ resource }) => [resource?.kind === 'payment' ? resource.id : null],
};

/** The word at the end of a text. */
export const lastWord = (text: string): string => text.split(/[\s()]/).at(-1) ?? '';

export function suggestionsFor(word: string, calls: readonly Summary[]): readonly Suggestion[] {
  const [, sign = '', name = '', operator, value = ''] = /^(-?)([\w-]*)(?:([:=]|!=)(.*))?$/.exec(word) ?? [];
  if (operator === undefined)
    return ABOUT.fields
      .filter(([field]) => field.startsWith(name.toLowerCase()))
      .map(([field, meaning]) => ({ text: `${sign}${field}:`, meaning }))
      .slice(0, MOST);
  const read = SEEN[name];
  const seen = read === undefined ? [] : calls.flatMap(read).filter((one) => one !== null);
  return [...new Set([...seen, ...(KNOWN[name] ?? [])])]
    .filter(
      (one) => !/[\s()"]/.test(one) && one !== value && one.toLowerCase().startsWith(value.toLowerCase()),
    )
    .slice(0, MOST)
    .map((one) => ({ text: `${sign}${name}${operator}${one} `, meaning: '' }));
}
