/** Records that hold what databases read in ways of their own, and filters that ask for it. */
import fc from 'fast-check';
import { createIdSource } from '../../src/exchange/index.js';
import { FIELDS } from '../../src/store/filter/fields.js';
import type { FilterTree, RecordedExchange } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { records as fileRecords } from '../exchange/arbitrary-record.js';

/** What SQLite and JavaScript fold, escape, end and compare in ways of their own. */
const odd = fc.constantFrom(
  '\u212a',
  'İ',
  'a"b',
  'a\\b',
  'a\0b',
  '100%',
  'a_b',
  '[a]',
  '?',
  '\ud800',
  'é',
  ' ',
  '',
);
const times = fc.constantFrom(NOW, NOW + 0.5, 0, -1, 253_402_300_799_999, 253_402_300_800_000);

/** Each exchange several times, so that rows share what repeats. */
export const recorded = fc
  .tuple(fileRecords, fc.array(fc.tuple(fc.option(odd), fc.option(times)), { minLength: 6, maxLength: 6 }))
  .map(([records, changes]) => {
    const nextId = createIdSource({ clock: () => NOW });
    return Array.from({ length: 4 }, () =>
      records.map(({ exchange, verdicts = {}, findings = [] }, i): RecordedExchange => {
        const [text, at] = changes[i] ?? [null, null];
        const call = exchange.call.with({
          ...{ id: nextId(), session: 'test', at: at ?? exchange.call.at, tpp: text ?? exchange.call.tpp },
          ...(text === null ? {} : { params: { consentId: text, accountId: `x${text}` } }),
        });
        return { exchange: { ...exchange, call }, verdicts, findings };
      }),
    ).flat();
  });

const names = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Values that are there, whole, in parts and in other letters, and values that are not. */
export function filters(records: readonly RecordedExchange[]): fc.Arbitrary<FilterTree> {
  const term = fc.constantFrom(...names).chain((field) => {
    const there = records.flatMap((record) => FIELDS[field].read(record).filter((one) => one !== undefined));
    const whole = there.length === 0 ? odd : fc.oneof(fc.constantFrom(...there.map(String)), odd);
    const value = fc
      .tuple(whole, fc.nat(30), fc.constantFrom('whole', 'part', 'upper', 'lower', 'end'))
      .map(([text, at, how]) => {
        if (how === 'part') return `${text.slice(0, at)}*${text.slice(at + 2)}`;
        if (how === 'end') return `*${text.slice(at)}`;
        return how === 'upper' ? text.toUpperCase() : how === 'lower' ? text.toLowerCase() : text;
      });
    return fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom('=', '=', '>', '>=', '<', '<='),
      value,
    });
  });
  return fc.letrec<{ tree: FilterTree }>((tie) => {
    const several = fc.array(tie('tree'), { maxLength: 3 });
    return {
      tree: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        term,
        several.map((and) => ({ and })),
        several.map((or) => ({ or })),
        tie('tree').map((not) => ({ not })),
      ),
    };
  }).tree;
}
