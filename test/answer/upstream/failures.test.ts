/** Whatever goes wrong on the way to the bank is an answer of the gateway that says so, and leaves nothing behind. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { UpstreamLimits } from '../../../src/answer/upstream/index.js';
import type { Fault } from '../../../src/exchange/index.js';
import { REQUEST_ID } from '../../builders.js';
import { BAD_BANKS, head, SHORT } from './bad-banks.js';
import { type Bank, openWay, reset, startBank, startScriptedBank, until, type Way, wireOf } from './bank.js';
import { createFiles, mintCertificates, type Pair } from './certificates.js';

const certificates = mintCertificates();
const files = createFiles();
const refuses = () => Promise.reject(new Error('the disk is full'));
const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});
afterAll(files.remove);

function way(
  target: URL,
  limits: Partial<UpstreamLimits> = {},
  client: Pair | null = certificates.client,
): Way {
  const made = openWay(files, certificates, { target, limits }, client);
  open.push(made.upstream);
  return made;
}

async function bankThat(
  onHead: (socket: TLSSocket, head: string, count: number) => void,
  pair?: Pair,
): Promise<Bank> {
  const started = await startScriptedBank(certificates, onHead, pair);
  open.push(started);
  return started;
}

async function expectFault(
  answered: Awaited<ReturnType<Way['answer']>>,
  status: number,
  kind: Fault['kind'],
  words: RegExp,
): Promise<void> {
  expect(answered.fault?.message).toMatch(words);
  expect(answered.fault?.kind).toBe(kind);
  expect(answered.answer.status).toBe(status);
  expect(answered.answer.source).toBe('gateway');
  expect(answered.answer.header).toMatchObject({
    'content-type': 'application/json',
    'x-request-id': REQUEST_ID,
  });
  expect(JSON.parse(answered.answer.body?.text ?? '')).toEqual({
    tppMessages: [
      {
        category: 'ERROR',
        code: status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR',
        text: `Sandgate, not the bank, gives this answer. ${answered.fault?.message}`,
      },
    ],
  });
}

describe('a bank that', () => {
  const cases = BAD_BANKS.map(([name, script, status, kind, words, limits]) => ({
    name,
    script,
    status,
    kind,
    words,
    limits,
  }));
  it.each(cases)('$name', async ({ script, status, kind, words, limits }) => {
    const bank = await bankThat(script);
    const made = way(bank.url, { ...SHORT, ...limits });
    await expectFault(await made.answer(), status, kind, words);
    await until(() => made.upstream.load().active === 0, 'its place is free');
  });

  it('lies about a length leaves no bytes for the next call', async () => {
    const bank = await bankThat((socket, _, count) =>
      socket.write(
        count === 1
          ? `${head('Content-Length: 2')}okHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`
          : `${head('Content-Length: 4')}fine`,
      ),
    );
    const { answer } = way(bank.url);
    expect((await answer()).answer.body?.text).toBe('ok');
    expect((await answer()).answer.body?.text).toBe('fine');
  });
});

describe('a connection that cannot be made', () => {
  it('because nobody listens', async () => {
    const server = await listener();
    const { port } = server.address() as AddressInfo;
    server.close();
    await expectFault(
      await way(new URL(`https://127.0.0.1:${port}`)).answer(),
      502,
      'refused',
      /127.0.0.1:\d+\) refused the connection/,
    );
  });

  it('because there is no such name', async () => {
    await expectFault(
      await way(new URL('https://no-bank.invalid')).answer(),
      502,
      'dns',
      /name of the bank \(no-bank.invalid\) cannot be resolved/,
    );
  });

  it('because the handshake is never finished', async () => {
    const server = await listener();
    const { port } = server.address() as AddressInfo;
    await expectFault(
      await way(new URL(`https://127.0.0.1:${port}`), SHORT).answer(),
      504,
      'timeout',
      /accepted no connection within 0.15 s/,
    );
  });

  it('because no TLS is spoken', async () => {
    const server = await listener((text) => `HTTP/1.1 400 Bad Request\r\n\r\n${text.length}`);
    const { port } = server.address() as AddressInfo;
    await expectFault(
      await way(new URL(`https://127.0.0.1:${port}`)).answer(),
      502,
      'tls',
      /does not speak TLS/,
    );
  });

  it.each([
    ['expired', certificates.expiredServer, /certificate has expired/],
    ['for another name', certificates.misnamedServer, /for another name/],
    ['of another CA', certificates.untrustedServer, /CA that is not trusted/],
  ])('because the certificate of the bank is %s', async (_, pair, words) => {
    const bank = await bankThat((socket) => socket.write(head('Content-Length: 0')), pair);
    await expectFault(await way(bank.url).answer(), 502, 'tls', words);
    expect(bank.connections()).toBe(0);
  });

  it.each([
    ['foreign', certificates.foreignClient],
    ['missing', null],
  ])('because the certificate of the gateway is %s', async (_, client) => {
    const bank = await bankThat((socket) => socket.write(head('Content-Length: 0')));
    const { fault, answer } = await way(bank.url, {}, client).answer();
    expect(answer.status).toBe(502);
    expect(fault?.message).toMatch(/client certificate/);
  });

  it('because it is TLS 1.1 or older', async () => {
    const bank = await startBank(certificates, (_, response) => response.end(), {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    open.push(bank);
    await expectFault(await way(bank.url).answer(), 502, 'tls', /TLS/);
  });

  async function listener(reply?: (text: string) => string): Promise<Server> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      if (reply !== undefined) socket.once('data', (bytes) => socket.end(reply(bytes.toString())));
      open.push({ close: async () => void socket.destroy() });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: async () => void server.close() });
    return server;
  }
});

describe('a kept connection that is dead', () => {
  /** Answers the first call of a connection, and breaks it off at the second. */
  async function dyingBank() {
    const heads: string[] = [];
    const served = new WeakSet<TLSSocket>();
    const bank = await bankThat((socket, text) => {
      heads.push(text.split(' ', 1)[0] ?? '');
      if (served.has(socket)) return reset(socket);
      served.add(socket);
      socket.write(`${head('Content-Length: 2')}ok`);
    });
    return { bank, heads };
  }
  const settled = async () => {
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  };

  it('is noticed, and a GET is sent once more', async () => {
    const { bank, heads } = await dyingBank();
    const { answer } = way(bank.url);
    await answer();
    await settled();
    const second = await answer();
    expect(second.answer.status).toBe(200);
    expect(second.fault).toBeUndefined();
    expect(heads).toEqual(['GET', 'GET', 'GET']);
  });

  it('is noticed, and a GET is not sent once more where nothing can be recorded any more', async () => {
    const { bank, heads } = await dyingBank();
    const { answer, upstream } = way(bank.url);
    await answer();
    await settled();
    let tries = 0;
    const begin = () => (tries++ === 0 ? Promise.resolve(true) : refuses());
    await expect(answer({}, { begin })).rejects.toThrow('the disk is full');
    expect([tries, heads, upstream.load().active]).toEqual([2, ['GET', 'GET'], 0]);
  });

  it('is told of, and a GET is not sent once more where it took too long to get there', async () => {
    const { bank, heads } = await dyingBank();
    const { answer, upstream } = way(bank.url);
    await answer();
    await settled();
    let tries = 0;
    const { fault } = await answer({}, { begin: async () => tries++ === 0 });
    expect([fault?.kind, tries, heads, upstream.load().active]).toEqual(['reset', 2, ['GET', 'GET'], 0]);
  });

  it.each(['POST', 'DELETE', 'PUT', 'HEAD'])('is told of where a %s was on it', async (method) => {
    const { bank, heads } = await dyingBank();
    const { answer } = way(bank.url);
    await answer();
    await settled();
    const { fault } = await answer({ method });
    expect(fault?.kind).toBe('reset');
    expect(heads).toEqual(['GET', method]);
  });

  it('does not bring a GET with a body to the bank twice', async () => {
    const { bank, heads } = await dyingBank();
    const { answer } = way(bank.url);
    await answer();
    await settled();
    expect((await answer({ body: '{}' })).fault?.kind).toBe('reset');
    expect(heads).toEqual(['GET', 'GET']);
  });

  it('is no reason to try a third time, nor is a new one that breaks', async () => {
    const heads: number[] = [];
    const bank = await bankThat((socket, _, count) => {
      heads.push(count);
      if (count === 1) socket.write(`${head('Content-Length: 2')}ok`);
      else reset(socket);
    });
    const { answer } = way(bank.url);
    await answer();
    await settled();
    expect((await answer()).fault?.kind).toBe('reset');
    expect(heads).toEqual([1, 2, 3]);
    await settled();
    expect((await answer()).fault?.kind).toBe('reset');
    expect(heads).toEqual([1, 2, 3, 4]);
  });

  it('is no reason to trust another kept one: the second try goes over a new connection', async () => {
    const waiting: TLSSocket[] = [];
    const served = new WeakSet<TLSSocket>();
    const bank = await bankThat((socket) => {
      if (served.has(socket)) return reset(socket);
      served.add(socket);
      waiting.push(socket);
      if (waiting.length >= 2) for (const one of waiting) one.write(`${head('Content-Length: 2')}ok`);
    });
    const { answer } = way(bank.url);
    await Promise.all([answer(), answer()]);
    await settled();
    const { answer: third, fault } = await answer();
    expect([third.status, fault]).toEqual([200, undefined]);
  });

  it('that had begun to answer is not asked again', async () => {
    let count = 0;
    const bank = await bankThat((socket) => {
      if (++count === 1) socket.write(`${head('Content-Length: 2')}ok`);
      else socket.write('HTTP/1.1 2', () => reset(socket));
    });
    const { answer } = way(bank.url);
    await answer();
    await settled();
    expect((await answer()).fault?.kind).toBe('reset');
    expect(count).toBe(2);
  });
});

