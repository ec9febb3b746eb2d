/** The admin listener on a real socket: what answers is loaded by the first request. */
import { once } from 'node:events';
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/build.js';
import { type Admin, openAdmin } from '../../src/admin/index.js';

const parts = {
  ...{ port: 0, connections: 100, token: undefined, checks: [], onListenError: (cause: Error) => cause },
  onLoadError: (cause: unknown) => {
    throw cause;
  },
};
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
let admin: Admin | undefined;

afterEach(async () => {
  await admin?.close();
  admin = undefined;
});

describe('the admin listener', () => {
  it('answers requests that come together while it loads', async () => {
    admin = await openAdmin({ ...parts, host: '127.0.0.1' });
    const url = `http://127.0.0.1:${admin.port}/healthz`;
    const answers = await Promise.all([1, 2, 3].map(async () => (await fetch(url)).json()));
    expect(answers).toEqual([{ status: 'ok' }, { status: 'ok' }, { status: 'ok' }]);
  });

  it.runIf(hasIpv6)('answers at both addresses of localhost', async () => {
    admin = await openAdmin({ ...parts, host: 'localhost' });
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${admin.port}/healthz`)).status).toBe(200);
  });

  it('answers however many idle connections somebody opens, and keeps the newest of them', async () => {
    admin = await openAdmin({ ...parts, connections: 10, host: hasIpv6 ? 'localhost' : '127.0.0.1' });
    const { port } = admin;
    const hosts = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
    const idle: Socket[] = [];
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });
    for (let n = 0; n < 50; n++) {
      const socket = connect({ host: hosts[n % hosts.length] as string, port });
      socket.on('error', () => {});
      idle.push(socket);
      await once(socket, 'connect');
    }
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(answer.status).toBe(200);
    await expect.poll(() => idle.filter((socket) => !socket.destroyed).length).toBeLessThan(11);
    expect(idle.at(-1)?.destroyed).toBe(false);
  });

  describe('under a flood of new connections', () => {
    /** A connection from an address of this machine, and what it is answered. */
    const from = async (localAddress: string, port: number, request?: string) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      const ask = async (text: string) => {
        socket.write(text);
        const [bytes] = await once(socket, 'data', { signal: AbortSignal.timeout(5_000) });
        return String(bytes).split(' ')[1];
      };
      await once(socket, 'connect');
      return { socket, ask, status: request === undefined ? null : await ask(request) };
    };
    const asked = (token: string, path = '/') =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const flood = async (port: number, address: string, request?: string) => {
      for (let n = 0; n < 50; n++) await from(address, port, request);
    };
    const TOKEN = 'of-the-operator-0123456789';
    const open = async () => {
      admin = await openAdmin({ ...parts, connections: 10, host: '127.0.0.1', token: TOKEN });
      return admin.port;
    };

    it.each([
      ['silent connections', undefined, '404'],
      ['requests without the token', asked('wrong'), '404'],
      ['health checks', asked(TOKEN, '/healthz'), '404'],
    ])('of %s, an operator keeps a connection and makes new ones', async (_, request, answer) => {
      const port = await open();
      const operator = await from('127.0.0.1', port, asked(TOKEN));
      expect(operator.status).toBe(answer);
      const before = await from('127.0.0.1', port);
      await flood(port, '127.0.0.2', request);
      expect(await before.ask(asked(TOKEN))).toBe(answer);
      expect(await operator.ask(asked(TOKEN))).toBe(answer);
      expect((await from('127.0.0.1', port, asked(TOKEN))).status).toBe(answer);
    });

    it('from the address of an operator, its connection stays and others have room', async () => {
      const port = await open();
      const operator = await from('127.0.0.1', port, asked(TOKEN));
      await flood(port, '127.0.0.1');
      expect(await operator.ask(asked(TOKEN))).toBe('404');
      for (const address of ['127.0.0.1', '127.0.0.3'])
        expect((await from(address, port, asked(TOKEN))).status).toBe('404');
    });

    it('of operators, half of the room is left to new ones', async () => {
      const port = await open();
      await flood(port, '127.0.0.2', asked(TOKEN));
      expect((await from('127.0.0.1', port, asked(TOKEN))).status).toBe('404');
    });
  });

  it('closes connections that are kept open, asked or not', async () => {
    for (const isAsked of [true, false]) {
      const opened = await openAdmin({ ...parts, host: '127.0.0.1' });
      if (isAsked) await (await fetch(`http://127.0.0.1:${opened.port}/healthz`)).text();
      await opened.close();
      await expect(fetch(`http://127.0.0.1:${opened.port}/healthz`)).rejects.toThrow();
    }
  });

  it('says that its program cannot be loaded, answers when it can be again, and closes if it never can', async () => {
    // A program of its own, whose files come and go.
    const program = mkdtempSync(join(ROOT, 'node_modules/.admin-'));
    onTestFinished(() => rmSync(program, { recursive: true, force: true }));
    cpSync(join(ROOT, 'dist'), program, {
      recursive: true,
      filter: (path) => !/\.(?:d\.ts|map)$/.test(path),
    });
    const server = join(program, 'admin/server.js');
    const copy: { readonly openAdmin: typeof openAdmin } = await import(join(program, 'admin/open-admin.js'));
    for (const comesBack of [false, true]) {
      const told: unknown[] = [];
      const onLoadError = (cause: unknown) => told.push(cause);
      renameSync(server, `${server}.away`);
      const opened = await copy.openAdmin({ ...parts, onLoadError, host: '127.0.0.1' });
      const ask = () => fetch(`http://127.0.0.1:${opened.port}/healthz`);
      const answer = await ask();
      expect([answer.status, told.length]).toEqual([503, 1]);
      expect((await answer.json()).error).toContain('start the gateway again');
      renameSync(`${server}.away`, server);
      if (comesBack) expect(await (await ask()).json()).toEqual({ status: 'ok' });
      await opened.close();
    }
  });

  it('tells why it cannot listen', async () => {
    admin = await openAdmin({ ...parts, host: '127.0.0.1' });
    const again = openAdmin({ ...parts, host: '127.0.0.1', port: admin.port });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
