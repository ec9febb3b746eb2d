/** Erasing on a store that gateways record into: they forget, go on, and write nothing of it back. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore, openStore } from '../../src/store/index.js';
import { ANNA, BEN, filesWith, noteAbout, placesOf, plant } from '../cli/planted.js';
import { sandgate } from '../cli/run-command.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { startProgram, temporaryFolder } from './child.js';
import { startTestGateway } from './harness.js';

const OF_ANNA = [ANNA.name, ANNA.consent];

describe('erasing while a gateway records', () => {
  it('has it forget, and its next answers are recorded as before', async () => {
    const store = aPath();
    const gateway = await startTestGateway({ store, session: 'june', bank: 'living' });
    onTestFinished(gateway.close);
    const create = () =>
      gateway.call('/stdgroup/v1/consents', {
        method: 'POST',
        headers: {
          'PSU-ID': ANNA.name,
          'PSU-IP-Address': '192.0.2.7',
          'TPP-Redirect-URI': 'https://tpp.example/cb',
        },
        json: {
          access: { accounts: [], balances: [], transactions: [] },
          ...{ recurringIndicator: true, validUntil: '2027-01-01', frequencyPerDay: 4 },
        },
      });
    const [first, second] = [await create(), await create()];
    const id = String(first.json.consentId);
    const read = async (consent: string) =>
      (
        await gateway.call(`/stdgroup/v1/consents/${consent}/status`, {
          headers: { 'X-Request-ID': crypto.randomUUID() },
        })
      ).status;
    expect([await read(id), await read(second.json.consentId)]).toEqual([200, 200]);
    const { status, out } = await sandgate(['erase', '--consent', id, '--yes', '--store', store]);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/Erased the content of 2 exchanges, \d+ facts?\./),
    ]);
    expect(filesWith(store, [id])).toEqual([]);
    expect([await read(id), await read(second.json.consentId)]).toEqual([404, 200]);
    expect(await all(gateway.app.store.chains.verify('june'))).toEqual([]);
    expect((await gateway.records()).map(({ exchange }) => exchange.withheld)).toEqual([
      ...['erased', undefined, 'erased'],
      ...[undefined, undefined, undefined],
    ]);
  });
});

describe('erasing that is killed', () => {
  it('is done once, whenever it is begun again', async () => {
    const store = aPath();
    const opened = createSqliteStore({ path: store });
    for (let i = 0; i < 12; i++) plant(opened, ANNA);
    plant(opened, BEN);
    noteAbout(opened, ANNA);
    opened.close();
    const args = ['erase', '--consent', ANNA.consent, '--yes', '--store', store];
    let kills = 0;
    for (let ms = 250; ; ms += 60) {
      const child = startProgram(args, { folder: temporaryFolder() });
      const timer = setTimeout(() => child.process.kill('SIGKILL'), ms);
      const { signal, code } = await child.ended;
      clearTimeout(timer);
      const after = await openStore(store, { readonly: true });
      expect(await all(after.chains.verify('june'))).toEqual([]);
      await after.close();
      if (signal === null) {
        // What was complete but for the last step has nothing to find.
        expect([0, 1]).toContain(code);
        break;
      }
      kills += 1;
    }
    expect(kills).toBeGreaterThan(0);
    expect(filesWith(store, OF_ANNA)).toEqual([]);
    const last = await openStore(store, { readonly: true });
    onTestFinished(() => last.close());
    const noted = (await last.chains.notes('june', 'erased')).map(({ settings }) =>
      Number(settings.exchanges),
    );
    expect(noted.reduce((sum, one) => sum + one, 0)).toBe(12 * placesOf(ANNA).length);
    expect(
      (await all(last.read('june'))).filter(({ exchange }) => exchange.withheld === undefined),
    ).toHaveLength(placesOf(BEN).length);
  });
});
