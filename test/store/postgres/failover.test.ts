/** A server that fails over, or is restored: what it lost is not known any more, and what is recorded goes on behind it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AccessFact } from '../../../src/ledger/index.js';
import {
  type Dependency,
  type KeptChange,
  type Store,
  StoreMoved,
  type WorldState,
} from '../../../src/store/index.js';
import { NOW } from '../../builders.js';
import { startReplicated } from '../../postgres/replica.js';
import { addressOf, runServer } from '../../postgres/run-server.js';
import { postgresStore } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { aPath, recordSource } from '../stores.js';

const TPP = 'PSDBE-A';
const LIMITS = { connect: 3_000, statement: 5_000 };

const access = (...times: number[]): KeptChange => ({
  family: 'accesses',
  key: `${TPP} c accounts.list `,
  fact: { tpp: TPP, consentId: 'c', operation: 'accounts.list', accountId: '', times },
  home: TPP,
});

const rest = ({ epoch, versions, cursor }: WorldState): Dependency => ({
  ...{ world: '', epoch, cursor },
  versions: new Map([[TPP, versions.get(TPP) ?? 0]]),
});

/** A gateway, as far as it knows the TPP. */
function openGateway(store: Store, next = recordSource()) {
  let known: WorldState | null = null;
  const load = async () => {
    known = await store.worlds.state('');
  };
  return {
    store,
    /** Loads the world where it must; gives how often it was judged anew. */
    keep: async (...times: number[]): Promise<number> => {
      for (let rounds = 0; ; rounds++) {
        if (known === null) await load();
        try {
          const state = known as unknown as WorldState;
          await store.append({ records: [next()], changes: [access(...times)], dependsOn: [rest(state)] });
          const versions = new Map([...state.versions, [TPP, (state.versions.get(TPP) ?? 0) + 1]]);
          known = { ...state, versions };
          return rounds;
        } catch (error) {
          if (!(error instanceof StoreMoved) || rounds > 5) throw error;
          const caught = await store.worlds.catchUp('', known as unknown as WorldState, [TPP]);
          const versions = new Map([...(known as unknown as WorldState).versions, ...caught.versions]);
          known = caught.isAnew ? null : { ...caught, versions };
        }
      }
    },
    times: async () => {
      const layers = await store.worlds.layers('');
      const facts = layers.flatMap((layer) => [...layer.facts]);
      return facts.flatMap((one) =>
        'fact' in one && one.family === 'accesses' ? ((one.fact as AccessFact | null)?.times ?? []) : [],
      );
    },
  };
}

async function replicated() {
  const server = await startReplicated();
  const keyFile = aPath('store.key');
  const open = async () =>
    openGateway(await postgresStore(addressOf(server, 's'), { limits: LIMITS, keyFile }));
  return { ...server, one: await open(), other: await open() };
}

const breaksOf = async (store: Store) => (await all(store.chains.verify('test'))).map(({ kind }) => kind);

describe('a server whose replica takes its place', () => {
  it('has everything known loaded anew, and goes on with nothing lost where the replica had it all', async () => {
    const { one, other, followed, failOver } = await replicated();
    await one.keep(NOW);
    await other.keep(NOW, NOW + 1);
    await followed();
    await failOver();
    expect(await other.keep(NOW, NOW + 1, NOW + 2)).toBe(1);
    expect(await one.times()).toEqual([NOW, NOW + 1, NOW + 2]);
    expect(await breaksOf(one.store)).toEqual([]);
  });

  it('lets nobody rest on what the replica did not have, although its versions are given again', async () => {
    const { one, other, followed, partReplica, failOver } = await replicated();
    await one.keep(NOW);
    await other.keep(NOW, NOW + 1);
    await followed();
    await partReplica();
    await one.keep(NOW, NOW + 1, NOW + 2);
    expect(await one.times()).toHaveLength(3);
    await failOver();
    // The same version as the one that is lost, of which the other one knows.
    expect(await other.keep(NOW, NOW + 1, NOW + 10)).toBe(1);
    expect(await one.keep(NOW, NOW + 1, NOW + 10, NOW + 11)).toBe(1);
    expect(await other.keep(NOW + 20)).toBe(1);
    // Who lost something of its chain goes on behind it, and notes so.
    expect((await breaksOf(one.store)).sort()).toEqual(['disturbed', 'missing']);
    expect(await all(one.store.read('test'))).toHaveLength(5);
  });
});

describe('a server that is set back to an older backup', () => {
  it('has gateways go on from what it has, also those that it does not know yet, each as a writer of its own', async () => {
    const server = await runServer();
    onTestFinished(server.close);
    const keyFile = aPath('store.key');
    const open = async () =>
      openGateway(await postgresStore(addressOf(server, 's'), { limits: LIMITS, keyFile }));
    const one = await open();
    await one.keep(NOW);
    await server.save();
    await one.keep(NOW, NOW + 1);
    const [second, third] = [await open(), await open()];
    await second.keep(NOW, NOW + 1, NOW + 2);
    await third.keep(NOW, NOW + 1, NOW + 2, NOW + 3);
    await server.restore();
    const late = await open();
    await late.keep(NOW, NOW + 5);
    for (const gateway of [third, second, one, late]) await gateway.keep(NOW, NOW + 5, NOW + 6);
    expect(await one.times()).toEqual([NOW, NOW + 5, NOW + 6]);
    const chains = (await one.store.sessions())[0]?.chains.map(({ store }) => store);
    expect(new Set(chains).size).toBe(4);
    expect((await breaksOf(one.store)).sort()).toEqual(['disturbed', 'missing']);
  });

  it('keeps facts of worlds and partitions that the backup does not have, also where nobody wrote when it was back', async () => {
    const server = await runServer();
    onTestFinished(server.close);
    const keyFile = aPath('store.key');
    const { store, keep, times } = openGateway(
      await postgresStore(addressOf(server, 's'), { limits: LIMITS, keyFile }),
    );
    await server.save();
    await keep(NOW);
    await server.restore();
    // It connects anew before there is anything to keep.
    const check = async () => store.place.check(true);
    await check().catch(() => {});
    await check();
    await keep(NOW, NOW + 1);
    expect(await times()).toEqual([NOW, NOW + 1]);
  });
});
