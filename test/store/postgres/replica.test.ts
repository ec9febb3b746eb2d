/** Sessions that are read from a replica: it may be behind, and nothing is missing for that. */
import { expect, it } from 'vitest';
import type { Store } from '../../../src/store/index.js';
import { startProxy } from '../../postgres/proxy.js';
import { startReplicated } from '../../postgres/replica.js';
import { addressOf } from '../../postgres/run-server.js';
import { postgresStore } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { aPath, recordSource } from '../stores.js';

const idsIn = async (store: Store, session: string, after?: string) =>
  (await all(store.read(session, after === undefined ? {} : { after }))).map(
    ({ exchange }) => exchange.call.id,
  );

it('what was just recorded is found where the replica does not have it yet, and the rest is read from there', async () => {
  const { password, port, replicaPort, followed, partReplica } = await startReplicated();
  const way = await startProxy(replicaPort);
  const [address, keyFile] = [addressOf({ port, password }, 's'), aPath('store.key')];
  const gateway = await postgresStore(address, { keyFile });
  const next = { test: recordSource(), later: recordSource('later', Date.now()) };
  const record = async (session: keyof typeof next): Promise<string> => {
    const made = next[session]();
    await gateway.append({ records: [made], changes: [] });
    return made.exchange.call.id;
  };
  const ids = [await record('test'), await record('test')];
  await followed();
  const reader = await postgresStore(address, {
    keyFile,
    readonly: true,
    readFrom: addressOf({ port: way.port, password }, 's'),
  });
  expect(await idsIn(reader, 'test')).toEqual(ids);
  expect(way.connections()).toBe(1);
  await partReplica();
  ids.push(await record('test'));
  const [later, last] = [await record('later'), ids[2] as string];
  expect(await idsIn(reader, 'test')).toEqual(ids);
  expect(await idsIn(reader, 'test', last)).toEqual([]);
  expect(await idsIn(reader, 'later')).toEqual([later]);
  expect((await reader.find(later))?.exchange.call.session).toBe('later');
  expect(await reader.chains.linkOf(last)).toBe((await reader.sessions())[0]?.head);
  expect((await reader.sessions()).map(({ name }) => name)).toEqual(['test', 'later']);
  expect(await reader.calls.newest()).toBe(later);
  expect(await reader.chains.of('later')).toHaveLength(1);
  expect(await reader.chains.verifyLink(later)).toEqual([]);
  expect(await all(reader.chains.verify('test'))).toEqual([]);
});