describe('a streamed answer', () => {
  it('that breaks off ends the stream with an error and is recorded so', async () => {
    const bank = await startBank(certificates, (_, response) => response.write(Buffer.alloc(4_000_000)));
    open.push(bank);
    const made = way(bank.url);
    const answered = await made.answer();
    for (const socket of bank.sockets) reset(socket);
    const wire = answered.wire as Readable;
    const read = (async () => {
      for await (const _ of wire);
    })();
    await expect(read).rejects.toThrow();
    const completed = await answered.completed;
    expect(completed?.fault).toMatchObject({
      kind: 'reset',
      message: expect.stringMatching(/in the middle/),
    });
    expect(completed?.body).toMatchObject({
      truncated: true,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(made.upstream.load().active).toBe(0);
  });

  it('that nobody wants any more ends the call to the bank', async () => {
    const bank = await startBank(certificates, (_, response) => response.write(Buffer.alloc(4_000_000)));
    open.push(bank);
    const made = way(bank.url);
    const answered = await made.answer();
    (answered.wire as Readable).destroy();
    expect((await answered.completed)?.fault?.kind).toBe('client-gone');
    await until(() => bank.sockets.size === 0, 'the connection to the bank is closed');
  });

  it('has its own time', async () => {
    const bank = await startBank(certificates, (_, response) => response.write(Buffer.alloc(4_000_000)));
    open.push(bank);
    const answered = await way(bank.url, { streamMs: 100 }).answer();
    expect((await answered.completed)?.fault).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/within 0.1 s/),
    });
  });
});

