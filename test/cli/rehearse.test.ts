/** `sandgate rehearse` as a user types it: lists, mistakes, and what keeps it from starting. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testCertificates } from '../e2e/harness.js';
import { folderOfFile } from '../folder.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();

function plan(value: object): string {
  const file = join(folder, 'plan.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** An application that links nothing: each of its pages says the same. */
async function serve(status: number, text: string): Promise<string> {
  const server = createServer(
    (_, answer) => void answer.writeHead(status, { 'content-type': 'text/html' }).end(text),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const appAt = (origin: string, more = {}) => ({
  app: { link: { begin: `GET ${origin}/link`, drive: 'follow', done: { url: '/accounts' } }, ...more },
  listen: '127.0.0.1:0',
  psuListen: '127.0.0.1:0',
});

const rehearse = async (file: string, ...args: string[]) =>
  sandgate(['rehearse', file, '--certs', await testCertificates(), ...args], { clock: Date.now });

describe('the list', () => {
  it('prints cells of a family, or one of them, and needs no plan', async () => {
    const { status, out } = await sandgate(['rehearse', '--list', '--cell', 'paging/same-page']);
    expect(status).toBe(0);
    expect(out).toMatch(/^paging\/same-page\n {4}The next page leads to itself\.\n {4}Seen in: /);
    const json = JSON.parse(
      (await sandgate(['rehearse', '--list', '--family', 'paging,crowd', '--format', 'json'])).out,
    );
    expect(new Set(json.map(({ family }: { family: string }) => family))).toEqual(
      new Set(['paging', 'crowd']),
    );
  });
});

describe('a mistake', () => {
  it.each([
    [['rehearse'], 'A rehearsal needs a plan: give its file, as in sandgate rehearse plan.json'],
    [
      ['rehearse', '--list', '--cell', 'paging/same-pge'],
      'There is no cell paging/same-pge. Did you mean paging/same-page?',
    ],
    [['rehearse', '--list', '--family', 'pagin'], 'There is no family pagin. Did you mean paging?'],
    [['rehearse', 'p.json', '--seed', '-1'], 'A whole number below 4294967296 is expected.'],
    [['rehearse', 'p.json', '--format', 'pdf'], 'Allowed choices are text, json, html, junit'],
    [['rehearse', '/nowhere/p.json'], 'there is no such file'],
  ])('%j is told with status 2', async (args, words) => {
    const { status, err } = await sandgate(args);
    expect([status, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it('in the plan is told with its place, and status 2', async () => {
    const { status, err } = await rehearse(plan({ app: {}, sead: 1 }));
    expect(status).toBe(2);
    expect(err).toContain('app.link: it is missing');
    expect(err).toContain('“sead” is not known here; the nearest name is “seed”');
  });
});

describe('a calm day', () => {
  it('that is too much for the application ends the rehearsal with what was seen', async () => {
    const origin = await serve(200, '<h1>Sorry, we cannot link banks on Tuesdays</h1>');
    const { status, err } = await rehearse(plan(appAt(origin)));
    expect(status).toBe(1);
    expect(err).toContain('fails on a day without weather: link did not end well');
    expect(err).toContain('“Sorry, we cannot link banks on Tuesdays”');
  });

  it('on which the application says that it is linked, and is not, ends it too', async () => {
    const origin = await serve(200, 'linked');
    const app = appAt(origin);
    app.app.link.done = { text: 'linked' } as never;
    const { status, err } = await rehearse(plan(app));
    expect([status, err]).toEqual([1, expect.stringContaining('the bank has no valid consent')]);
  });

  it('without an application is told', async () => {
    const { status, err } = await rehearse(plan(appAt('http://127.0.0.1:1')));
    expect([status, err]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  });
});

describe('what is in the way', () => {
  it('a port of the bank in use is named', async () => {
    const taken = new URL(await serve(200, '')).host;
    const { status, err } = await rehearse(plan({ ...appAt('http://127.0.0.1:1'), listen: taken }));
    expect(status).toBe(3);
    expect(err).toContain(`--listen ${taken}`);
  });

  it('an application that does not start is told with what it wrote', async () => {
    const start = { command: 'echo no such database; exit 7', ready: 'http://127.0.0.1:1/' };
    const { status, err } = await rehearse(plan(appAt('http://127.0.0.1:1', { start })));
    expect(status).toBe(3);
    expect(err).toContain('ended with status 7. It wrote:\nno such database');
  });

  it('a browser that is not there is told with what to do', async () => {
    const app = appAt('http://127.0.0.1:1');
    app.app.link.drive = 'browser';
    const { status, err } = await rehearse(plan({ ...app, browser: { executable: '/nowhere/chromium' } }));
    expect(status).toBe(3);
    expect(err).toContain('The driver “browser” has no browser');
    expect(err).toContain('npm install playwright-core');
  });
});
