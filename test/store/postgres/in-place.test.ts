/** What changes often in a schema changes in place: no index has to learn of it. */
import { expect, it } from 'vitest';
import type { KeptChange } from '../../../src/store/index.js';
import { NOW } from '../../builders.js';
import { aSchema, postgresStore, rowsOf } from '../../postgres/schemas.js';

it('facts and partitions are changed in place (HOT), but for some that find no room beside them', async () => {
  const address = aSchema();
  const store = await postgresStore(address);
  const { cursor } = await store.worlds.state('');
  const tpps = ['PSDBE-A', 'PSDBE-B'];
  const access = (tpp: string, at: number): KeptChange => ({
    family: 'accesses',
    key: `${tpp} c accounts.list `,
    fact: { tpp, consentId: 'c', operation: 'accounts.list', accountId: '', times: [at] },
    home: tpp,
  });
  const TIMES = 200;
  for (let version = 0; version < TIMES; version++) {
    const rest = { world: '', epoch: 0, cursor, versions: new Map(tpps.map((tpp) => [tpp, version])) };
    const changes = tpps.map((tpp) => access(tpp, NOW + version));
    await store.append({ records: [], changes, dependsOn: [rest] });
  }
  const schema = new URL(address).searchParams.get('schema');
  const changed = `SELECT relname, n_tup_upd::int4, n_tup_hot_upd::int4 FROM pg_stat_user_tables
    WHERE schemaname = '${schema}' AND relname IN ('facts', 'partitions')`;
  const all = 2 * (TIMES - 1);
  // The server counts with a delay.
  await expect
    .poll(async () => (await rowsOf(changed)).map(([, times]) => Number(times) >= all), { timeout: 15_000 })
    .toEqual([true, true]);
  for (const [table, times, inPlace] of await rowsOf(changed))
    expect(Number(inPlace) / Number(times), String(table)).toBeGreaterThan(0.9);
});
