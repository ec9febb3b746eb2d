/** A copy says of itself what the store says that it was made of, whichever driver keeps either. */
import { writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyBetween, createSqliteStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { query } from '../postgres/schemas.js';
import {
  aFile,
  contentsOf,
  copied,
  type Event,
  GATEWAYS,
  happen,
  inSchema,
  opened,
  type Place,
  SOME,
} from './copied.js';

const KINDS: readonly (readonly [string, () => Place, () => Place])[] = [
  ['a file into PostgreSQL', aFile, inSchema],
  ['PostgreSQL into a file', inSchema, aFile],
  ['a file into a file', aFile, aFile],
  ['PostgreSQL into PostgreSQL', inSchema, inSchema],
];

/** In which each driver gives and takes. */
const ACROSS = KINDS.slice(0, 2);

const session = fc.constantFrom('june', 'july');
const gateway = fc.nat(GATEWAYS - 1);
const world = fc.constantFrom('', 'june');
const anEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ of: fc.constant('exchange'), session, gateway, size: fc.nat(9_000) } as const),
  },
  fc.record({ of: fc.constant('begun'), session, gateway, size: fc.nat(500) } as const),
  fc.record({ of: fc.constantFrom('note', 'checkpoint', 'removal'), session, gateway } as const),
  {
    weight: 3,
    arbitrary: fc.record({
      of: fc.constantFrom('fact', 'gone'),
      world,
      tpp: fc.constantFrom('A', 'B'),
    } as const),
  },
  fc.record({ of: fc.constantFrom('header', 'take', 'restore', 'reset'), world } as const),
);

