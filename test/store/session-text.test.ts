/** A session apart from its store: whatever driver keeps it, the lines say all that it is made of. */
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { copySession, openStore, readSession, sessionLines } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { all } from '../rows.js';
import { aFile, contentsOf, type Event, GATEWAYS, happen, inSchema, type Place } from './copied.js';
import { aPath } from './stores.js';

/** A server for the places in a schema. */
const SERVER = inject('postgres');

const session = fc.constantFrom('june', 'july');
const gateway = fc.nat(GATEWAYS - 1);
const anEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ of: fc.constant('exchange'), session, gateway, size: fc.nat(20_000) } as const),
  },
  fc.record({ of: fc.constant('begun'), session, gateway, size: fc.nat(500) } as const),
  fc.record({ of: fc.constantFrom('note', 'checkpoint', 'removal'), session, gateway } as const),
);
const JUNE: readonly Event[] = [1, 2].map((size) => ({
  of: 'exchange',
  session: 'june',
  gateway: 0,
  size: 900 * size,
}));

const local = (path: string): Place => ({ address: path, passwordFile: undefined, keyFile: '' });

async function* linesIn(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield* text.split('\n').slice(0, -1);
}

describe.each([
  ['a file', aFile, 8],
  ['PostgreSQL', inSchema, 2],
] as const)('a session out of %s', (_, aSource, numRuns) => {
  it('is the same as a store of its own, and out of its lines', async () => {
    expect(SERVER).toBeDefined();
    await fc.assert(
      fc.asyncProperty(fc.array(anEvent, { minLength: 4, maxLength: 20 }), async (events) => {
        const from = aSource();
        await happen(from, [...JUNE, ...events], NOW);
        const [copy, again] = [aPath(), aPath()];
        await copySession(from, 'june', copy);
        const texts = await all(linesIn(sessionLines(local(copy), 'june')));
        async function* given() {
          yield* texts;
        }
        await readSession(given(), { session: 'june', file: 'june' }, again);
        const wanted = (await contentsOf(from)).sessions.filter(({ info }) => info.name === 'june');
        // The steps of its world are those that it notes itself.
        const plain = (sessions: typeof wanted) => sessions.map(({ steps: _, ...one }) => one);
        expect(plain((await contentsOf(local(copy))).sessions)).toEqual(plain(wanted));
        expect(plain((await contentsOf(local(again))).sessions)).toEqual(plain(wanted));
        expect(await all(linesIn(sessionLines(local(again), 'june')))).toEqual(texts);
      }),
      { numRuns, endOnFailure: true },
    );
  });
});

describe('a line that anybody may have written', () => {
  it('is refused where it says that a chain ends at a turn and begins at none', async () => {
    const from = aFile();
    await happen(from, [...JUNE, { of: 'note', session: 'june', gateway: 0 }]);
    const copy = aPath();
    await copySession(from, 'june', copy);
    const texts = await all(linesIn(sessionLines(local(copy), 'june')));
    const changed = texts.map((text) => {
      const row: unknown[] = JSON.parse(text);
      return JSON.stringify(row[0] === 'chains' ? row.with(10, null) : row);
    });
    async function* given() {
      yield* changed;
    }
    await expect(readSession(given(), { session: 'june', file: 'june' }, aPath())).rejects.toMatchObject({
      code: 'bundle.line',
    });
  });

  it('is refused, or makes a session that is broken, and never fails otherwise', async () => {
    const from = aFile();
    await happen(from, [...JUNE, { of: 'note', session: 'june', gateway: 0 }]);
    const texts = await all(linesIn(sessionLines(from, 'june')));
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record({ base64: fc.base64String() }),
      fc.constant(null),
      fc.bigInt().map(Number),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(texts.length - 1), fc.nat(15), odd, async (line, column, value) => {
        const row: unknown[] = JSON.parse(texts[line] ?? '');
        const at = 1 + (column % (row.length - 1));
        if (JSON.stringify(row[at]) === JSON.stringify(value)) return;
        const changed = texts.with(line, JSON.stringify(row.with(at, value)));
        const path = aPath();
        async function* given() {
          yield* changed;
        }
        const refused = await readSession(given(), { session: 'june', file: 'june' }, path).then(
          () => null,
          ({ code }) => code,
        );
        if (refused !== null) {
          expect(refused).toMatch(/^bundle\.(line|twice)$/);
          return;
        }
        const store = await openStore(path, { readonly: true });
        const found = await all(store.chains.verify('june'));
        const lines = await all(linesIn(sessionLines(local(path), 'june')));
        await store.close();
        // What no link covers is found when the lines are written again, or says the same in another spelling.
        if (found.length === 0) expect(lines.join('\n')).not.toBe(changed.join('\n'));
      }),
      { numRuns: 60 },
    );
  });
});