describe('a client that goes away', () => {
  it('before the bank is asked costs the bank nothing, where the call does more than read', async () => {
    const bank = await bankThat(() => {});
    const { answer, upstream } = way(bank.url);
    const call = { operation: 'consents.create', body: {} } as const;
    expect((await answer(call, { signal: AbortSignal.abort() })).fault?.kind).toBe('client-gone');
    expect(upstream.load()).toEqual({ active: 0, waiting: 0 });
    expect(bank.connections()).toBe(0);
  });

  it('before the bank is asked is noticed a little later, where the call only reads', async () => {
    const bank = await bankThat(() => {});
    const { answer, upstream } = way(bank.url);
    expect((await answer({}, { signal: AbortSignal.abort() })).fault?.kind).toBe('client-gone');
    await until(() => upstream.load().active === 0, 'its place is free');
  });

  it('ends the call, a thousand times at any moment of it, and no socket is left', async () => {
    let asked = 0;
    const bank = await bankThat((socket) => {
      asked++;
      if (asked % 3 === 0) socket.write(`${head('Content-Length: 9')}abc`);
    });
    const made = way(bank.url, { concurrency: 32, queued: 64 });
    let gone = 0;
    for (let i = 0; i < 1_000; i += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, j) => {
          const stop = new AbortController();
          setTimeout(() => stop.abort(), (i + j) % 37);
          const { fault } = await made.answer({}, { signal: stop.signal });
          if (fault?.kind === 'client-gone') gone++;
        }),
      );
    }
    expect(gone).toBe(1_000);
    await until(() => made.upstream.load().active === 0, 'all calls are ended');
    await made.upstream.close();
    await until(() => bank.sockets.size === 0, 'all connections are closed');
  });
});

