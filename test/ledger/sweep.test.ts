import { describe, expect, it } from 'vitest';
import { closeCall, createIdSource, through } from '../../src/exchange/index.js';
import { type Moment, sweep } from '../../src/ledger/index.js';
import { type AnswerParts, aCall, anAnswer, NOW } from '../builders.js';

/** Name, arrival and end in ms, in the order of the ends; the bank answers where nothing else is said. */
type Row = readonly [name: string, from: number, to: number, source?: AnswerParts['source']];

function recordsOf(rows: readonly Row[]) {
  let at = 0;
  const nextId = createIdSource({ clock: () => NOW + at });
  const ids = new Map<string, string>();
  for (const [name, from] of [...rows].sort((a, b) => a[1] - b[1])) {
    at = from;
    ids.set(name, nextId());
  }
  return rows.map(([name, from, to, source = 'upstream']) => {
    const call = aCall({ id: ids.get(name) as string, at: NOW + from });
    const elapsed = { total: to - from, answerer: to - from };
    return { name, exchange: closeCall(call, anAnswer({ source }), elapsed) };
  });
}

/** With steps in front of it, and how many of the last of these came while it was under way. */
interface Stepping {
  readonly row: Row;
  readonly steps?: number;
  readonly crossed?: number;
}

const order = (rows: readonly Row[], calls?: readonly { readonly id: string }[]) =>
  [...through(recordsOf(rows), sweep(calls))]
    .map((moment) => {
      if (moment.kind === 'step') return 'a step';
      return `${moment.record.name} ${moment.kind === 'end' ? 'ends' : 'arrives'}`;
    })
    .join(', ');

describe('the sweep over a recording', () => {
  it.each<[string, readonly Row[], string]>([
    ['nothing', [], ''],
    [
      'calls one after the other',
      [
        ['a', 0, 10],
        ['b', 20, 30],
      ],
      'a arrives, a ends, b arrives, b ends',
    ],
    [
      'a call within another',
      [
        ['b', 10, 20],
        ['a', 0, 30],
      ],
      'a arrives, b arrives, b ends, a ends',
    ],
    [
      'a call that comes in the millisecond in which another one ends: after it',
      [
        ['a', 0, 10],
        ['b', 10, 20],
      ],
      'a arrives, a ends, b arrives, b ends',
    ],
    [
      'what is answered at once, whatever the clock says',
      [
        ['a', 0, 10, 'emulator'],
        ['b', 1, 5, 'rule'],
        ['c', 1, 5],
      ],
      'a arrives, a ends, b arrives, b ends, c arrives, c ends',
    ],
  ])('tells of %s', (_, rows, expected) => {
    expect(order(rows)).toBe(expected);
    const calls = recordsOf(rows).map(({ exchange }) => exchange.call);
    expect(order(rows, calls)).toBe(expected);
  });

  it.each<[string, readonly Stepping[], string]>([
    [
      'between two calls that were answered at once in one millisecond',
      [{ row: ['a', 0, 0, 'emulator'] }, { row: ['b', 0, 0, 'emulator'], steps: 1 }],
      'a arrives, a ends, a step, b arrives, b ends',
    ],
    [
      'before a call that had an earlier id and was judged anew behind it',
      [{ row: ['b', 1, 1, 'emulator'] }, { row: ['a', 0, 1, 'emulator'], steps: 1 }],
      'b arrives, b ends, a step, a arrives, a ends',
    ],
    [
      'while a call was under way: it arrived before',
      [{ row: ['a', 0, 1] }, { row: ['c', 5, 6], steps: 1 }, { row: ['b', 4, 20], crossed: 1 }],
      'a arrives, a ends, b arrives, a step, c arrives, c ends, b ends',
    ],
    [
      'twice while a call was under way, which came between them',
      [{ row: ['a', 0, 9], steps: 2, crossed: 2 }, { row: ['b', 1, 10], crossed: 1 }, { row: ['c', 2, 11] }],
      'a arrives, a step, b arrives, a step, c arrives, a ends, b ends, c ends',
    ],
  ])('tells of a step %s', (_, rows, expected) => {
    const note = { at: NOW, kind: 'bank', settings: { action: 'reset', step: 1 } } as const;
    const records = recordsOf(rows.map(({ row }) => row)).map((record, i) => {
      const { steps = 0, crossed } = rows[i] as Stepping;
      const exchange = { ...record.exchange, ...(crossed === undefined ? {} : { crossed }) };
      return { ...record, exchange, steps: Array.from({ length: steps }, () => note) };
    });
    const tell = (moments: Iterable<Moment<(typeof records)[number]>>) =>
      [...moments]
        .map((one) =>
          one.kind === 'step' ? 'a step' : `${one.record.name} ${one.kind === 'end' ? 'ends' : 'arrives'}`,
        )
        .join(', ');
    expect(tell(through(records, sweep()))).toBe(expected);
    const calls = records.map(({ exchange: { call, crossed = 0 }, steps }) => ({
      ...{ id: call.id, crossed, steps: steps.length },
    }));
    expect(tell(through(records, sweep(calls)))).toBe(expected);
  });

  it('reads a record when it is needed, where the ids of all are known', () => {
    const records = recordsOf(Array.from({ length: 50 }, (_, i) => [`${i}`, i * 10, i * 10 + 25] as const));
    let drawn = 0;
    function* drawing() {
      for (const record of records) {
        drawn++;
        yield record;
      }
    }
    let ended = 0;
    const ahead: number[] = [];
    const calls = records.map(({ exchange }) => exchange.call);
    for (const { kind } of through(drawing(), sweep(calls))) {
      if (kind === 'end') ended++;
      ahead.push(drawn - ended);
    }
    expect(ended).toBe(50);
    expect(Math.max(...ahead)).toBe(3);
  });

  it('holds no more than a bounded number of records at once', () => {
    let drawn = 0;
    function* endless() {
      for (;;) {
        drawn++;
        yield { exchange: closeCall(aCall(), anAnswer(), { total: 1, answerer: 1 }) };
      }
    }
    const moments = through(endless(), sweep());
    for (let i = 0; i < 20; i++) moments.next();
    expect(drawn).toBeLessThan(2_000);
  });

  it('takes ids that tell no time for calls one after the other', () => {
    const records = ['x', 'y'].map((id) => ({
      name: id,
      exchange: closeCall(aCall({ id }), anAnswer({ source: 'upstream' }), { total: 50, answerer: 50 }),
    }));
    const told = [...through(records, sweep<(typeof records)[number]>())].map(
      (moment) => moment.kind !== 'step' && `${moment.record.name} ${moment.kind}`,
    );
    expect(told).toEqual(['x arrival', 'x end', 'y arrival', 'y end']);
  });
});
