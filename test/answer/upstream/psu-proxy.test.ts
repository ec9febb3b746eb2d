/** The bank's own pages appear on the PSU listener, and the redirect back to the TPP is seen. */
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Credentials,
  createCredentials,
  createPsuProxy,
  type PsuPage,
  type PsuProxy,
} from '../../../src/answer/upstream/index.js';
import type { UpstreamLimits } from '../../../src/answer/upstream/limits.js';
import { rewriteCookie } from '../../../src/answer/upstream/psu-rewrites.js';
import type { Answer, Call } from '../../../src/exchange/index.js';
import { aCall } from '../../builders.js';
import { flood, startAnswering, startSwitching, trickle } from '../../switching-server.js';
import { type Bank, quiet, readAll, recognise, startBank, until } from './bank.js';
import { createFiles, mintCertificates } from './certificates.js';

const certificates = mintCertificates();
const files = createFiles();
const AUTHORIZE = '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111';
const NO_CLIENT = { requestCert: false } as const;

interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let bank: Bank;
let seen: Seen[] = [];
const open: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  bank = await startBank(
    certificates,
    async (request, response) => {
      const { url = '', headers, rawHeaders } = request;
      const body = (await readAll(request).catch(() => '')).toString();
      seen.push({ url, headers, body });
      const path = url.replace('/pages', '').split('?', 1)[0];
      if (path === '/page') {
        response.writeHead(
          200,
          [
            ['X-Order', '1'],
            ['Set-Cookie', 'sid=1; Domain=bank.example; Path=/pages; Secure; HttpOnly'],
            ['Set-Cookie', 'csrf=2; Path=/pages/login; SameSite=Lax'],
            ['Strict-Transport-Security', 'max-age=31536000'],
            ['Sandgate-Source', 'upstream'],
            ['x-order', '2'],
          ].flat(),
        );
        response.end('<html>é</html>');
      } else if (path === '/to-login')
        response.writeHead(302, { Location: `${bank.url.origin}/pages/login?x=%2F` }).end();
      else if (path === '/to-path') response.writeHead(303, { Location: '/pages/login' }).end();
      else if (path === '/to-tpp')
        response.writeHead(302, { Location: 'https://tpp.example/back?code=secret&state=s1&a' }).end();
      else if (path === '/to-tpp-stateless')
        response.writeHead(302, { Location: 'https://tpp.example/back?code=secret' }).end();
      else if (path === '/to-outside') response.writeHead(302, { Location: '/idp?x=1' }).end();
      else if (path === '/to-base') response.writeHead(302, { Location: '/pages' }).end();
      else if (path === '/to-slashes') response.writeHead(302, { Location: '/pages//login' }).end();
      else if (path === '/to-other') response.writeHead(302, { Location: 'https://idp.example/login' }).end();
      else if (path === '/big')
        Readable.from(Array.from({ length: 200 }, () => Buffer.alloc(65_536))).pipe(response);
      else if (path === '/slow') response.write('begun');
      else response.end(rawHeaders.length > 0 ? body : '');
    },
    NO_CLIENT,
  );
});