describe.each(KINDS)('a copy of %s', (_, aSource, aTarget) => {
  it('says what the store says, and so does a copy of the copy that was recorded into', async () => {
    const events = fc.array(anEvent, { minLength: 8, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(events, events, async (before, after) => {
        const [from, to, back] = [aSource(), aTarget(), aSource()];
        await happen(from, before);
        await copied(from, to);
        expect(await contentsOf(to)).toEqual(await contentsOf(from));
        // A gateway goes on in chains of its own, behind all that was copied.
        await happen(to, after, NOW + 1_000);
        await copied(to, back);
        const [first, second] = [await contentsOf(to), await contentsOf(back)];
        expect(second).toEqual(first);
        for (const { breaks } of second.sessions) expect(breaks).toEqual([]);
      }),
      // A smaller example would take minutes to find.
      { numRuns: 2, endOnFailure: true },
    );
  });
});

/** Somebody changes the store behind its back. */
async function tamper({ address }: Place, sql: string): Promise<void> {
  const schema = /schema=(\w+)/.exec(address)?.[1];
  if (schema !== undefined) return query(`SET search_path = ${schema}; ${sql}`);
  const db = new Sqlite(address);
  db.exec(sql);
  db.close();
}

const SIXTH = 'id = (SELECT id FROM exchanges ORDER BY id LIMIT 1 OFFSET 5)';
const failed = (copying: Promise<unknown>) =>
  copying.then(
    () => 'copied',
    ({ code }) => code,
  );

describe.each(ACROSS)('a store that is copied out of %s', (_, aSource, aTarget) => {
  it.each([
    ['lost an exchange', `DELETE FROM exchanges WHERE ${SIXTH}`],
    ['had one changed', `UPDATE exchanges SET request_body = answer_body WHERE ${SIXTH}`],
    ['lost its end', "DELETE FROM notes WHERE kind = 'checkpoint'"],
  ])('and %s is refused, unless it is to stay broken', async (_, sql) => {
    const [from, to] = [aSource(), aTarget()];
    await happen(from, SOME);
    await tamper(from, sql);
    expect(await failed(copied(from, to))).toBe('store.copy-broken');
    expect(await failed(opened(to))).toBe('store.unfinished');
    expect(await failed(opened(to, true))).toBe('store.unfinished');
    expect(await failed(copied(to, aSource()))).toBe('store.unfinished');
    expect((await copied(from, to, true)).broken).toEqual(['june']);
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
  });

  it('is copied as it was when the copy began, whoever records meanwhile', async () => {
    const [from, to] = [aSource(), aTarget()];
    await happen(from, SOME);
    const before = await contentsOf(from);
    const gateway = await opened(from);
    let recorded: unknown;
    await copyBetween(from, to, {
      ...{ broken: false, onBreak: () => {}, onRest: () => {}, onDone: () => undefined },
      onExpected: () => {
        recorded = gateway.note('june', { at: NOW, kind: 'mark', settings: { text: 'late' } });
      },
    });
    await recorded;
    expect(await contentsOf(to)).toEqual(before);
    expect(await contentsOf(from)).not.toEqual(before);
  });
});

describe('a copy', () => {
  it('goes into a new store alone', async () => {
    const [from, file, schema] = [aFile(), aFile(), inSchema()];
    await happen(from, SOME);
    for (const to of [file, schema]) {
      const gateway = await opened(to);
      await gateway.note('own', { at: NOW, kind: 'mark', settings: { text: '' } });
      expect(await failed(copied(from, to))).toBe('store.copy-used');
      await gateway.close();
      expect((await contentsOf(to)).sessions.map(({ info }) => info.name)).toEqual(['own']);
    }
    expect(await failed(copied(from, from))).toBe('store.copy-same');
    expect(await failed(copied(schema, schema))).toBe('store.copy-same');
    expect(await failed(copied(from, { ...file, address: 'memory:' }))).toBe('store.in-memory');
    expect(await failed(copied(from, { ...file, address: 'mysql://a/b' }))).toBe('store.scheme');
    expect(await failed(copied(aFile(), aFile()))).toBe('store.missing');
    expect(await failed(copied(inSchema(), aFile()))).toBe('store.missing');
  });

  it('does not go into a file that a gateway serves on, or another copy goes into', async () => {
    const [from, to] = [aFile(), aFile()];
    await happen(from, SOME);
    const gateway = createSqliteStore({ path: to.address });
    gateway.serve();
    expect(await failed(copied(from, to))).toBe('store.copy-busy');
    gateway.close();
    const schema = inSchema();
    let second: Promise<unknown> | undefined;
    await copyBetween(from, schema, {
      ...{ broken: false, onBreak: () => {}, onRest: () => {}, onExpected: () => {} },
      onDone: async () => {
        second ??= failed(copied(from, schema));
        await second;
      },
    });
    expect(await second).toBe('store.copy-busy');
  });

  it('has the secret of the fingerprints, and takes no other one for it', async () => {
    const [from, to, back] = [aFile(), inSchema(), aFile()];
    await happen(from, SOME);
    const { fingerprintKey } = await opened(from);
    writeFileSync(to.keyFile, Buffer.alloc(32, 7).toString('base64'));
    expect(await failed(copied(from, to))).toBe('store.copy-other-key');
    const keyFile = aFile().keyFile;
    await copied(from, { ...to, keyFile });
    expect((await opened({ ...to, keyFile })).fingerprintKey).toEqual(fingerprintKey);
    expect(await failed(copied(to, back))).toBe('store.copy-key');
    await copied({ ...to, keyFile }, back);
    expect((await opened(back)).fingerprintKey).toEqual(fingerprintKey);
  });

  it('loses its oldest exchanges as any session does', async () => {
    for (const [, aSource, aTarget] of ACROSS) {
      const [from, to] = [aSource(), aTarget()];
      await happen(from, SOME);
      await copied(from, to);
      await happen(to, [...SOME.slice(0, 3), { of: 'removal', session: 'june', gateway: 0 }], NOW + 1_000);
      const { sessions } = await contentsOf(to);
      expect(sessions.map(({ breaks }) => breaks)).toEqual(sessions.map(() => []));
      expect(sessions[0]?.chains.map(({ removed }) => removed !== null)).toContain(true);
    }
  });
});
