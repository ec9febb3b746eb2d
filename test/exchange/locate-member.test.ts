/** Where a member stands in a JSON text: what is marked is what the path names, however it was written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateMember } from '../../src/exchange/index.js';

const cut = (text: string, path: string) => {
  const { from, to, isThere } = locateMember(text, path);
  return [text.slice(from, to), isThere];
};

describe('a member', () => {
  const text = '{ "a": {"b.c": [1, {"d": "x\\"}"}], "e": null}, "a.e" : "two" , "twice":1,"twice":2}';

  it.each([
    ['', text, true],
    ['a.b.c[0]', '1', true],
    ['a.b.c[1].d', '"x\\"}"', true],
    ['a.b.c[]', '1', true],
    ['a.e', '"two"', true],
    ['twice', '2', true],
    ['a.b.c[7].d', '[1, {"d": "x\\"}"}]', false],
    ['a.x.y', '{"b.c": [1, {"d": "x\\"}"}], "e": null}', false],
    ['nothing', text, false],
  ])('“%s” is found as %s', (path, found, isThere) => {
    expect(cut(text, path)).toEqual([found, isThere]);
  });

  it('of any value is where its path leads, in any spacing', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', '"', '\\', '{', ':', 'é'),
      minLength: 1,
      maxLength: 4,
    });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.integer(),
        fc.constantFrom(null, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2, '\t'), (root, space) => {
        const text = JSON.stringify(root, null, space);
        const walk = (one: unknown, path: string): void => {
          const { from, to, isThere } = locateMember(text, path);
          expect([isThere, JSON.parse(text.slice(from, to))]).toEqual([
            true,
            JSON.parse(JSON.stringify(one)),
          ]);
          if (Array.isArray(one)) for (const [i, entry] of one.entries()) walk(entry, `${path}[${i}]`);
          else if (typeof one === 'object' && one !== null)
            for (const [key, entry] of Object.entries(one)) walk(entry, path === '' ? key : `${path}.${key}`);
        };
        walk(root, '');
      }),
    );
  });

  it('in a text of a megabyte is found without going deep', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(cut(`{"deep":${deep},"after":1}`, 'after')).toEqual(['1', true]);
  });
});
