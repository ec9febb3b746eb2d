import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createNotifier, type Notification, type NotifierParts } from '../../../src/answer/index.js';
import { createAuthority, issueCertificate } from '../../../src/certificate/index.js';
import type { Exchange } from '../../../src/exchange/index.js';
import { callback as callbackBody } from '../../../src/spec/index.js';
import { NOW, TPP } from '../../builders.js';
import { startSwitching } from '../../switching-server.js';

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Listener = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

/** A real server; gives its port and what it was sent. */
async function receiver(listener: Listener, tls?: { key: string; cert: string }) {
  const received: (IncomingMessage & { text: string })[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const whole = Object.assign(request, { text });
      received.push(whole);
      listener(whole, response);
    });
  };
  const server: Server = tls ? createHttpsServer(tls, handle) : createServer(handle);
  return { received, port: await listening(server) };
}

async function listening(server: Server | NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return (server.address() as AddressInfo).port;
}

/** Pauses and time limits run out when told, or at once where `runs` says so. */
function aTimer(runs: (ms: number) => boolean = () => true) {
  const waiting = new Map<number, Set<() => void>>();
  const asked: number[] = [];
  return {
    asked,
    expire: (ms: number) => {
      for (const run of [...(waiting.get(ms) ?? [])]) run();
    },
    waiting: () => [...waiting.values()].reduce((total, some) => total + some.size, 0),
    after: (ms: number, run: () => void) => {
      asked.push(ms);
      const some = waiting.get(ms) ?? new Set();
      waiting.set(ms, some.add(run));
      const immediate = runs(ms) ? setImmediate(run) : undefined;
      return () => {
        some.delete(run);
        clearImmediate(immediate);
      };
    },
  };
}

const TIMEOUT = 5_000;
const PAUSES = [10, 100, 200, 300];

function aNotifier(parts: Partial<NotifierParts> = {}) {
  const exchanges: Exchange[] = [];
  const errors: unknown[] = [];
  const timer = aTimer((ms) => ms !== TIMEOUT);
  let ids = 0;
  const notifier = createNotifier({
    time: () => ({ at: NOW, ahead: 0 }),
    timer,
    nextId: () => `id-${++ids}`,
    session: () => 'test',
    record: (exchange) => {
      exchanges.push(exchange);
    },
    onError: (error) => errors.push(error),
    isOurs: async () => false,
    pauses: PAUSES,
    timeout: TIMEOUT,
    ...parts,
  });
  open.push(notifier);
  return { ...notifier, exchanges, errors, timer };
}

const aCallback = (uri: string): Notification => ({
  uri,
  paymentId: 'PAYMENT_ID_RCVD_SCT',
  transactionStatus: 'ACSC',
  tpp: TPP,
});

