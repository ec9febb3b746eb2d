/** Erasing on a store that gateways record into: they forget, go on, and write nothing of it back. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore, openStore } from '../../src/store/index.js';
import { ANNA, BEN, filesWith, noteAbout, placesOf, plant } from '../cli/planted.js';
import { sandgate } from '../cli/run-command.js';
import { aSchema } from '../postgres/schemas.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { startProgram, temporaryFolder } from './child.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { type Linked, livingTpp } from './living.js';

const OF_ANNA = [ANNA.name, ANNA.consent];

/** Consents of two PSUs at a bank that gateways answer for, of which one is erased while calls go on. */
async function eraseOneOfTwo(gateways: readonly TestGateway[], where: readonly string[], grep?: string) {
  const [one = gateways[0], other = one] = gateways;
  const tpps = [livingTpp(one as TestGateway), livingTpp(other as TestGateway)] as const;
  const [tpp, second] = tpps;
  const anna = await tpp.linked();
  const ben = await second.linked({}, { psu: 'psu-2' });
  const read = async ({ id, token }: Linked, by = tpp) =>
    (await by.ask('GET /accounts', { consent: id, token })).status;
  expect([await read(anna), await read(ben), await read(anna, second)]).toEqual([200, 200, 200]);
  // It names no consent, and is known by its token.
  expect((await tpp.ask('GET /accounts', { token: anna.token })).status).toBe(400);
  let isOver = false;
  const statuses = new Set<number>();
  const others = (async () => {
    while (!isOver) statuses.add(await read(ben, second));
  })();
  const { status, out } = await sandgate(['erase', '--consent', anna.id, '--yes', ...where]);
  isOver = true;
  await others;
  expect([status, out]).toEqual([
    0,
    expect.stringMatching(/Erased the content of \d+ exchanges, \d+ facts?\./),
  ]);
  if (grep !== undefined) expect(filesWith(grep, [anna.id])).toEqual([]);
  expect(out).not.toContain('Restart it');
  expect([...statuses].filter((one) => one !== 200)).toEqual([]);
  for (const by of tpps) {
    expect([await read(anna, by), await read(ben, by)]).toEqual([expect.any(Number), 200]);
    expect((await by.ask(`GET /consents/${anna.id}`)).status).toBe(403);
  }
  const { store, recorder } = (one as TestGateway).app;
  await recorder.drain();
  expect(await all(store.chains.verify('june'))).toEqual([]);
  const erased = await all(store.read('june', { onUnreadable: () => expect.unreachable() }));
  expect(erased.filter(({ exchange }) => exchange.withheld === 'erased').length).toBeGreaterThan(4);
  const [unnamed] = erased.filter(({ exchange: { answer } }) => answer?.status === 400);
  expect(unnamed?.exchange).toMatchObject({ call: { operation: 'accounts.list' }, withheld: 'erased' });
}

describe('erasing while gateways record', () => {
  it.each([false, true])(
    'has one on a file forget, and answers others meanwhile (encrypt: %s)',
    async (encrypt) => {
      const store = aPath();
      const gateway = await startTestGateway({ store, session: 'june', bank: 'living', encrypt });
      onTestFinished(gateway.close);
      await eraseOneOfTwo([gateway], ['--store', store], store);
    },
  );

  it.each([false, true])(
    'has several on PostgreSQL forget, and answers others meanwhile (encrypt: %s)',
    async (encrypt) => {
      const settings = {
        store: aSchema(),
        storeKeyFile: aPath('store.key'),
        session: 'june',
        bank: 'living',
        encrypt,
      };
      const gateways = [await startTestGateway(settings, 0), await startTestGateway(settings, 1)];
      for (const one of gateways) onTestFinished(one.close);
      const { store, storeKeyFile } = settings;
      await eraseOneOfTwo(gateways, ['--store', store, '--store-key-file', storeKeyFile]);
    },
  );
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
