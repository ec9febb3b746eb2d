/** A fault as an operator writes it: when, and what. */
import * as z from 'zod';
import { inPlainWords, SandgateError } from '../spec/index.js';
import { type FilterField, type FilterTree, parseFilter } from '../store/index.js';
import type { Kind } from './kind.js';
import { KINDS, kindNamed } from './kinds.js';

const moment = z
  .string()
  .refine((text) => /^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(Date.parse(text)), {
    error: 'a time is expected, such as 2026-11-23T12:00Z',
  });

export const faultRow = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.-]{1,60}$/, { error: 'a name of up to 60 letters, digits, ., - and _ is expected' })
    .describe('The name of the fault.'),
  where: z.string().max(1_000).default('').describe('Which calls: a filter. All where absent.'),
  after: z.int().min(0).max(1_000_000).default(0).describe('So many calls that fit pass first.'),
  count: z.int().min(1).max(1_000_000).exactOptional().describe('So many calls are met; all where absent.'),
  share: z.number().gt(0).max(1).default(1).describe('The share of calls that is met, drawn by the seed.'),
  during: z
    .tuple([moment, moment])
    .refine(([from, to]) => Date.parse(from) < Date.parse(to), { error: 'the end must follow the start' })
    .exactOptional()
    .describe('From when, and until when, by the clock of the gateway.'),
  do: z.looseObject({ kind: z.string() }).describe('The kind of fault, and its parameters.'),
});

/** As it is written and shown. */
export type FaultRow = z.infer<typeof faultRow>;

export interface Fault {
  readonly row: FaultRow;
  /** `family/name`. */
  readonly key: string;
  readonly kind: Kind;
  readonly given: object;
  readonly where: FilterTree;
  /** Epoch ms. */
  readonly from: number;
  readonly until: number;
}

/** At once there are no more than these. */
const MOST_FAULTS = 100;

/** `place` is how the user finds the row: `faults.json: [2]`. @throws SandgateError for a row that is not as it should be */
export function readFault(value: unknown, place: string): Fault {
  const row = readAs(faultRow, value, place);
  const key = within(`${place}.do.kind`, () => kindNamed(row.do.kind));
  const kind = KINDS.get(key) as Kind;
  const { kind: _, ...parameters } = row.do;
  const given = readAs(kind.takes, parameters, `${place}.do`);
  const where = within(`${place}.where`, () => parseFilter(row.where));
  const [known, when] = 'connection' in kind ? OF_CONNECTIONS : OF_CALLS;
  const late = fieldsOf(where).find((field) => !known.has(field));
  if (late !== undefined)
    throw new SandgateError('weather.row', {
      place: `${place}.where`,
      what: `${late} is not known yet when ${when}`,
    });
  const [from, until] = row.during?.map((text) => Date.parse(text)) ?? [];
  return {
    row,
    key,
    kind,
    given,
    where,
    from: from ?? Number.NEGATIVE_INFINITY,
    until: until ?? Number.POSITIVE_INFINITY,
  };
}

/** A list of rows, as a file holds it. @throws SandgateError that says which row is wrong */
export function readFaults(value: unknown, file: string): readonly Fault[] {
  if (!Array.isArray(value))
    throw new SandgateError('weather.row', { place: file, what: 'a list in [ ] of faults is expected' });
  if (value.length > MOST_FAULTS) throw new SandgateError('weather.many', { most: MOST_FAULTS });
  const faults = value.map((one, i) => readFault(one, `${file}: [${i}]`));
  checkTogether(faults);
  return faults;
}

/** @throws SandgateError for two of one id, or too many */
export function checkTogether(faults: readonly Fault[]): void {
  if (faults.length > MOST_FAULTS) throw new SandgateError('weather.many', { most: MOST_FAULTS });
  const ids = new Set<string>();
  for (const { row } of faults) {
    if (ids.has(row.id)) throw new SandgateError('weather.known', { id: row.id });
    ids.add(row.id);
  }
}

function readAs<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const parsed = schema.safeParse(value, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
  const at = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  throw new SandgateError('weather.row', { place: `${place}${at}`, what: message });
}

function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SandgateError)) throw error;
    throw new SandgateError('weather.row', { place, what: error.message.replace(/\.$/, '') });
  }
}

/** What a filter may ask of a call that has no answer yet. */
const OF_CALLS = [
  new Set<FilterField>([
    ...(['method', 'path', 'operation', 'listener', 'tpp', 'consent', 'payment', 'account'] as const),
    ...(['request-id', 'at', 'text'] as const),
  ]),
  'the call arrives',
] as const;
const OF_CONNECTIONS = [new Set<FilterField>(['listener', 'at']), 'a connection opens'] as const;

function fieldsOf(tree: FilterTree): readonly FilterField[] {
  if ('not' in tree) return fieldsOf(tree.not);
  if ('field' in tree) return [tree.field];
  return ('and' in tree ? tree.and : tree.or).flatMap(fieldsOf);
}