describe('a callback that is taken', () => {
  it('is followed in its place by what else is to be told of the payment, where whoever gave it says so', async () => {
    const failing = new Set(['ACTC', 'ACSP']);
    const { received, port } = await receiver(({ text }, response) => {
      response.writeHead(failing.delete(JSON.parse(text).transactionStatus) ? 500 : 200).end();
    });
    const notifier = aNotifier({ most: 1 });
    const first = aCallback(`http://127.0.0.1:${port}/hook`);
    const ended: unknown[] = [];
    const refusal = notifier.notify(first, async (send) => {
      for (const status of ['ACTC', 'ACSP', 'ACSC'] as const) ended.push(await send(status));
    });
    expect([refusal, notifier.notify(first)?.kind]).toEqual([null, 'busy']);
    await notifier.idle();
    const sent = received.map(({ text }) => JSON.parse(text).transactionStatus as string);
    expect(sent).toEqual(['ACTC', 'ACTC', 'ACSP', 'ACSP', 'ACSC']);
    expect(ended).toEqual([true, true, true]);
  });

  it('carries payment-ID and transactionStatus, and is recorded with its answer', async () => {
    const { received, port } = await receiver((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
    });
    const notifier = aNotifier();
    expect(notifier.notify(aCallback(`http://127.0.0.1:${port}/hook?who=tpp`))).toBeNull();
    expect(received).toHaveLength(0);
    await notifier.idle();
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'POST', url: '/hook?who=tpp' });
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      host: `127.0.0.1:${port}`,
    });
    const sent = JSON.parse(received[0]?.text ?? '');
    expect(sent).toEqual({ 'payment-ID': 'PAYMENT_ID_RCVD_SCT', transactionStatus: 'ACSC' });
    expect(callbackBody.safeParse(sent).success).toBe(true);
    expect(notifier.exchanges).toHaveLength(1);
    expect(notifier.exchanges[0]).toMatchObject({
      call: {
        id: 'id-1',
        session: 'test',
        at: NOW,
        listener: 'callback',
        operation: null,
        certificate: 'absent',
        tpp: TPP,
        connection: { address: '127.0.0.1', tls: null },
        request: { method: 'POST', path: '/hook', target: `http://127.0.0.1:${port}/hook?who=tpp` },
        content: { kind: 'json', value: sent },
      },
      answer: { status: 200, content: { kind: 'json', value: { ok: true } } },
      fault: null,
    });
    expect(notifier.timer.waiting()).toBe(0);
  });

  it('is repeated with longer pauses until it is taken', async () => {
    const { received, port } = await receiver((_, response) => {
      response.writeHead(received.length < 3 ? 503 : 204).end();
    });
    const notifier = aNotifier();
    notifier.notify(aCallback(`http://localhost:${port}/`));
    await notifier.idle();
    expect(notifier.exchanges.map(({ answer }) => answer?.status)).toEqual([503, 503, 204]);
    expect(notifier.timer.asked.filter((ms) => ms !== TIMEOUT)).toEqual([10, 100, 200]);
  });

  it('is given up after three repetitions', async () => {
    const { received, port } = await receiver((_, response) => response.writeHead(500).end());
    const notifier = aNotifier();
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await notifier.idle();
    expect(received).toHaveLength(4);
    expect(notifier.exchanges).toHaveLength(4);
    expect(new Set(notifier.exchanges.map(({ call }) => call.id)).size).toBe(4);
  });

  it('follows no redirect', async () => {
    const target = await receiver((_, response) => response.writeHead(204).end());
    const { port } = await receiver((_, response) =>
      response.writeHead(307, { Location: `http://127.0.0.1:${target.port}/` }).end(),
    );
    const notifier = aNotifier({ pauses: [10] });
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await notifier.idle();
    expect(notifier.exchanges.map(({ answer }) => answer?.status)).toEqual([307]);
    expect(target.received).toHaveLength(0);
  });

  it('keeps of a long answer only the beginning', async () => {
    const { port } = await receiver((_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(500_000));
    });
    const notifier = aNotifier({ answerBytes: 1_000 });
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await notifier.idle();
    const body = notifier.exchanges[0]?.answer?.body;
    expect(body).toMatchObject({ size: 1_000, truncated: true, text: 'x'.repeat(1_000) });
    expect(notifier.exchanges).toHaveLength(1);
  });

  it('keeps an answer of bytes as base64', async () => {
    const { port } = await receiver((_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00])));
    const notifier = aNotifier();
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await notifier.idle();
    expect(notifier.exchanges[0]?.answer?.body).toEqual({ text: '//4A', base64: true, size: 3 });
  });
});