describe('more calls than may be on their way', () => {
  it('wait for their turn, and beyond that get 503 with Retry-After', async () => {
    const waiting: TLSSocket[] = [];
    const bank = await bankThat((socket) => void waiting.push(socket));
    const made = way(bank.url, { concurrency: 2, queued: 3 });
    const calls = Array.from({ length: 8 }, () => made.answer());
    const refused = await Promise.all(calls.slice(5));
    for (const answered of refused) {
      await expectFault(answered, 503, 'overload', /the queue is full/);
      expect(answered.answer.header['retry-after']).toBe('1');
    }
    await until(() => waiting.length === 2, 'two calls are at the bank');
    expect(made.upstream.load()).toEqual({ active: 2, waiting: 3 });
    const timer = setInterval(() => waiting.shift()?.write(`${head('Content-Length: 2')}ok`), 1);
    const served = await Promise.all(calls.slice(0, 5));
    clearInterval(timer);
    expect(served.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(made.upstream.load()).toEqual({ active: 0, waiting: 0 });
    expect(bank.connections()).toBeLessThanOrEqual(4);
  });

  it('get Retry-After from the token endpoint too', async () => {
    const bank = await bankThat(() => {});
    const made = way(bank.url, { concurrency: 1, queued: 0 });
    const stop = new AbortController();
    const first = made.answer({}, { signal: stop.signal });
    const { answer } = await made.answer({
      operation: 'oauth.token',
      form: { grant_type: 'refresh_token' },
    });
    expect([answer.status, answer.header['retry-after']]).toEqual([503, '1']);
    expect(answer.headers).toContainEqual(['Retry-After', '1']);
    stop.abort();
    await first;
  });

  it('do not wait for ever', async () => {
    const bank = await bankThat(() => {});
    const stop = new AbortController();
    const made = way(bank.url, { concurrency: 1, queueMs: 50 });
    const first = made.answer({}, { signal: stop.signal });
    await expectFault(await made.answer(), 503, 'overload', /waited too long for its turn/);
    const left = made.answer({}, { signal: AbortSignal.timeout(10) });
    expect((await left).fault?.kind).toBe('client-gone');
    stop.abort();
    await first;
    await until(() => made.upstream.load().active === 0, 'its place is free');
    expect(made.upstream.load().waiting).toBe(0);
  });
});

describe('what is to be on record before it is sent', () => {
  it('is not sent where that took too long, and says so', async () => {
    const waiting: TLSSocket[] = [];
    const bank = await bankThat((socket) => void waiting.push(socket));
    const made = way(bank.url);
    const { answer, fault } = await made.answer({ method: 'POST' }, { begin: async () => false });
    expect([answer.status, answer.header['retry-after'], fault]).toEqual([
      503,
      '1',
      { kind: 'overload', message: expect.stringMatching(/so it was not sent\.$/) },
    ]);
    expect([waiting, made.upstream.load().active]).toEqual([[], 0]);
  });

  it('is begun when its turn has come, and a place that it may not take is free again', async () => {
    const waiting: TLSSocket[] = [];
    const bank = await bankThat((socket) => void waiting.push(socket));
    const made = way(bank.url, { concurrency: 1 });
    let isFull = false;
    const begin = () => (isFull ? refuses() : Promise.resolve(true));
    const calls = [made.answer({}, { begin }), made.answer({}, { begin })];
    await until(() => waiting.length === 1, 'a call is at the bank');
    expect(made.upstream.load()).toEqual({ active: 1, waiting: 1 });
    isFull = true;
    waiting.shift()?.write(`${head('Content-Length: 2')}ok`);
    expect((await calls[0])?.answer.status).toBe(200);
    await expect(calls[1]).rejects.toThrow('the disk is full');
    expect(made.upstream.load()).toEqual({ active: 0, waiting: 0 });
    expect(waiting).toEqual([]);
  });
});

describe('closing', () => {
  it('ends what is on its way and what waits, and all connections', async () => {
    const bank = await bankThat(() => {});
    const made = way(bank.url, { concurrency: 1 });
    const calls = [made.answer(), made.answer()];
    await until(() => bank.sockets.size === 1, 'a call is at the bank');
    await made.upstream.close();
    for (const { fault } of await Promise.all(calls)) expect(fault?.message).toMatch(/stopping/);
    expect((await made.answer()).fault?.message).toMatch(/stopping/);
    await until(() => bank.sockets.size === 0, 'the connection is closed');
  });
});

it('The token endpoint tells its failure as OAuth does', async () => {
  const bank = await bankThat((socket) => socket.end());
  const { answer } = await way(bank.url).answer({
    operation: 'oauth.token',
    form: { grant_type: 'refresh_token' },
  });
  expect(answer.status).toBe(502);
  expect(JSON.parse(answer.body?.text ?? '')).toMatchObject({ error: 'server_error' });
  expect(() => wireOf({ answer })).toThrow();
});
