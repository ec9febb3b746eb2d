/** Reads the parameters of queries and forms: sent once, missing, or sent several times. */
import type { Call } from '../../exchange/index.js';
import { OAUTH_PARAMETERS, OPERATIONS } from '../../spec/index.js';
import { type Violation, violation } from '../rule.js';

export type Parameters = Call['request']['query'];

const NONE: Parameters = [];

export function formOf(call: Call): Parameters {
  return call.content.kind === 'form' ? call.content.fields : NONE;
}

function timesOf(parameters: Parameters, name: string): number {
  let times = 0;
  for (const [key] of parameters) if (key === name) times++;
  return times;
}

/** The value of a parameter that was sent once, be it empty. Undefined where it was sent several times, or not at all. */
export function sentOnceOf(parameters: Parameters, name: string): string | undefined {
  let found: string | undefined;
  for (const [key, value] of parameters) {
    if (key !== name) continue;
    if (found !== undefined) return undefined;
    found = value;
  }
  return found;
}

/** Like `sentOnceOf`, but an empty value counts as not sent (RFC 6749 3.1). */
export function onceOf(parameters: Parameters, name: string): string | undefined {
  return sentOnceOf(parameters, name) || undefined;
}

export function formOnce(call: Call, name: string): string | undefined {
  return onceOf(formOf(call), name);
}

/** Names that a bank asks for, without those that it can do without. */
export const withoutThese = (
  names: readonly string[],
  optional: readonly string[] = [],
): readonly string[] => (optional.length === 0 ? names : names.filter((name) => !optional.includes(name)));

/** A violation for each required parameter that is missing, and each that was sent several times. `mayBeEmpty` need no value. */
export function parameterFaults(
  parameters: Parameters,
  required: readonly string[],
  optional: readonly string[],
  part: 'query' | 'body',
  mayBeEmpty: readonly string[] = [],
): Violation[] {
  const faults: Violation[] = [];
  for (const name of required) {
    const times = timesOf(parameters, name);
    if (times > 1) faults.push(repeated(part, name, times));
    else if (times === 1 && mayBeEmpty.includes(name)) continue;
    else if (onceOf(parameters, name) === undefined)
      faults.push(violation(`${part} ${name}`, 'a value', times === 0 ? 'absent' : 'an empty string'));
  }
  for (const name of optional) {
    const times = timesOf(parameters, name);
    if (times > 1) faults.push(repeated(part, name, times));
  }
  return faults;
}

/** A query parameter that is sent several times with different values: a bank reads the first of them, or the last. */
export function contradiction({ request: { query } }: Call, name: string): Violation | undefined {
  let values: Set<string> | undefined;
  for (const [known, value] of query) if (known === name) values = (values ?? new Set()).add(value);
  if (values === undefined || values.size === 1) return undefined;
  return violation(`query ${name}`, 'the parameter once', [...values].join(', '));
}

function repeated(part: 'query' | 'body', name: string, times: number): Violation {
  return violation(`${part} ${name}`, 'the parameter once', `${times} times`);
}

const OF_AUTHORIZE = new Set<string>(OPERATIONS['oauth.authorize'].query);

/** For oauth/discovery-read-first to judge, and for no other rule: one fault, one finding. */
export function isAuthorizeParameter(name: string): boolean {
  return OF_AUTHORIZE.has(name) || OAUTH_PARAMETERS.has(name);
}