describe('a callback that fails', () => {
  it('is recorded with what failed, and keeps no place: it switches protocols instead of answering', async () => {
    const notifier = aNotifier({ most: 1 });
    const callback = aCallback(`http://127.0.0.1:${await startSwitching()}/`);
    expect(notifier.notify(callback)).toBeNull();
    await notifier.idle();
    expect(notifier.exchanges.map(({ fault }) => fault)).toEqual(
      PAUSES.map(() => ({ kind: 'malformed', message: 'it switched protocols, which nobody asked for' })),
    );
    expect(notifier.notify(callback)).toBeNull();
    await notifier.close();
  });

  it('is recorded with what failed: nobody listens', async () => {
    const server = createNetServer();
    const port = await listening(server);
    await open.pop()?.close();
    const notifier = aNotifier({ pauses: [10, 100] });
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await notifier.idle();
    expect(notifier.exchanges.map(({ answer, fault }) => [answer, fault?.kind])).toEqual([
      [null, 'refused'],
      [null, 'refused'],
    ]);
  });

  it.each([
    ['closes the connection', '', 'reset'],
    ['speaks no HTTP', 'hello\r\n\r\n', 'malformed'],
    ['breaks off in mid-body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', 'reset'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(5_000)}`, 'too-large'],
  ])('is recorded with what failed: the receiver %s', async (_, bytes, kind) => {
    const server = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    });
    const port = await listening(server);
    const notifier = aNotifier({ pauses: [10] });
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await notifier.idle();
    expect(notifier.exchanges).toHaveLength(1);
    expect(notifier.exchanges[0]).toMatchObject({ answer: null, fault: { kind } });
    expect(notifier.exchanges[0]?.fault?.message).not.toBe('');
  });

  it.each([
    ['before it answers', (response: ServerResponse) => void response],
    ['in mid-body', (response: ServerResponse) => void response.writeHead(200).write('half')],
  ])('is cut when the time is over %s', async (_, stall) => {
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { port } = await receiver((_request, response) => {
      stall(response);
      reached();
    });
    const notifier = aNotifier({ pauses: [10] });
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await asked;
    notifier.timer.expire(TIMEOUT);
    await notifier.idle();
    expect(notifier.exchanges[0]).toMatchObject({
      answer: null,
      fault: { kind: 'timeout', message: 'No complete answer within 5000 ms.' },
    });
  });

  it('is cut when the look-up takes too long', async () => {
    const notifier = aNotifier({ pauses: [10], resolve: () => new Promise(() => {}) });
    notifier.notify(aCallback('http://localhost/'));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    notifier.timer.expire(TIMEOUT);
    await notifier.idle();
    expect(notifier.exchanges[0]?.fault?.kind).toBe('timeout');
  });

  it('is recorded where the name leads nowhere, and tried again', async () => {
    const resolve = async () => {
      throw new Error('getaddrinfo ENOTFOUND');
    };
    const notifier = aNotifier({ pauses: [10, 100], resolve });
    notifier.notify(aCallback('http://localhost/'));
    await notifier.idle();
    expect(notifier.exchanges.map(({ fault }) => fault?.kind)).toEqual(['dns', 'dns']);
  });

  it('tells where it cannot be recorded, and ends', async () => {
    const { port } = await receiver((_, response) => response.writeHead(500).end());
    const notifier = aNotifier({
      record: () => {
        throw new Error('disk full');
      },
    });
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`));
    await notifier.idle();
    expect(notifier.errors).toEqual([new Error('disk full')]);
  });
});

