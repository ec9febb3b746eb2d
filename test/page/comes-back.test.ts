/** The live page (`dist/page/`) when its gateway goes and comes back. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { folderOfFile } from '../folder.js';
import { openPages, type Pages } from './pages.js';

const folder = folderOfFile();
const open: TestGateway[] = [];
let pages: Pages;

beforeAll(async () => {
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  for (const one of open) await one.close();
});

async function started(store: string, port: string): Promise<TestGateway> {
  const gateway = await startTestGateway({ store, adminListen: `127.0.0.1:${port}`, index: 'off' });
  open.push(gateway);
  return gateway;
}
const call = (gateway: TestGateway, path: string) => gateway.call(`/stdgroup/v1/${path}`);

it.each([
  ['with its store: what came meanwhile is there', 'kept', ['third', 'second', 'first']],
  ['without: the list is reloaded, and the page says so', 'lost', ['third', 'second']],
])('it goes on once the gateway is back, %s', async (_name, store, wanted) => {
  const pathOf = (n: number) => (store === 'kept' ? join(folder, 'one.db') : join(folder, `${n}.db`));
  const first = await started(pathOf(1), '0');
  const { port } = new URL(first.urls.admin);
  await call(first, 'first');
  await pages.open(
    first.urls.admin,
    {},
    async (page) => {
      await page.locator('.pill.live').waitFor();
      await first.close();
      open.pop();
      await page.locator('.pill.lost').waitFor();
      const second = await started(pathOf(2), port);
      await call(second, 'second');
      await page.locator('.row', { hasText: 'second' }).waitFor();
      await call(second, 'third');
      await page.locator('.row', { hasText: 'third' }).waitFor();
      await page.locator('.pill.live').waitFor();
      expect(await page.locator('.row .path').allTextContents()).toEqual(wanted);
      if (store === 'lost')
        await page
          .getByRole('status')
          .getByText(/was reloaded/)
          .waitFor();
    },
    /^Failed to load resource|ERR_/,
  );
});
