/** The other drivers: a command of the plan, and Chromium at the living bank. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBrowserDriver } from '../../src/rehearsal/drive/browser.js';
import { createCommandDriver } from '../../src/rehearsal/drive/by-command.js';
import type { Walk } from '../../src/rehearsal/drive/driver.js';
import type { Journey } from '../../src/rehearsal/plan.js';
import { browserOptions } from '../browser.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();
const env = { PATH: process.env.PATH ?? '' };

const walkOf = (journey: Partial<Journey>, more: Partial<Walk> = {}): Walk => ({
  psu: { id: 'psu-1', login: 'l', password: 'p' },
  outcome: 'SCA_CANCEL',
  leaves: false,
  values: { amount: '1.50' },
  journey: {
    begin: 'GET http://localhost:1/pay?amount={amount}',
    drive: 'follow',
    done: { url: '/' },
    ...journey,
  },
  signal: new AbortController().signal,
  ...more,
});

describe('a command', () => {
  const drive = (script: string, more: Partial<Walk> = {}) => {
    writeFileSync(join(folder, 'drive.mjs'), script);
    return createCommandDriver(`"${process.execPath}" drive.mjs`, { folder, env }).walk(walkOf({}, more));
  };

  it('is told what is to be done as JSON, and tells where it ended', async () => {
    const echo =
      'let text = ""; for await (const chunk of process.stdin) text += chunk;\n' +
      'console.log(JSON.stringify({ url: JSON.parse(text).begin.url, status: 200, text }));';
    const end = await drive(echo);
    expect(end).toMatchObject({ url: 'http://localhost:1/pay?amount=1.50', status: 200, problem: null });
    expect(JSON.parse(end.text)).toEqual({
      begin: { method: 'GET', url: 'http://localhost:1/pay?amount=1.50' },
      psu: { id: 'psu-1', login: 'l', password: 'p' },
      outcome: 'SCA_CANCEL',
      leaves: false,
      values: { amount: '1.50' },
    });
  });

  it.each([
    ['process.exit(3);', 'the driver ended with status 3'],
    ['console.log("done");', 'the driver printed no JSON with url, status and text'],
    [
      'const write = () => process.stdout.write("x".repeat(65536), write); write();',
      'the driver printed more than 1 MiB',
    ],
  ])('%s is told', async (script, problem) => {
    expect((await drive(script)).problem).toBe(problem);
  });

  it('that does not end is ended when its time is over', async () => {
    const stop = new AbortController();
    const driving = drive('setInterval(() => {}, 1000);', { signal: stop.signal });
    stop.abort();
    expect((await driving).problem).toBe('the driver did not end in time');
  });
});

describe('a browser', () => {
  it('signs in by the steps of the plan, takes the outcome at the bank, and keeps a picture of where it ended', {
    timeout: 60_000,
  }, async () => {
    const pages: Record<string, string> = {
      '/link':
        '<form action="/signed-in"><label>Name <input id="name" name="name"></label><button>Sign in</button></form>',
      '/signed-in': '<script>location.href = window.bank</script>',
      '/back': '<h1>Your bank was not linked</h1>',
    };
    const bank: Record<string, string> = {
      '/authorize':
        '<form method="get" action="/chosen"><details><summary>Or choose</summary><input name="psu"><input type="radio" name="choice" value="SCA_CANCEL"><button name="step" value="choice">Continue</button></details></form>',
    };
    let chosen = '';
    const serve = async (of: (url: URL) => string | undefined) => {
      const server = createServer((request, answer) => {
        const text = of(new URL(request.url ?? '', 'http://localhost'));
        answer.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(text);
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    let psu = '';
    const app = await serve(({ pathname, searchParams }) =>
      pathname === '/signed-in' && searchParams.get('name') !== 'ada'
        ? 'who are you?'
        : pages[pathname]?.replace('window.bank', `'${psu}/authorize'`),
    );
    psu = await serve(({ pathname, search }) => {
      if (pathname !== '/chosen') return bank[pathname];
      chosen = search;
      return `<a class="button" href="${app}/back?error=access_denied">Continue</a>`;
    });
    const { executablePath: executable = '', args = [] } = await browserOptions();
    const driver = await openBrowserDriver({ executable, args }, psu);
    onTestFinished(driver.close);
    const end = await driver.walk(
      walkOf({
        begin: `GET ${app}/link`,
        drive: 'browser',
        steps: [{ url: '/link', fill: { '#name': 'ada' }, click: 'button' }],
      }),
    );
    expect(chosen).toBe('?psu=psu-1&choice=SCA_CANCEL&step=choice');
    expect(end).toMatchObject({
      url: `${app}/back?error=access_denied`,
      status: 200,
      text: 'Your bank was not linked',
      problem: null,
    });
    expect(
      Buffer.from(end.picture ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });
});
