/** A file that is split by its bytes says the same as one that is parsed whole. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonText } from '../../../src/exchange/json-text.js';
import { bytesOf, openJsonFile, type SplitOptions } from '../../../src/exchange/recording/json-elements.js';

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const LISTS = ['log.entries', 'exchanges'] as const;

/** JSON with blanks between its signs, and with names that the split looks for. */
const name = fc.oneof(
  fc.constantFrom('"log"', '"entries"', '"exchanges"', '"log.entries"', '"\\u006cog"', '"ex\\"changes"'),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => JSON.stringify(text)),
);
const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('0', '-1.5e3', 'true', 'null', '""', '"]"', '"\\\\"', '"\\"}"', '"é😀"'),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space)
    .map(([items, blank]) => `[${items.map((item) => item.join('')).join(',') || blank}]`),
  object: fc
    .tuple(fc.array(fc.tuple(space, name, space, tie('value'), space), { maxLength: 4 }), space)
    .map(
      ([members, blank]) =>
        `{${members.map(([a, key, b, item, c]) => `${a}${key}${b}:${b}${item}${c}`).join(',') || blank}}`,
    ),
}));

const har = fc
  .tuple(value, value, fc.array(value, { maxLength: 5 }), space, fc.boolean())
  .map(([first, second, entries, blank, before]) => {
    const list = `"entries"${blank}:${blank}[${entries.join(`${blank},`)}${blank}]`;
    const others = `"a":${first},"_b":${second}`;
    return `{"x":${first},"log":{${before ? `${list},${others}` : `${others},${list}`}},"exchanges":[${entries.join(',')}]}`;
  });

/** Elements in lines of their own, several in one, and one in several. */
const lines = fc
  .array(fc.tuple(value, fc.constantFrom(',', ',\n', ',\r\n', '\n,', ' , \n'), fc.nat(2)), {
    minLength: 1,
    maxLength: 5,
  })
  .map((items) =>
    items
      .map(
        ([item, end, indent]) => (indent === 0 ? item : JSON.stringify(JSON.parse(item), null, indent)) + end,
      )
      .join(''),
  )
  .map((list) => `{"log":{"entries":[\n${list.replace(/\s*,\s*$/, '\n')}]}}`);

/** As `JSON.stringify` sets it out, and browsers write it. */
const setOut = fc
  .tuple(
    fc.array(value, { minLength: 1, maxLength: 5 }),
    fc.constantFrom(1, 2, '\t'),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([items, indent, end]) =>
    JSON.stringify(
      { log: { entries: items.map((item): unknown => JSON.parse(item)) } },
      null,
      indent,
    ).replaceAll('\n', end),
  );

/** One sign more, less, or another one. */
const broken = (whole: fc.Arbitrary<string>) =>
  fc
    .tuple(whole, fc.nat(), fc.constantFrom('', ',', ']', '}', '"', '\\', '1', '\u0001', '{', ':'), fc.nat(1))
    .map(([text, at, sign, gone]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + sign + text.slice(place + gone);
    });

function put(frame: unknown, path: string, elements: unknown[]): unknown {
  if (elements.length === 0 || typeof frame !== 'object' || frame === null) return frame;
  if (path === 'exchanges') return { ...frame, exchanges: elements };
  return { ...frame, log: { ...(frame as { log: object }).log, entries: elements } };
}

/** The value of a text that was split into pieces of so many bytes, or the error. */
function split(text: string, options: SplitOptions): unknown {
  const file = openJsonFile(bytesOf(text), 'it', options);
  let whole = file.frame;
  for (const path of LISTS) {
    const { length, at } = file.elements(path);
    const zeros =
      path === 'exchanges' ? memberAt(whole, 'exchanges') : memberAt(memberAt(whole, 'log'), 'entries');
    if (!Array.isArray(zeros)) continue;
    expect(zeros).toEqual(Array(length).fill(0));
    whole = put(
      whole,
      path,
      Array.from({ length }, (_, i) => at(i)),
    );
  }
  return whole;
}

