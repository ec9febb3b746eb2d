/** Renders the parts of a bank profile out of its schema. */
import * as z from 'zod';
import { bankProfile } from '../src/spec/index.js';
import { code, page, table } from './docs.js';

interface Part {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Part | boolean;
  readonly propertyNames?: Part;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
}

const MOST_VALUES = 12;

export function bankProfilePartsDoc(): string {
  const schema = z.toJSONSchema(bankProfile) as Part;
  const rows = rowsOf(schema, '').filter(([name]) => name !== code('$schema'));
  return page(
    'Parts of a bank profile',
    'Every member of a profile, from [its schema](bank-profile.schema.json). Only those in bold are required; whatever a profile leaves out is as in the built-in interface. ' +
      '`[]` stands for each entry of a list, `NAME` for a name that you choose, `OPERATION` for one of [endpoints.md](endpoints.md) or what `offers` adds. [bank-profiles.md](bank-profiles.md) says how to use a profile.',
    table(['Member', 'Value', 'Meaning'], rows),
  );
}

function rowsOf(part: Part, path: string): [string, string, string][] {
  const { properties = {}, additionalProperties, items, required = [] } = part;
  const rows = Object.entries(properties).flatMap(([name, member]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const shown = required.includes(name) ? `**${code(place)}**` : code(place);
    const own: [string, string, string] = [shown, valueText(member), member.description ?? ''];
    return [own, ...rowsOf(member, place)];
  });
  if (typeof additionalProperties === 'object')
    rows.push(...rowsOf(additionalProperties, `${path}.${keyOf(part)}`));
  if (items !== undefined) rows.push(...rowsOf(items, `${path}[]`));
  return rows;
}

/** Operations are too many to list. */
const isLong = (values: readonly unknown[] | undefined): boolean => (values?.length ?? 0) > MOST_VALUES;

const keyOf = ({ propertyNames }: Part): string => (isLong(propertyNames?.enum) ? 'OPERATION' : 'NAME');

function valueText(part: Part): string {
  if (isLong(part.enum)) return 'an operation';
  if (part.enum !== undefined) return part.enum.map((value) => code(String(value))).join(', ');
  if (part.anyOf !== undefined) return [...new Set(part.anyOf.map(valueText))].join(' or ');
  if (part.items !== undefined) return `list: ${valueText(part.items)}`;
  if (part.type === 'object') {
    const { additionalProperties: each } = part;
    return typeof each === 'object' ? `by ${keyOf(part)}: ${valueText(each)}` : 'an object';
  }
  return part.type === 'null' ? '`null`' : part.type === 'string' ? 'text' : (part.type ?? '');
}
