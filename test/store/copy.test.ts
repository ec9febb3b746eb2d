/** A copy says of itself what the store says that it was made of, whichever driver keeps either. */
import { copyFileSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { numberOfId } from '../../src/exchange/index.js';
import { soundRow } from '../../src/store/copy/tables.js';
import { copyBetween, createSqliteStore, noteIn } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { startProxy } from '../postgres/proxy.js';
import { addressOf } from '../postgres/run-server.js';
import { query, waitingFor } from '../postgres/schemas.js';
import { all } from '../rows.js';
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

/** In which each driver gives and takes. */
const ACROSS = [
  ['a file into PostgreSQL', aFile, inSchema],
  ['PostgreSQL into a file', inSchema, aFile],
] as const;
const KINDS = [
  [...ACROSS[0], 2],
  [...ACROSS[1], 1],
  ['a file into a file', aFile, aFile, 1],
  ['PostgreSQL into PostgreSQL', inSchema, inSchema, 1],
] as const;

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

describe.each(KINDS)('a copy of %s', (_, aSource, aTarget, numRuns) => {
  it('says what the store says, and so does a copy of the copy that was recorded into', async () => {
    const events = fc.array(anEvent, { minLength: 8, maxLength: 24 });
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
      { numRuns, endOnFailure: true },
    );
  });
});

it.each([
  ['chains', [1, 'test', 'store', NOW, NOW, 3, 'head', 1, 0, null, null]],
  ['layers', ['test', 1, null, null, null, null]],
  ['facts', ['test', 'test', 1, 'consents', 'a', null, null]],
] as const)('a copied row of %s has nothing where it had nothing', (table, row) => {
  expect(soundRow(table, row)).toEqual(row);
});

const schemaOf = ({ address }: Pick<Place, 'address'>): string => /schema=(\w+)/.exec(address)?.[1] ?? '';

/** Somebody changes the store behind its back. */
async function tamper({ address }: Place, sql: string): Promise<void> {
  const schema = schemaOf({ address });
  if (schema !== '') return query(`SET search_path = ${schema}; ${sql}`);
  const db = new Sqlite(address);
  db.exec(sql);
  db.close();
}

const failed = (copying: Promise<unknown>) =>
  copying.then(
    () => 'copied',
    ({ code }) => code,
  );

/** What somebody does to the newest exchange of a session but one, or to the notes of the session. */
const MISCHIEF = {
  june: 'DELETE FROM exchanges WHERE id = $ID',
  july: 'UPDATE exchanges SET request_body = answer_body WHERE id = $ID',
  august: "DELETE FROM notes WHERE kind = 'checkpoint'",
} as const;
const TOUCHED: readonly Event[] = Object.keys(MISCHIEF).flatMap((session) => [
  ...[1, 2, 3].map((size) => ({ of: 'exchange', session, gateway: 0, size: 400 * size }) as const),
  { of: session === 'august' ? 'checkpoint' : 'note', session, gateway: 0 },
]);