function memberAt(of: unknown, key: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, key) ? Reflect.get(of, key) : undefined;
}

function outcome(read: () => unknown): { value: unknown } | { error: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

describe('a JSON file that is split by its bytes', () => {
  it.each([
    ['is JSON', fc.oneof(value, har)],
    ['is broken', broken(har)],
  ])('reads as it does whole, where it %s', (_, texts) => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), fc.boolean(), (text, chunk, hasMark) => {
        // A file holds no half of a surrogate pair.
        const marked = Buffer.from(hasMark ? `\uFEFF${text}` : text).toString();
        expect(outcome(() => split(marked, { chunk }))).toEqual(outcome(() => parseJsonText(marked, 'it')));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['is JSON', lines],
    ['is broken', broken(lines)],
    ['is set out', setOut],
    ['is set out, and broken', broken(setOut)],
  ])('reads by lines as it does whole, or not at all, where it %s', (_, texts) => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 200 }), (given, chunk) => {
        const text = Buffer.from(given).toString();
        const whole = outcome(() => parseJsonText(text, 'it'));
        const byLines = outcome(() => split(text, { chunk, byLines: true }));
        if ('value' in byLines) expect(byLines).toEqual(whole);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not looked into by lines where its elements are lines', () => {
    const text = '{"log":{"entries":[\n{"a":[{"b":1}]},\r\n{"c":"}"}\n]}}';
    expect(split(text, { byLines: true })).toEqual(JSON.parse(text));
    expect(() => split(text.replace('[{', '[\n{'), { byLines: true })).not.toThrow();
    expect(() => split(text.replace('[{"b":1}]', '{"b":1},\n"d":2'), { byLines: true })).toThrow(SyntaxError);
  });

  it.each(['\n', '\r\n'])(
    'is not looked into where its elements are set out in lines that end in %j',
    (end) => {
      const text = JSON.stringify({ exchanges: [{ a: [{ b: {} }] }, {}, { c: '}' }] }, null, 2).replaceAll(
        '\n',
        end,
      );
      expect(split(text, { byLines: true })).toEqual(JSON.parse(text));
      // The first element is broken, and the others are where they were.
      const { length, at } = openJsonFile(bytesOf(text.replace('"a": [', '"a": ')), 'it', {
        byLines: true,
      }).elements('exchanges');
      expect([length, at(1), at(2)]).toEqual([3, {}, { c: '}' }]);
      expect(() => at(0)).toThrow(SyntaxError);
    },
  );

  it('says in which line an element is no JSON', () => {
    const text = '{"log":{"entries":[\n{"a":1},\n{"b":tru}\n]}}';
    expect(() => openJsonFile(bytesOf(text), 'x.har').elements('log.entries').at(1)).toThrow(
      'x.har is not JSON: line 3, column 6 cannot be read.',
    );
  });

  it('is never read whole', () => {
    const entries = Array.from({ length: 3_000 }, (_, i) => JSON.stringify({ i, text: 'x'.repeat(1_000) }));
    const { size, read } = bytesOf(`{"log":{"entries":[${entries.join(',\n')}]}}`);
    const lengths: number[] = [];
    const seen = (from: number, to: number) => {
      lengths.push(to - from);
      return read(from, to);
    };
    const { length, at } = openJsonFile({ size, read: seen }, 'it').elements('log.entries');
    expect([length, at(2_999)]).toEqual([3_000, { i: 2_999, text: 'x'.repeat(1_000) }]);
    expect(size).toBeGreaterThan(3_000_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_048_576);
  });

  it('has of a member that stands twice the last one, as JSON.parse does', () => {
    const file = openJsonFile(bytesOf('{"exchanges":[1,2],"exchanges":[3]}'), 'it');
    const { length, at } = file.elements('exchanges');
    expect([length, at(0)]).toEqual([1, 3]);
  });
});
