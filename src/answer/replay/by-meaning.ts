/** Normalises values that can be written in several ways. */
import { mediaType } from '../../exchange/index.js';

/** A number as Berlin Group amounts are written: `1.50`, `+1.5` and 1.5 are `1.5`. Other texts stay. */
function amount(text: string): string {
  const parts = /^([+-]?)0*(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text.trim());
  if (parts === null) return text;
  const [, sign = '', whole = '0', rest = ''] = parts;
  const decimals = rest.replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}

const account = (text: string): string => text.replaceAll(' ', '').toUpperCase();
const flag = (text: string): string => text.trim().toLowerCase();

/** Of the first media type that is asked for: clients differ in how they ask for JSON, or do not ask at all. */
function accepted(text: string): string {
  if (text === ACCEPT_WHERE_ABSENT) return text;
  const type = mediaType(text.split(',', 1)[0]);
  return type === '' || type === '*/*' || type.startsWith('text/html') || type === 'application/*'
    ? 'application/json'
    : type;
}

/** By name of a header, a query parameter or a member of a JSON body. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  amount,
  iban: account,
  currency: account,
  accept: accepted,
  'content-type': mediaType,
  'tpp-explicit-authorisation-preferred': flag,
  withBalance: flag,
};

export function spelledByMeaning(name: string, text: string): string {
  return Object.hasOwn(SPELLINGS, name) ? (SPELLINGS[name] as (text: string) => string)(text) : text;
}

/** What a client means that sends no Accept. */
export const ACCEPT_WHERE_ABSENT = 'application/json';
