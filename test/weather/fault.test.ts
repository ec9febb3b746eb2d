/** Rows of faults: what is read, and what is said of those that cannot be meant. */
import { describe, expect, it } from 'vitest';
import { readFault, readFaults } from '../../src/weather/index.js';

const problemOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no problem';
};

describe('a row of a fault', () => {
  it('is read with its defaults, by the whole name of its kind or the short one', () => {
    const short = readFault({ id: 'slow', do: { kind: 'delay', ms: 5 } }, 'fault');
    const whole = readFault({ id: 'slow', do: { kind: 'transport/delay', ms: 5 } }, 'fault');
    expect([short.key, short.given]).toEqual(['transport/delay', { ms: 5, jitter: 0 }]);
    expect([whole.key, whole.given]).toEqual([short.key, short.given]);
    expect(short.row).toMatchObject({ where: '', after: 0, share: 1 });
  });

  it.each<[string, unknown]>([
    ['fault.id: it is missing; a text is expected.', { do: { kind: 'hang' } }],
    [
      'fault.id: a name of up to 60 letters, digits, ., - and _ is expected.',
      { id: 'a b', do: { kind: 'hang' } },
    ],
    [
      'fault.do.kind: There is no kind of fault “dealy”. Did you mean delay? See sandgate faults kinds.',
      { id: 'a', do: { kind: 'dealy' } },
    ],
    [
      'fault.do.kind: Several families have a fault “late”: write done/late or return/late or notification/late.',
      { id: 'a', do: { kind: 'late' } },
    ],
    ['fault.do.ms: it is missing; a number is expected.', { id: 'a', do: { kind: 'delay' } }],
    [
      'fault.do: “msec” is not known here; the nearest name is “ms”.',
      { id: 'a', do: { kind: 'delay', ms: 1, msec: 2 } },
    ],
    [
      'fault.where: status is not known yet when the call arrives.',
      { id: 'a', where: 'status:200', do: { kind: 'hang' } },
    ],
    ['fault.count: at least 1 is expected.', { id: 'a', count: 0, do: { kind: 'hang' } }],
    ['fault.share: at least 0 is expected.', { id: 'a', share: -1, do: { kind: 'hang' } }],
    [
      'fault.during[0]: a time is expected, such as 2026-11-23T12:00Z.',
      { id: 'a', during: ['noon', '2026-11-23'], do: { kind: 'hang' } },
    ],
    [
      'fault.during: the end must follow the start.',
      { id: 'a', during: ['2026-11-24', '2026-11-23'], do: { kind: 'hang' } },
    ],
  ])('is refused: %s', (problem, row) => {
    expect(problemOf(() => readFault(row, 'fault'))).toBe(problem);
  });

  it('names its place in the file, and no two have one id', () => {
    const good = { id: 'a', do: { kind: 'hang' } };
    expect(problemOf(() => readFaults([good, { ...good, id: '' }], 'f.json'))).toMatch(
      /^f\.json: \[1\]\.id: /,
    );
    expect(problemOf(() => readFaults([good, good], 'f.json'))).toBe(
      'There is a fault a already. Give it another id, or remove the first.',
    );
    expect(problemOf(() => readFaults({}, 'f.json'))).toBe('f.json: a list in [ ] of faults is expected.');
    const many = Array.from({ length: 101 }, (_, i) => ({ ...good, id: `f${i}` }));
    expect(problemOf(() => readFaults(many, 'f.json'))).toBe(
      'At most 100 faults can be in force. Remove some first.',
    );
  });
});

describe('a file of very many faults', () => {
  it('is refused for their number before any is read', () => {
    const rows = Array.from({ length: 101 }, () => null);
    expect(problemOf(() => readFaults(rows, 'faults.json'))).toMatch(/^At most 100 faults/);
  });
});
