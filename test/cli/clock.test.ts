/** `sandgate clock`: shows and moves the clock of a gateway that runs. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { started } from '../e2e/harness.js';
import { startSwitching } from '../switching-server.js';
import { sandgate } from './run-command.js';

describe('clock', () => {
  it('shows, sets, moves, stops and starts the clock', async () => {
    const { urls } = await started();
    const clock = async (...words: string[]) =>
      (await sandgate(['clock', ...words, '--admin', urls.admin])).out;
    expect(await clock()).toMatch(/^\S+Z, the time of the machine\n$/);
    expect(await clock('set', '2031-01-31T09:00Z')).toMatch(/^2031-01-31T09:00:0\S+Z, running\n$/);
    expect(await clock('freeze')).toMatch(/^2031-01-31T09:00:0\S+Z, frozen\n$/);
    expect(await clock('set', '2031-01-31')).toBe('2031-01-31T00:00:00.000Z, frozen\n');
    expect(await clock('advance', '90d')).toBe('2031-05-01T00:00:00.000Z, frozen\n');
    expect(await clock('set', '-12h')).toBe('2031-04-30T12:00:00.000Z, frozen\n');
    expect(await clock('advance', '-12h')).toBe('2031-04-30T00:00:00.000Z, frozen\n');
    expect(JSON.parse(await clock('show', '--json'))).toEqual({
      ...{ now: '2031-04-30T00:00:00.000Z', mode: 'frozen', speed: '1' },
    });
    expect(await clock('run', '--speed', '1h/1m')).toMatch(/, running at 1h\/1m\n$/);
    expect(await clock('set', 'real')).toMatch(/, the time of the machine\n$/);
  });

  it('finds the gateway, and the token that it asks for, in the settings of serve', async () => {
    const token = 'a-token-of-16-or-more';
    const { urls } = await started({ adminToken: token });
    const { host } = new URL(urls.admin);
    const env = { SANDGATE_ADMIN_LISTEN: host, SANDGATE_ADMIN_TOKEN: token };
    expect(await sandgate(['clock'], { env })).toMatchObject({ status: 0 });
    const without = await sandgate(['clock', '--admin', urls.admin]);
    expect([without.status, without.err]).toEqual([2, expect.stringContaining('set SANDGATE_ADMIN_TOKEN')]);
  });

  it.each([
    [['set', 'soon'], 'A time is expected'],
    [['advance', '90'], 'A duration with its unit is expected'],
    [['run', '--speed', '0'], 'A speed is expected'],
    [['set'], "missing required argument 'TIME'"],
    [['set', '2031-01-01', '--jsn'], 'too many arguments'],
    [['stop'], 'too many arguments'],
    [['--admin', 'nowhere'], '--admin nowhere is no address'],
  ])('%j is refused with a sentence and status 2', async (words, told) => {
    const { status, err } = await sandgate(['clock', ...words]);
    expect([status, err]).toEqual([2, expect.stringContaining(told)]);
  });

  it('ends with status 3 where no gateway answers', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const none = await sandgate(['clock', '--admin', `http://127.0.0.1:${port}`]);
    expect([none.status, none.err]).toEqual([3, expect.stringContaining('nothing listens there')]);
    const server = createServer((_request, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const other = await sandgate([
      'clock',
      '--admin',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ]);
    expect([other.status, other.err]).toEqual([
      3,
      expect.stringContaining('it is not a gateway with this function'),
    ]);
    const anyPort = await sandgate(['clock'], { env: { SANDGATE_ADMIN_LISTEN: '127.0.0.1:0' } });
    expect([anyPort.status, anyPort.err]).toEqual([2, expect.stringContaining('--admin URL')]);
  });

  it('ends with status 3 where protocols are switched instead of an answer', async () => {
    const switched = await sandgate(['clock', '--admin', `http://127.0.0.1:${await startSwitching()}`]);
    expect([switched.status, switched.err]).toEqual([3, expect.stringContaining(': it switched protocols')]);
  });

  it.each([
    ['before an answer comes', () => {}],
    ['in the middle of an answer', (response: ServerResponse) => response.writeHead(200).write('{')],
  ])('says that it was interrupted where it is stopped %s', async (_, answer) => {
    const stop = new AbortController();
    const server = createServer((_request, response) => {
      answer(response);
      setImmediate(() => stop.abort('SIGINT'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, err } = await sandgate(['clock', '--admin', url], { signal: stop.signal });
    expect([status, err]).toEqual([
      3,
      `Interrupted: the gateway at ${url} had not answered yet. Ask again; a change may have been made already.\n`,
    ]);
  });

  it('moves the clock of one session alone, where each is a world of its own', async () => {
    const { urls, call } = await started({ isolateSessions: true });
    await call('/stdgroup/v1/accounts', { headers: { 'Sandgate-Session': 'mine' } });
    const clock = async (...words: string[]) =>
      (await sandgate(['clock', ...words, '--admin', urls.admin])).out;
    expect(await clock('set', '2031-01-31T09:00Z', '--session', 'mine')).toMatch(/^2031-01-31/);
    expect(await clock('--session', 'mine')).toMatch(/^2031-01-31/);
    expect(await clock()).toMatch(/, the time of the machine\n$/);
  });

  it('tells why the gateway refuses', async () => {
    const { urls } = await started();
    const early = await sandgate(['clock', 'advance', '-90000d', '--admin', urls.admin]);
    expect([early.status, early.err]).toEqual([2, expect.stringContaining('before 1970')]);
  });
});
