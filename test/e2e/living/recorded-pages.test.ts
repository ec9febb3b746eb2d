/** The SCA pages of the living bank in a recording: judged offline as they were live, and blamed on nobody. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandgate } from '../../cli/run-command.js';
import { folderOfTest } from '../../folder.js';
import { startTestGateway } from '../harness.js';
import { aTpp } from './a-tpp.js';

const BACK = 'https://tpp.example/cb';

describe('a recording of the pages', () => {
  it('is judged in a file as it was live', async () => {
    const folder = folderOfTest();
    const store = join(folder, 'store.db');
    const gateway = await startTestGateway({ bank: 'living', bankPsus: 20, store });
    const { url } = await aTpp(gateway, BACK).consent({ allPsd2: 'allAccounts' });
    const psu = { side: 'psu' } as const;
    let page = await gateway.call(url.href, psu);
    const field = (name: string) =>
      new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(page.text)?.[1] ?? '';
    const post = async (form: Record<string, string>) => {
      page = await gateway.call(url.href, { ...psu, form: { sca_token: field('sca_token'), ...form } });
    };
    await gateway.call('/', psu);
    await gateway.call('/stdgroup/authorization/access', psu);
    await post({ step: 'login', login: field('login'), password: field('password') });
    await post({ step: 'confirm', otp: '123456' });
    const next = /class="button" href="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await gateway.call(next, psu)).status).toBe(302);
    expect((await gateway.records()).flatMap(({ findings }) => findings)).toEqual([]);
    await gateway.close();
    for (const format of ['har', 'cassette']) {
      const out = join(folder, `recording.${format}`);
      const exported = await sandgate([
        ...['sessions', 'export', 'test', '--store', store, '--format', format, '--out', out],
      ]);
      expect(exported.status, exported.err).toBe(0);
      const checked = await sandgate(['check', out]);
      expect(checked.status, checked.out).toBe(0);
      expect(checked.out).not.toMatch(/known-method|known-path/);
    }
  });
});
