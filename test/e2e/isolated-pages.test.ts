/** Pages of a bank, with a world for each session: the redirect that ends an authorisation finds its own. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { aSchema } from '../postgres/schemas.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { endsOf, sendForm, settingsOfPages, showForm, TPP_BACK } from './bank-pages.js';
import { startTestGateway, type TestGateway } from './harness.js';

async function start(settings: Record<string, unknown>, slot: number): Promise<TestGateway> {
  const gateway = await startTestGateway(settings, slot);
  onTestFinished(gateway.app.close);
  return gateway;
}

async function authorise(gateway: TestGateway, session: string, state: string): Promise<void> {
  const headers = { 'Sandgate-Session': session };
  // A browser begins no session.
  await gateway.call('/nowhere', { headers });
  await showForm(gateway, state, headers);
}

describe.each([
  ['a file of SQLite', () => ({ store: aPath() })],
  ['PostgreSQL', () => ({ store: aSchema(), storeKeyFile: aPath('store.key') })],
])('gateways on %s', (_, store) => {
  it('record it in its session, also where no call of that has come before, and after a restart, once', async () => {
    const settings = { ...store(), ...(await settingsOfPages()), isolateSessions: true };
    const [one, other, third] = [
      await start(settings, 0),
      await start(settings, 1),
      await start(settings, 2),
    ];
    const endsIn = async (session: string) => endsOf(await all(third.app.store.read(session)));
    await authorise(one, 'june', 'in-june');
    await authorise(one, 'july', 'in-july');
    await sendForm(other, `${TPP_BACK}?code=c1&state=nobody-waits`);
    expect([await endsIn('june'), await endsIn('july'), await endsIn('test')]).toEqual([[], [], []]);
    await sendForm(other, `${TPP_BACK}?code=c2&state=in-july`);
    expect([await endsIn('june'), await endsIn('july')]).toEqual([[], [['in-july', 'complied']]]);
    await one.app.close();
    const late = await start(settings, 0);
    await sendForm(late, `${TPP_BACK}?code=c3&state=in-june`);
    for (const gateway of [other, third, late])
      for (const state of ['in-june', 'in-july'])
        await sendForm(gateway, `${TPP_BACK}?code=c4&state=${state}`);
    expect([await endsIn('june'), await endsIn('july'), await endsIn('test')]).toEqual([
      [['in-june', 'complied']],
      [['in-july', 'complied']],
      [],
    ]);
  });
});
