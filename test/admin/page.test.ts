/** The live page's document: who gets it, and with which policy. What the page shows is tested in `test/page`. */
import { describe, expect, it } from 'vitest';
import { buildAdmin } from '../../src/admin/server.js';
import { PAGE_FOLDER } from '../../src/app/built.js';
import { SCA_SCENARIOS } from '../../src/spec/index.js';
import { startTestGateway } from '../e2e/harness.js';
import { openPages } from '../page/pages.js';

const FIRST = { lines: [], canMakeJourney: false, certificates: '/certs' };
const HOSTILE = '"><script>alert(1)</script>&amp;';

function aPage({ token, folder = PAGE_FOLDER }: { token?: string; folder?: string } = {}) {
  const urls = { api: 'https://localhost:8443', psu: 'https://localhost:8444' };
  const server = buildAdmin({
    host: '127.0.0.1',
    token,
    checks: [],
    page: { folder, about: () => ({ version: HOSTILE, urls, bank: null, bankProfile: null, first: FIRST }) },
  });
  return (url: string, headers: Record<string, string> = {}) =>
    server.inject({ url, headers: { host: 'localhost:8445', ...headers } });
}

describe('the live page', () => {
  it.each(['/', '/exchanges', '/exchanges/0000000ZZZZ', '/bank', '/rules', '/settings', '/report'])(
    'is one document at %s, with a policy that lets in its own style and program and nothing else',
    async (path) => {
      const { statusCode, headers, body } = await aPage()(path);
      expect(statusCode).toBe(200);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; /);
      expect(headers['content-security-policy']).toMatch(/require-trusted-types-for 'script'/);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(body).not.toMatch(/<script(?! type="module" src="\/page\/main.js"><)| style="|<style/i);
    },
  );

  it('is told its facts as text, whatever they hold', async () => {
    const { body } = await aPage()('/');
    const [, told = ''] = /data-about="([^"]*)"/.exec(body) ?? [];
    const plain = told.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
    const about = JSON.parse(plain);
    expect(about.version).toBe(HOSTILE);
    expect(about.outcomes).toHaveLength(Object.keys(SCA_SCENARIOS).length);
    expect(body).not.toContain('alert(1)</script>&amp;"');
  });

  it('says how to build it where it was not built', async () => {
    const { statusCode, body } = await aPage({ folder: '/nowhere' })('/');
    expect(statusCode).toBe(503);
    expect(body).toContain('npm run build');
  });

  it.each([
    ['nothing', undefined, 401],
    ['a wrong password', `Basic ${Buffer.from('operator:wrong').toString('base64')}`, 401],
    ['the token as name', `Basic ${Buffer.from('0123456789abcdef:').toString('base64')}`, 401],
    ['the token without colon', `Basic ${Buffer.from('0123456789abcdef').toString('base64')}`, 401],
    ['the token as password', `Basic ${Buffer.from('operator:0123456789abcdef').toString('base64')}`, 200],
    ['the token as Bearer', 'Bearer 0123456789abcdef', 200],
  ])(
    'with an admin token answers %s as it should, and asks a browser for it',
    async (_name, authorization, status) => {
      const open = aPage({ token: '0123456789abcdef' });
      const answer = await open('/', authorization === undefined ? {} : { authorization });
      expect(answer.statusCode).toBe(status);
      if (status === 401)
        expect(String(answer.headers['www-authenticate'])).toContain('Basic realm="Sandgate"');
    },
  );

  it('refuses a foreign Host', async () => {
    expect((await aPage()('/', { host: 'evil.example' })).statusCode).toBe(403);
  });

  it('says without JavaScript which command and which API show the same', async () => {
    const gateway = await startTestGateway();
    const pages = await openPages();
    try {
      await pages.open(gateway.urls.admin, { javaScriptEnabled: false }, async (page) => {
        expect(await page.locator('body').textContent()).toContain('sandgate sessions show');
      });
    } finally {
      await pages.close();
      await gateway.close();
    }
  });
});
