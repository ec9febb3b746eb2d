/** `sandgate bank`: steers the living bank of a gateway that runs. */
import { afterEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { sandgate } from './run-command.js';

const open: TestGateway[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function started(settings: Record<string, unknown> = {}): Promise<string> {
  const gateway = await startTestGateway({ bank: 'living', ...settings });
  open.push(gateway);
  return gateway.urls.admin;
}

it('takes a snapshot, goes back to it, and resets', async () => {
  const admin = await started();
  const bank = (...words: string[]) => sandgate(['bank', ...words, '--admin', admin]);
  expect((await bank('snapshot', 'linked')).out).toBe('The snapshot linked was taken.\n');
  expect((await bank('restore', 'linked')).out).toBe('The bank was restored to linked.\n');
  expect((await bank('reset')).out).toBe('The bank was reset.\n');
  expect(JSON.parse((await bank('snapshot', 'two', '--json')).out)).toMatchObject({ name: 'two', now: null });
});

it('tells what is wrong, and what to do', async () => {
  const admin = await started({ bank: 'sandbox' });
  const none = await sandgate(['bank', 'reset', '--admin', admin]);
  expect([none.status, none.err]).toEqual([2, expect.stringContaining('start with --bank living')]);
  const shared = await sandgate(['bank', 'reset', '--session', 'team', '--admin', admin]);
  expect(shared.err).toContain('--isolate-sessions');
  const nobody = await sandgate(['bank', 'reset', '--admin', 'http://127.0.0.1:1']);
  expect([nobody.status, nobody.err]).toEqual([3, expect.stringContaining('No gateway answers')]);
});