describe('an address that is not allowed', () => {
  it.each([
    'http://tpp.example/cb',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0/',
    'http://[fe80::1]/',
    'http://0x0a000001/',
    'http://2130706433.example/',
    'ftp://localhost/',
    'http://user:secret@localhost/',
    'nonsense',
  ])('is refused at once: %s', (uri) => {
    const notifier = aNotifier();
    expect(notifier.notify(aCallback(uri))).toMatchObject({ kind: 'address', reason: expect.any(String) });
    expect(notifier.timer.asked).toEqual([]);
  });

  it.each(['http://127.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://[::ffff:127.0.0.1]/'])(
    'is not one that only is written oddly: %s',
    async (uri) => {
      const { received, port } = await receiver((_, response) => response.writeHead(204).end());
      const notifier = aNotifier({ pauses: [10] });
      expect(notifier.notify(aCallback(uri.replace(/\/$/, `:${port}/`)))).toBeNull();
      await notifier.idle();
      expect(received).toHaveLength(1);
    },
  );

  it('is refused and recorded once where an allowed name leads to it', async () => {
    const notifier = aNotifier({
      allow: ['tpp.example'],
      resolve: async () => ['169.254.169.254', '10.0.0.1'],
    });
    expect(notifier.notify(aCallback('http://tpp.example/'))).toBeNull();
    await notifier.idle();
    expect(notifier.exchanges).toHaveLength(1);
    expect(notifier.exchanges[0]).toMatchObject({
      answer: null,
      fault: {
        kind: 'refused',
        message: 'tpp.example leads to 169.254.169.254, 10.0.0.1, to which the gateway may send nothing.',
      },
    });
  });

  it('cannot be slipped in by a name that changes between look-up and connection', async () => {
    const good = await receiver((_, response) => response.writeHead(204).end());
    // Nobody listens at the second answer; a second look-up would be seen in `asked` and in the outcome.
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return asked.length === 1 ? ['127.0.0.1'] : ['127.0.0.2'];
    };
    const notifier = aNotifier({ allow: ['rebind.example', '127.0.0.1'], resolve, pauses: [10] });
    notifier.notify(aCallback(`http://rebind.example:${good.port}/`));
    await notifier.idle();
    expect(asked).toEqual(['rebind.example']);
    expect(good.received).toHaveLength(1);
    expect(good.received[0]?.headers.host).toBe(`rebind.example:${good.port}`);
    expect(notifier.exchanges[0]?.call.connection.address).toBe('127.0.0.1');
  });

  it('is refused on a repetition too', async () => {
    const { received, port } = await receiver((_, response) => response.writeHead(500).end());
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const notifier = aNotifier({
      allow: ['rebind.example', '127.0.0.1'],
      resolve: async () => answers.shift() ?? [],
    });
    notifier.notify(aCallback(`http://rebind.example:${port}/`));
    await notifier.idle();
    expect(received).toHaveLength(1);
    expect(notifier.exchanges.map(({ fault }) => fault?.kind)).toEqual([undefined, 'refused']);
  });

  it('takes the first allowed one of several', async () => {
    const { received, port } = await receiver((_, response) => response.writeHead(204).end());
    const notifier = aNotifier({ resolve: async () => ['10.0.0.1', '127.0.0.1'] });
    notifier.notify(aCallback(`http://localhost:${port}/`));
    await notifier.idle();
    expect(received).toHaveLength(1);
  });

  it('is what the predicate for the rule says too', () => {
    const { hostAllowed } = aNotifier();
    expect([hostAllowed('localhost'), hostAllowed('tpp.example')]).toEqual([true, false]);
  });
});

describe('callbacks over https', () => {
  const keys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const validity = (number: number) => ({
    serialNumber: Uint8Array.of(number),
    notBefore: Date.UTC(2020, 0, 1),
    notAfter: Date.UTC(2049, 0, 1),
  });
  const authority = createAuthority({ ...validity(1), subject: { commonName: 'Test CA' }, keys: keys() });
  const { publicKey, privateKey } = keys();
  const tls = {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: issueCertificate({
      ...validity(2),
      authority,
      publicKey,
      subject: { commonName: 'localhost' },
      dnsNames: ['localhost'],
    }).chainPem,
  };

  const call = async (host: string, ca?: string) => {
    const { received, port } = await receiver((_, response) => response.writeHead(204).end(), tls);
    const notifier = aNotifier({
      pauses: [10],
      allow: ['localhost', 'other.example'],
      resolve: async () => ['127.0.0.1'],
      ...(ca === undefined ? {} : { ca }),
    });
    notifier.notify(aCallback(`https://${host}:${port}/`));
    await notifier.idle();
    return { received, exchange: notifier.exchanges[0] };
  };

  it('go to a receiver whose authority is trusted, and note the TLS', async () => {
    const { received, exchange } = await call('localhost', authority.pem);
    expect(received).toHaveLength(1);
    expect(exchange?.answer?.status).toBe(204);
    expect(exchange?.call.connection.tls).toMatchObject({ version: 'TLSv1.3' });
  });

  it('do not go to one whose authority is not', async () => {
    const { received, exchange } = await call('localhost');
    expect(received).toHaveLength(0);
    expect(exchange).toMatchObject({ answer: null, fault: { kind: 'tls' } });
  });

  it('do not go to one with another name', async () => {
    const { received, exchange } = await call('other.example', authority.pem);
    expect(received).toHaveLength(0);
    expect(exchange).toMatchObject({ answer: null, fault: { kind: 'tls' } });
  });
});

