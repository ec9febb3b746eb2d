/** Parameters of operations in an OpenAPI document, and what they say about the headers that a bank requires. */
import { isObject } from '../../exchange/index.js';
import { operationsOf, RULES } from '../../rules/index.js';
import { type BankProfile, EVERY_OPERATION_ID, type OperationId } from '../../spec/index.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { FoundOperation } from './openapi-paths.js';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: unknown;
}

export function parametersOf(document: OpenApiDocument, { operation, item }: FoundOperation): Parameter[] {
  return [item, operation].flatMap((holder) => {
    const list = document.at(holder, 'parameters');
    return (Array.isArray(list) ? list.slice(0, 200) : []).flatMap((given) => {
      const one = document.resolve(given);
      if (!isObject(one) || typeof one.name !== 'string') return [];
      const schema = document.at(one, 'schema');
      return [{ name: one.name, in: String(one.in), required: one.required === true, schema }];
    });
  });
}

type Demand = 'required' | 'optional' | 'none';

/** Headers with a meaning of their own: named elsewhere in the profile, or required by the standard. */
const ELSEWHERE =
  /^(?:x-request-id|digest|signature|tpp-signature-certificate|authorization|content-type|accept|consent-id)$/i;

/** Headers that the built-in interface requires, with the rule that says so. */
const BUILT_IN = {
  'PSU-IP-Address': 'requests/psu-ip-address-present',
  'TPP-Redirect-URI': 'requests/redirect-uri-present',
};

export function proposeHeaders(
  document: OpenApiDocument,
  found: readonly FoundOperation[],
): BankProfile['headers'] {
  const required = new Map<string, Set<OperationId>>();
  const demands = new Map<string, Demand>();
  const known = Object.entries(BUILT_IN).map(([name, id]) => ({
    name,
    of: operationsBy(id),
    freed: new Set<OperationId>(),
  }));
  for (const one of found) {
    const headers = parametersOf(document, one).filter((parameter) => parameter.in === 'header');
    for (const { name, required: isRequired } of headers) {
      const key = name.toLowerCase();
      if (demands.get(key) !== 'required') demands.set(key, isRequired ? 'required' : 'optional');
      if (!isRequired || ELSEWHERE.test(name) || !/^[A-Za-z0-9-]{1,60}$/.test(name)) continue;
      const spelling = [...required.keys()].find((before) => before.toLowerCase() === key) ?? name;
      required.set(spelling, (required.get(spelling) ?? new Set()).add(one.id));
    }
    for (const { name, of, freed } of known) {
      const its = headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
      if (of.has(one.id) && its?.required !== true) freed.add(one.id);
    }
  }
  // The built-in interface asks for these by itself.
  for (const { name, of } of known)
    for (const [header, ids] of required)
      if (header.toLowerCase() === name.toLowerCase() && [...ids].every((id) => of.has(id)))
        required.delete(header);
  const all = found.map(({ id }) => id);
  const rows = (sets: Iterable<readonly [string, ReadonlySet<OperationId>]>) =>
    Object.fromEntries(
      [...sets].flatMap(([name, ids]) => (ids.size === 0 ? [] : [[name, patternsOf(ids, all)]])),
    );
  return {
    required: rows(required),
    optional: rows(known.map(({ name, freed }) => [name, freed] as const)),
    digest: demands.get('digest') ?? 'none',
    signature: demands.get('signature') ?? 'none',
  };
}

const operationsBy = (id: string): ReadonlySet<string> =>
  new Set(RULES.filter((rule) => rule.id === id).flatMap((rule) => operationsOf(rule)));

/** `accounts.*` where a name begins all of that kind that the document has. */
function patternsOf(ids: ReadonlySet<OperationId>, all: readonly OperationId[]): string[] {
  const kinds = new Set(
    EVERY_OPERATION_ID.filter((id) => ids.has(id)).map((id) => id.split('.', 1)[0] ?? ''),
  );
  return [...kinds].flatMap((kind) => {
    const whole = all.filter((id) => id.startsWith(`${kind}.`));
    return whole.length > 1 && whole.every((id) => ids.has(id))
      ? [`${kind}.*`]
      : [...ids].filter((id) => id.startsWith(`${kind}.`));
  });
}