afterEach(async () => {
  seen = [];
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(async () => {
  await bank.close();
  files.remove();
});

interface Listener {
  readonly url: string;
  readonly pages: PsuPage[];
  readonly left: (readonly [location: string, answer: Answer])[];
  readonly proxy: PsuProxy;
  readonly server: Server;
  readonly credentials: Credentials;
}

async function listen(
  parts: {
    target?: URL;
    call?: Call;
    onLeave?: () => Promise<void>;
    url?: string;
    ca?: string;
    limits?: Partial<UpstreamLimits>;
  } = {},
): Promise<Listener> {
  const credentials = createCredentials({
    ca: [files.write('ca.pem', parts.ca ?? certificates.ca.cert)],
    env: {},
    log: quiet,
    reloadMs: 0,
  });
  const pages: PsuPage[] = [];
  const left: [string, Answer][] = [];
  const target = parts.target ?? new URL('/pages/', bank.url);
  let url = '';
  const proxy = createPsuProxy({
    target,
    apiTarget: new URL('https://api.bank.example'),
    credentials,
    urls: () => ({ api: 'https://127.0.0.1:8443', psu: parts.url ?? url }),
    recognise,
    onPage: (page) => void pages.push(page),
    onLeave: (...where) => {
      left.push(where);
      return parts.onLeave?.();
    },
    onFailure: () => {},
    limits: { firstByteMs: 5_000, ...parts.limits },
  });
  const server = createServer((request, response) => {
    const isAuthorise = request.url?.startsWith(AUTHORIZE) === true;
    void proxy.show(request, response, isAuthorise ? parts.call : undefined);
  });
  server.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket as never, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open.push(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  return { url, pages, left, proxy, server, credentials };
}

async function get(
  url: string,
  options: Parameters<typeof httpRequest>[1] & object = {},
  body?: string,
): Promise<IncomingMessage & { text: string }> {
  const request = httpRequest(url, { agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return Object.assign(response, { text: await text(response) });
}

describe('a page of the bank', () => {
  it('comes as it is, with cookies of the PSU listener and without what binds a browser', async () => {
    const { url } = await listen();
    const page = await get(url, { path: "/page?a=%2F%2f'&&b" });
    expect(page.text).toBe('<html>é</html>');
    expect(seen[0]?.url).toBe("/pages/page?a=%2F%2f'&&b");
    expect(seen[0]?.headers.host).toBe(bank.url.host);
    expect(page.headers['set-cookie']).toEqual([
      'sid=1; Path=/; HttpOnly',
      'csrf=2; Path=/login; SameSite=Lax',
    ]);
    expect(page.rawHeaders.filter((_, i) => i % 2 === 0).slice(0, 4)).toEqual([
      'X-Order',
      'Set-Cookie',
      'Set-Cookie',
      'x-order',
    ]);
    expect(page.headers).not.toHaveProperty('strict-transport-security');
    expect(page.headers).not.toHaveProperty('sandgate-source');
  });

  it('is asked for by a form as if it came from the bank itself', async () => {
    const { url } = await listen();
    const headers = {
      Origin: url,
      Referer: `${url}/login?x`,
      Cookie: 'sid=1; csrf=2',
      'Sandgate-Session': 's',
      Expect: '100-continue',
    };
    const page = await get(`${url}/login`, { method: 'POST', headers }, 'user=a&password=b');
    expect(page.text).toBe('user=a&password=b');
    const [{ headers: arrived } = { headers: {} as IncomingHttpHeaders }] = seen;
    expect(arrived).toMatchObject({
      origin: bank.url.origin,
      referer: `${bank.url.origin}/pages/login?x`,
      cookie: 'sid=1; csrf=2',
    });
    expect(arrived).not.toHaveProperty('sandgate-session');
    expect(arrived).not.toHaveProperty('expect');
  });

  it.each([
    ['/to-login', '/login?x=%2F'],
    ['/to-path', '/login'],
  ])('redirects within the bank by %s, and so within the listener', async (path, expected) => {
    const { url } = await listen();
    const { location } = (await get(url + path)).headers;
    expect(new URL(location ?? '', url).href).toBe(url + expected);
  });

  it.each([
    ['/to-outside', '/idp?x=1'],
    ['/to-base', ''],
    ['/to-slashes', '//login'],
  ])('redirects by %s to what it means at the bank', async (path, expected) => {
    const { url } = await listen();
    const { location = '' } = (await get(url + path)).headers;
    expect(location).toBe(path === '/to-outside' ? bank.url.origin + expected : url + expected);
  });

  it('that switches protocols instead of coming is told as no page of the bank', async () => {
    const target = new URL(`http://127.0.0.1:${await startSwitching()}/`);
    const { url, pages } = await listen({ target, call: aCall() });
    const page = await get(`${url}${AUTHORIZE}`);
    expect([page.statusCode, page.text]).toEqual([502, expect.stringContaining('cannot be reached')]);
    expect(pages[0]?.fault).toEqual({
      kind: 'malformed',
      message: `The bank (${target.host}) switched protocols, which nobody asked for.`,
    });
  });

  it('that sends interim answers without end is given up in time', async () => {
    const target = new URL(`http://127.0.0.1:${await startAnswering(flood)}/`);
    const { url } = await listen({ target, limits: { firstByteMs: 300 } });
    expect((await get(`${url}/page`)).statusCode).toBe(504);
  });

  it('that comes byte by byte without end is cut off in time', async () => {
    const target = new URL(`http://127.0.0.1:${await startAnswering(trickle)}/`);
    const { url } = await listen({ target, limits: { streamMs: 300 } });
    await expect(get(`${url}/page`)).rejects.toThrow('aborted');
  });

  it('is fetched under new CAs when their file has changed', async () => {
    const { url, credentials } = await listen({ ca: mintCertificates().ca.cert });
    expect((await get(`${url}/login`)).statusCode).toBe(502);
    files.write('ca.pem', certificates.ca.cert);
    await credentials.reload();
    expect((await get(`${url}/login`)).statusCode).toBe(200);
    files.write('ca.pem', mintCertificates().ca.cert);
    await credentials.reload();
    expect((await get(`${url}/login`)).statusCode).toBe(502);
  });

  it('redirects to others as it is', async () => {
    const { url } = await listen();
    expect((await get(`${url}/to-other`)).headers.location).toBe('https://idp.example/login');
    expect((await get(`${url}/to-tpp`)).headers.location).toBe(
      'https://tpp.example/back?code=secret&state=s1&a',
    );
  });

  it('streams', async () => {
    const { url } = await listen();
    expect((await get(`${url}/big`)).text).toHaveLength(200 * 65_536);
  });

  it('that cannot be had is an answer of the gateway', async () => {
    const { url } = await listen({ target: new URL('https://127.0.0.1:1/') });
    const page = await get(`${url}/page`);
    expect(page.statusCode).toBe(502);
    expect(page.text).toMatch(/^Sandgate, not the bank/);
  });

  it('is no longer asked for when the browser goes away', async () => {
    const { url } = await listen();
    const before = bank.sockets.size;
    for (let i = 0; i < 50; i++) {
      const request = httpRequest(`${url}/slow`, { agent: false });
      request.on('error', () => {});
      request.end();
      await once(request, 'response');
      request.destroy();
    }
    await until(() => bank.sockets.size <= before, 'the connections to the bank are closed');
  });
});

describe('the redirect back to the TPP', () => {
  const call = aCall({ operation: 'oauth.authorize', query: 'scope=AIS:1&state=s1&response_type=code' });
  const TO_TPP = 'https://tpp.example/back?code=secret&state=s1&a';

  it('is handed over, as any that leads away from the bank, and no page of the bank itself', async () => {
    const { url, pages, left } = await listen({ call });
    await get(`${url}${AUTHORIZE}`);
    for (const path of ['/page', '/to-login', '/to-path', '/to-other', '/to-tpp']) await get(url + path);
    expect(pages.map((page) => [page.call, page.answer.status, page.fault])).toEqual([[call, 200, null]]);
    expect(left.map(([location]) => location)).toEqual(['https://idp.example/login', TO_TPP]);
    expect(left[1]?.[1]).toMatchObject({
      ...{ source: 'upstream', status: 302, body: null },
      header: { location: TO_TPP },
    });
  });

  it('leaves only when it is recorded', async () => {
    let recorded = () => {};
    const { url, left } = await listen({
      call,
      onLeave: () => new Promise((resolve) => (recorded = resolve)),
    });
    await get(`${url}${AUTHORIZE}`);
    let arrived = false;
    const page = get(`${url}/to-tpp`).then((it) => {
      arrived = true;
      return it;
    });
    await until(() => left.length === 1, 'the redirect is handed over');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(arrived).toBe(false);
    recorded();
    expect((await page).statusCode).toBe(302);
  });

  it('leaves also where it could not be recorded', async () => {
    const { url } = await listen({ call, onLeave: () => Promise.reject(new Error('disk full')) });
    await get(`${url}${AUTHORIZE}`);
    expect((await get(`${url}/to-tpp`)).statusCode).toBe(302);
  });
});

describe('a websocket of a page', () => {
  it('passes both ways, and ends with the proxy', async () => {
    const echo = createServer();
    echo.on('upgrade', (request, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Path: ${request.url}\r\n\r\n`,
      );
      socket.on('error', () => {});
      socket.pipe(socket);
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    open.push(() => void echo.close());
    const { url, proxy } = await listen({
      target: new URL(`http://127.0.0.1:${(echo.address() as AddressInfo).port}/`),
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let arrived = '';
    socket.on('data', (bytes) => {
      arrived += bytes;
    });
    socket.on('error', () => {});
    socket.write(
      `GET /live?a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: ${url}\r\n\r\n`,
    );
    await until(
      () => arrived.includes('X-Path: /live?a') || arrived.includes('x-path: /live?a'),
      'the upgrade is answered',
    );
    socket.write('ping');
    await until(() => arrived.endsWith('ping'), 'the echo is back');
    await proxy.close();
    await once(socket, 'close');
  });
});

describe('turnCookie', () => {
  it.each([
    ['a=b', '', true, 'a=b'],
    ['a=b; Domain=.bank.example; Path=/', '', true, 'a=b; Path=/'],
    ['a=b=c; secure ; Path=/x', '', false, 'a=b=c; Path=/x'],
    ['a=b; Path=/pages', '/pages', true, 'a=b; Path=/'],
    ['a=b; path=/pages/x', '/pages', true, 'a=b; Path=/x'],
    ['a=b; Path=/pagesx', '/pages', true, 'a=b; Path=/pagesx'],
    ['', '', true, ''],
  ])('makes of %s below "%s"', (cookie, base, secure, expected) => {
    expect(rewriteCookie(cookie, base, secure)).toBe(expected);
  });
});