describe('the notifier', () => {
  it('takes only so many at once: of one TPP no more than are left for others, and one of whoever has none', async () => {
    const { port } = await receiver((_, response) => response.writeHead(204).end());
    const notifier = aNotifier({ most: 4 });
    const notify = (tpp: string | null, uri = `http://127.0.0.1:${port}/`) =>
      notifier.notify({ ...aCallback(uri), tpp })?.kind;
    expect(['one', 'one', 'one'].map((tpp) => notify(tpp))).toEqual([undefined, undefined, 'busy']);
    expect(['two', 'two'].map((tpp) => notify(tpp))).toEqual([undefined, 'busy']);
    expect(['three', 'three'].map((tpp) => notify(tpp))).toEqual([undefined, 'busy']);
    expect(['four', 'four'].map((tpp) => notify(tpp))).toEqual([undefined, 'busy']);
    expect(['five', 'six', 'seven', 'eight'].map((tpp) => notify(tpp))).toEqual([
      ...[undefined, undefined, undefined],
      'busy',
    ]);
    await notifier.idle();
    expect(['one', 'one', 'eight'].map((tpp) => notify(tpp))).toEqual([undefined, undefined, undefined]);
    await notifier.idle();
  });

  it('takes all that nobody is known to be told as those of one TPP, at whatever addresses', async () => {
    const notifier = aNotifier({ most: 4, timer: aTimer(() => false) });
    const kinds = [1, 2, 3].map(
      (port) => notifier.notify({ ...aCallback(`http://127.0.0.1:${port}/`), tpp: null })?.kind,
    );
    expect(kinds).toEqual([undefined, undefined, 'busy']);
    await notifier.close();
  });

  it('brings no warning of Node where many wait', () => {
    const warned = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warned.mockRestore());
    const notifier = aNotifier({ timer: aTimer(() => false) });
    for (let i = 0; i < 20; i++)
      expect(notifier.notify({ ...aCallback('http://127.0.0.1:9/'), tpp: `tpp-${i}` })).toBeNull();
    expect(warned).not.toHaveBeenCalled();
  });

  it('cancels what waits when it is closed', async () => {
    const timer = aTimer(() => false);
    const notifier = aNotifier({ timer });
    notifier.notify(aCallback('http://127.0.0.1:9/'));
    expect(timer.waiting()).toBe(1);
    await notifier.close();
    expect(timer.waiting()).toBe(0);
    expect(notifier.exchanges).toEqual([]);
    expect(notifier.notify(aCallback('http://127.0.0.1:9/'))?.kind).toBe('busy');
  });

  it('breaks off what is under way when it is closed, and records that', async () => {
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { port } = await receiver(() => reached());
    const notifier = aNotifier();
    let hasEnded: unknown;
    notifier.notify(aCallback(`http://127.0.0.1:${port}/`), async (send) => {
      hasEnded = await send('ACSC');
    });
    await asked;
    await notifier.close();
    expect(hasEnded).toBe(false);
    expect(notifier.exchanges).toHaveLength(1);
    expect(notifier.exchanges[0]?.fault).toEqual({
      kind: 'internal',
      message: 'The gateway stopped before the notification was delivered.',
    });
    expect(notifier.timer.waiting()).toBe(0);
  });
});
