/** What orders exchanges of several gateways is signed with them: nobody moves one unnoticed to where it is no violation. */
import { expect, inject, it } from 'vitest';
import { checkWitness } from '../../../src/evidence/index.js';
import { numberOfId } from '../../../src/exchange/index.js';
import { copyBetween, openStore, type Store } from '../../../src/store/index.js';
import { NOW } from '../../builders.js';
import { aKeyPair, signSession } from '../../evidence/signed-session.js';
import { startProxy } from '../../postgres/proxy.js';
import { addressOf } from '../../postgres/run-server.js';
import { aSchema, postgresStore, query } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { aPath, recordSource } from '../stores.js';

const KEY = aKeyPair();
const keys = [{ pem: KEY.publicPem, name: 'evidence.pub' }];

/** Of two gateways in turn, each of which signs twice. */
async function signed(address = aSchema(), lose = () => {}) {
  const direct = addressOf(inject('postgres'), new URL(address).searchParams.get('schema') ?? '');
  const keyFile = aPath('store.key');
  const stores = [
    await postgresStore(address, { keyFile }),
    await postgresStore(direct, { keyFile }),
  ] as const;
  const sources = [recordSource('test', NOW, 0), recordSource('test', NOW, 1)] as const;
  const ids: string[] = [];
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 6; i++) {
      const [store, next] = [stores[i % 2], sources[i % 2]] as [Store, (typeof sources)[0]];
      const records = [next(), next()];
      if (round === 1 && i === 2) lose();
      await store.append({ records, changes: [] });
      ids.push(...records.map(({ exchange }) => exchange.call.id));
    }
    for (const store of stores) await signSession(store, { pem: KEY.pem });
  }
  const schema = new URL(direct).searchParams.get('schema');
  const move = (id: string, by: number) =>
    query(`UPDATE "${schema}".exchanges SET turn = turn + ${by} WHERE id = ${numberOfId(id)}`);
  const moveBefore = (id: string, other: string) =>
    query(
      `UPDATE "${schema}".exchanges SET turn = (SELECT turn - 1 FROM "${schema}".exchanges WHERE id = ${numberOfId(other)})
         WHERE id = ${numberOfId(id)}`,
    );
  return { direct, keyFile, ids, move, moveBefore, store: stores[1] };
}

const statesOf = async (store: Store) =>
  (await checkWitness(store, 'test', { keys })).checkpoints.map(({ state }) => state);
const idsIn = async (store: Store) => (await all(store.read('test'))).map(({ exchange }) => exchange.call.id);

it('an exchange that was moved among those of another gateway fits no checkpoint, wherever it stood', async () => {
  const { store, ids, move, moveBefore } = await signed();
  expect(await idsIn(store)).toEqual(ids);
  expect(await statesOf(store)).toEqual(['fits', 'fits', 'fits', 'fits']);
  for (const [i, id] of ids.entries()) {
    // As little as can be: batches have two.
    const by = i % 2 === 0 ? -1 : 1;
    await move(id, by);
    const states = await statesOf(store);
    expect([id, states.filter((state) => state === 'differs').length]).toEqual([id, 1]);
    await move(id, -by);
  }
  // Before those that the other gateway recorded in between: in its own chain nothing changes.
  const [, , other = '', , late = ''] = ids;
  await moveBefore(late, other);
  expect((await idsIn(store)).slice(0, 5)).toEqual([ids[0], ids[1], late, other, ids[3]]);
  const { breaks, unwitnessedExchanges } = await checkWitness(store, 'test', { keys });
  expect([breaks, unwitnessedExchanges]).toEqual([[], expect.arrayContaining([late])]);
});

it('checkpoints fit also where a commit was found on the next connection, and on a copy in a file', async () => {
  const server = inject('postgres');
  const proxy = await startProxy(server.port);
  const schema = new URL(aSchema()).searchParams.get('schema') ?? '';
  const address = addressOf({ ...server, port: proxy.port }, schema);
  const { store, ids, direct, keyFile } = await signed(address, () => proxy.set('lose-answer'));
  expect(await idsIn(store)).toEqual(ids);
  expect(await statesOf(store)).toEqual(['fits', 'fits', 'fits', 'fits']);
  const path = aPath();
  await copyBetween(
    { address: direct, keyFile, passwordFile: undefined },
    { address: path, keyFile: `${path}.key`, passwordFile: undefined },
    { broken: false, onBreak: () => {}, onRest: () => {}, onExpected: () => {}, onDone: () => undefined },
  );
  const copy = await openStore(path, { readonly: true });
  expect(await idsIn(copy)).toEqual(ids);
  expect(await statesOf(copy)).toEqual(['fits', 'fits', 'fits', 'fits']);
  await copy.close();
});