describe.each(ACROSS)('a store that is copied out of %s', (_, aSource, aTarget) => {
  it('and lost an exchange, had one changed, or lost its end, is refused, unless it is to stay broken', async () => {
    const [from, to] = [aSource(), aTarget()];
    await happen(from, TOUCHED);
    for (const { info, records } of (await contentsOf(from)).sessions)
      await tamper(
        from,
        MISCHIEF[info.name as keyof typeof MISCHIEF].replace(
          '$ID',
          String(numberOfId(records[1]?.exchange.call.id ?? '')),
        ),
      );
    expect(await failed(copied(from, to))).toBe('store.copy-broken');
    expect(await failed(opened(to))).toBe('store.unfinished');
    expect(await failed(opened(to, true))).toBe('store.unfinished');
    expect(await failed(copied(to, aSource()))).toBe('store.unfinished');
    expect((await copied(from, to, true)).broken).toEqual(['june', 'july', 'august']);
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
        recorded = noteIn(gateway, 'june', { at: NOW, kind: 'mark', settings: { text: 'late' } });
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
      await noteIn(gateway, 'own', { at: NOW, kind: 'mark', settings: { text: '' } });
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

  it('does not go where an import has begun, which nobody serves for, and none goes into what it makes', async () => {
    const from = aFile();
    await happen(from, SOME);
    for (const to of [aFile(), inSchema()]) {
      const importing = await opened(to);
      await noteIn(importing, 'imported', { at: NOW, kind: 'mark', settings: { text: '' } });
      expect(await failed(copied(from, to))).toBe('store.copy-used');
    }
    const file = aFile();
    copyFileSync(`${from.address}.key`, `${file.address}.key`);
    const importing = await opened(file);
    const refused: unknown[] = [];
    await copyBetween(from, file, {
      ...{ broken: false, onBreak: () => {}, onRest: () => {}, onExpected: () => {} },
      onDone: async () => {
        const note = async () =>
          noteIn(importing, 'imported', { at: NOW, kind: 'mark', settings: { text: '' } });
        refused.push(await failed(note()), await failed(all(importing.remove('june'))));
      },
    });
    expect(new Set(refused)).toEqual(new Set(['store.unfinished']));
    expect(await contentsOf(file)).toEqual(await contentsOf(from));
    await noteIn(importing, 'imported', { at: NOW, kind: 'mark', settings: { text: '' } });
    const schema = inSchema();
    await opened(schema);
    expect(await failed(copied(from, schema))).toBe('store.copy-used');
  });

  it('leaves a store of another version as it is', async () => {
    const from = aFile();
    await happen(from, SOME);
    const file = aFile();
    const db = new Sqlite(file.address);
    db.exec('CREATE TABLE sessions (id INTEGER); INSERT INTO sessions VALUES (7)');
    db.pragma(`application_id = ${0x53475445}`);
    const versionOf = (version?: number) =>
      db.pragma(version === undefined ? 'user_version' : `user_version = ${version}`, { simple: true });
    for (const [version, code] of [
      [5, 'store.unreleased'],
      [99, 'store.newer'],
    ] as const) {
      versionOf(version);
      expect(await failed(copied(from, file))).toBe(code);
      expect(versionOf()).toBe(version);
      expect(db.prepare('SELECT * FROM sessions').all()).toEqual([{ id: 7 }]);
    }
    db.close();
    const schema = inSchema();
    await opened(schema);
    await tamper(schema, 'UPDATE sandgate SET version = 1');
    expect(await failed(copied(from, schema))).toBe('store.unreleased');
    await tamper(schema, 'UPDATE sandgate SET version = 99');
    expect(await failed(copied(from, schema))).toBe('store.newer');
  });

  it('that begins while a gateway begins is not served on', async () => {
    const [file, schema] = [aFile(), inSchema()];
    for (const place of [file, schema]) await (await opened(place)).close();
    await tamper(schema, 'DELETE FROM writers');
    const gateway = await opened(file);
    await tamper(file, 'UPDATE identity SET copying = 1');
    await expect((async () => gateway.serve())()).rejects.toMatchObject({ code: 'store.unfinished' });
    await tamper(file, 'UPDATE identity SET copying = 0');
    expect(await gateway.serve()).toMatchObject({ isShared: false });
    await gateway.close();
    // It has looked, and is not a writer yet.
    const letGo = await query.open(`BEGIN; LOCK TABLE ${schemaOf(schema)}.writers`);
    const opening = failed(opened(schema));
    await expect.poll(() => waitingFor(`${schemaOf(schema)}.writers`)).toBe(1);
    await tamper(schema, 'UPDATE sandgate SET copying = true');
    await letGo();
    expect(await opening).toBe('store.unfinished');
    // One that is becoming a writer just then is waited for.
    await tamper(schema, 'UPDATE sandgate SET copying = false');
    const turnBack = await query.open(`BEGIN; INSERT INTO ${schemaOf(schema)}.writers (id) VALUES (7)`);
    await happen(file, SOME);
    const target = { ...schema, keyFile: aFile().keyFile };
    const copying = failed(copied(file, target));
    await expect.poll(() => waitingFor(`${schemaOf(schema)}.writers`)).toBe(1);
    await turnBack();
    expect(await copying).toBe('copied');
    expect(await failed(copied(file, target))).toBe('store.copy-used');
  });

  it('whose connection is lost leaves no store, and is begun anew', async () => {
    const direct = inSchema();
    const server = inject('postgres');
    const { port, cut } = await startProxy(server.port);
    const through = (place: Place) => ({
      ...place,
      address: addressOf({ ...server, port }, schemaOf(place)),
    });
    const file = aFile();
    const back = aFile();
    await happen(file, SOME);
    for (const [from, to] of [
      [file, through(direct)],
      [through(direct), back],
    ] as const) {
      const lost = copyBetween(from, to, {
        ...{ broken: false, onBreak: () => {}, onRest: () => {}, onExpected: () => {} },
        onDone: async () => cut(),
      });
      expect(await failed(lost)).toBe('store.unusable');
      expect(await failed(opened(to))).toBe('store.unfinished');
      await expect.poll(() => failed(copied(from, to))).toBe('copied');
      expect(await contentsOf(to)).toEqual(await contentsOf(file));
    }
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

  it('tells in words where a row cannot be taken over, or the secret cannot be kept', async () => {
    const [from, to] = [aFile(), inSchema()];
    await happen(from, SOME);
    expect(await failed(copied(from, { ...to, keyFile: '/dev/null/store.key' }))).toBe('store.unusable');
    for (const sql of [
      "UPDATE facts SET fact = '{' WHERE fact IS NOT NULL",
      "UPDATE worlds SET epoch = 'a'",
    ]) {
      await tamper(from, sql);
      expect(await failed(copied(from, to))).toBe('store.damaged');
    }
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
