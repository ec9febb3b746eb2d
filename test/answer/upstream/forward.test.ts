/** Calls reach the bank as the TPP sent them, and its answers come back as it gave them. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createCredentials, createUpstream } from '../../../src/answer/upstream/index.js';
import { createWorld } from '../../../src/bank/index.js';
import type { HeaderList } from '../../../src/exchange/index.js';
import { aCall, aCertificate, NOW, OTHER_TPP, organisation, TPP } from '../../builders.js';
import { collectGarbage } from '../../collect-garbage.js';
import {
  type Bank,
  GATEWAY,
  openWay,
  quiet,
  readAll,
  recognise,
  startBank,
  startScriptedBank,
  TO_ALL,
  type Way,
  wireOf,
} from './bank.js';
import { createFiles, mintCertificates } from './certificates.js';

const certificates = mintCertificates();
const files = createFiles();
const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});
afterAll(files.remove);

/** undici takes a connection for free again only in the next turn of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

function way(bank: Bank, parts: Partial<Parameters<typeof openWay>[2]> = {}): Way {
  const made = openWay(files, certificates, { target: bank.url, ...parts });
  open.push(made.upstream);
  return made;
}

async function bank(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Bank> {
  const started = await startBank(certificates, listener);
  open.push(started);
  return started;
}

async function scripted(onHead: (socket: TLSSocket, head: string, count: number) => void): Promise<Bank> {
  const started = await startScriptedBank(certificates, onHead);
  open.push(started);
  return started;
}

const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('a request on its way to the bank', () => {
  async function headOf(headerList: HeaderList, target = '/stdgroup/v1/consents/C', method = 'GET') {
    let seen = '';
    const it = await scripted((socket, head) => {
      seen = head;
      socket.write(PLAIN);
    });
    await way(it).answer({ headerList, target, method });
    return { lines: seen.split('\r\n'), bank: it };
  }

  it('keeps header fields in order, letter case and number', async () => {
    const { lines, bank: it } = await headOf([
      ['HOST', 'gateway.example'],
      ['x-ReQuEsT-iD', '1'],
      ['Accept', 'application/json'],
      ['X-Multi', 'a'],
      ['Consent-ID', 'C'],
      ['X-Multi', 'b'],
      ['x-latin', 'caf\u00e9'],
      ['x-empty', ''],
    ]);
    expect(lines).toEqual([
      'GET /stdgroup/v1/consents/C HTTP/1.1',
      `host: ${it.url.host}`,
      'connection: keep-alive',
      'x-ReQuEsT-iD: 1',
      'Accept: application/json',
      'X-Multi: a',
      'Consent-ID: C',
      'X-Multi: b',
      'x-latin: caf\u00e9',
      'x-empty: ',
    ]);
  });

  it('loses what belongs to the hop, what is for the gateway, and Expect', async () => {
    const { lines } = await headOf([
      ['Host', 'gateway.example'],
      ['Connection', 'keep-alive, HTTP2-Settings'],
      ['HTTP2-Settings', 'AAMAAABk'],
      ['Keep-Alive', 'timeout=5'],
      ['TE', 'trailers'],
      ['Trailer', 'X-Sum'],
      ['Upgrade', 'h2c'],
      ['Proxy-Authorization', 'Basic eDp5'],
      ['Proxy-Connection', 'keep-alive'],
      ['Expect', '100-continue'],
      ['Sandgate-Session', 's1'],
      ['sandgate-anything', '1'],
      ['Authorization', 'Bearer t'],
    ]);
    expect(lines.slice(3)).toEqual(['Authorization: Bearer t']);
  });

  it.each([
    [
      '/stdgroup/v1/accounts?dateFrom=2020-01-01&x=%2F%2f+%20&&y',
      '/stdgroup/v1/accounts?dateFrom=2020-01-01&x=%2F%2f+%20&&y',
    ],
    ['/a/../b/./c//d;v=1?', '/a/../b/./c//d;v=1?'],
    ['/%7Euser/é?q=é', '/%7Euser/é?q=é'],
    ['https://gateway.example/stdgroup/v1/accounts?a=b', '/stdgroup/v1/accounts?a=b'],
  ])('keeps the target %s as it came', async (target, path) => {
    const { lines } = await headOf([['Host', 'h']], target);
    expect(lines[0]).toBe(`GET ${path} HTTP/1.1`);
  });

  it('goes below the base path of the bank', async () => {
    let seen = '';
    const it = await scripted((socket, head) => {
      seen = head;
      socket.write(PLAIN);
    });
    await way(it, { target: new URL('/sandbox/', it.url) }).answer({ target: '/stdgroup/v1/accounts?a' });
    expect(seen.split('\r\n')[0]).toBe('GET /sandbox/stdgroup/v1/accounts?a HTTP/1.1');
  });

  it.each(['DELETE', 'PATCH', 'OPTIONS', 'QUERY'])('keeps the method %s', async (method) => {
    const { lines } = await headOf([['Host', 'h']], '/stdgroup/v1/consents/C', method);
    expect(lines[0]).toBe(`${method} /stdgroup/v1/consents/C HTTP/1.1`);
  });

  it('carries the raw bytes of a body, whatever its coding', async () => {
    const bodies: Buffer[] = [];
    const it = await bank(async (request, response) => {
      bodies.push(await readAll(request));
      response.end(JSON.stringify(request.headers));
    });
    const raw = gzipSync('{"a":1}');
    const headerList: HeaderList = [
      ['Host', 'h'],
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
      ['Transfer-Encoding', 'chunked'],
    ];
    const answered = await way(it).answer(
      { operation: 'consents.create', headerList, body: '{"a":1}' },
      { raw },
    );
    expect(bodies).toEqual([raw]);
    expect(JSON.parse(answered.answer.body?.text ?? '')).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(raw.length),
    });
  });

  it('sends a recorded body without its coding, because only the decoded text is known', async () => {
    const it = await bank(async (request, response) => {
      const body = await readAll(request);
      response.end(JSON.stringify([body.toString(), request.headers['content-encoding'] ?? 'none']));
    });
    const headerList: HeaderList = [
      ['Host', 'h'],
      ['Content-Encoding', 'gzip'],
    ];
    const { answer } = await way(it).answer({ operation: 'consents.create', headerList, body: '{"a":1}' });
    expect(JSON.parse(answer.body?.text ?? '')).toEqual(['{"a":1}', 'none']);
  });

  it('shows the certificate of the TPP that calls, or the one for all', async () => {
    const it = await bank((request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    });
    const write = (name: string, text: string) => files.write(name, text);
    const credentials = createCredentials({
      ca: [write('ca.pem', certificates.ca.cert)],
      fallback: { cert: write('one.pem', certificates.client.cert + certificates.client.key) },
      byTpp: {
        [OTHER_TPP]: {
          cert: write('2.pem', certificates.secondClient.cert),
          key: write('2.key', certificates.secondClient.key),
        },
      },
      env: {},
      log: quiet,
      reloadMs: 0,
    });
    const upstream = createUpstream({
      ...TO_ALL,
      target: it.url,
      rewrite: false,
      credentials,
      recognise,
      urls: () => GATEWAY,
    });
    open.push(upstream);
    const answers: string[] = [];
    for (const tpp of [TPP, OTHER_TPP, 'PSDFR-ACPR-1']) {
      const certificate = aCertificate({ organizationIdentifier: organisation(tpp) });
      const given = await upstream.answer(aCall({ certificate }), {
        ...createWorld(),
        refusal: null,
        now: NOW,
        signal: new AbortController().signal,
      });
      answers.push(given?.answer.body?.text ?? '');
    }
    expect(answers).toEqual(['gateway', 'gateway-of-other-tpp', 'gateway']);
  });

  it('uses a connection again', async () => {
    const it = await bank((_, response) => response.end('{}'));
    const { answer } = way(it);
    for (let i = 0; i < 5; i++) {
      await answer();
      await settled();
    }
    expect(it.connections()).toBe(1);
  });
});

describe('an answer on its way to the TPP', () => {
  async function answerTo(bytes: string | Buffer, call: Parameters<Way['answer']>[0] = {}) {
    const it = await scripted((socket) => socket.write(bytes));
    return way(it).answer(call);
  }

  it('keeps header fields in order, letter case and number, and loses those of the hop', async () => {
    const { answer } = await answerTo(
      'HTTP/1.1 200 OK\r\nX-B: 1\r\nset-cookie: a=1\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\n' +
        'x-b: 2\r\nSet-Cookie: b=2\r\nX-Latin: caf\u00e9\r\nSandgate-Source: emulator\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n',
    );
    expect(answer.headers).toEqual([
      ['X-B', '1'],
      ['set-cookie', 'a=1'],
      ['x-b', '2'],
      ['Set-Cookie', 'b=2'],
      ['X-Latin', 'caf\u00c3\u00a9'],
    ]);
    expect(answer).toMatchObject({ status: 200, source: 'upstream', body: { text: 'ok', size: 2 } });
  });

  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n', {}, 204, [['X-A', '1']]],
    [
      '304',
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nETag: "a"\r\n\r\n',
      {},
      304,
      [
        ['Content-Length', '99'],
        ['ETag', '"a"'],
      ],
    ],
    [
      'HEAD',
      'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n',
      { method: 'HEAD' },
      200,
      [['Content-Length', '1234']],
    ],
    [
      'a body of no length',
      'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n',
      {},
      202,
      [['Content-Length', '0']],
    ],
    ['100 unasked', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', {}, 204, []],
    [
      '102 and 103',
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 204 No Content\r\nX-A: 2\r\n\r\n',
      {},
      204,
      [['X-A', '2']],
    ],
  ] as const)('is right for %s', async (_, bytes, call, status, headers) => {
    const answered = await answerTo(bytes, call);
    expect(answered.answer).toMatchObject({ status, headers, body: null });
    expect(answered.wire).toBeUndefined();
    expect(answered.fault).toBeUndefined();
  });

  it.each([
    ['whole', {}],
    ['as a stream', { limits: { recordBytes: 1 } }],
  ] as const)('is heard at its first byte, before the rest is there: %s', async (_, parts) => {
    let rest = (): void => {};
    const it = await scripted((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n');
      socket.write('HTTP/1.1 2');
      rest = () => socket.write('00 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const events: string[] = [];
    const heard = (): void => {
      events.push('heard');
      // The interim answer was the first to be heard.
      if (events.length < 2) return;
      events.push('the rest');
      rest();
    };
    const { answer } = await way(it, parts).answer({}, { heard });
    expect([...events, answer.status]).toEqual(['heard', 'heard', 'the rest', 200]);
  });

  it('of a bank that says nothing is not heard', async () => {
    let heard = 0;
    const it = await scripted((socket) => socket.end());
    const { fault } = await way(it).answer({ method: 'POST' }, { heard: () => ++heard });
    expect([fault?.kind, heard]).toEqual(['reset', 0]);
  });

  it('is found behind "100 Continue" in pieces, call after call on one connection', async () => {
    const it = await scripted((socket, _, count) => {
      const bytes = `HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\nHTTP/1.1 100 ${count}`;
      let at = 0;
      const piece = () => {
        if (at >= bytes.length) return;
        socket.write(bytes.slice(at, at + 7), () => setTimeout(piece, 0));
        at += 7;
      };
      piece();
    });
    const { answer } = way(it);
    for (const count of [1, 2, 3]) {
      expect((await answer()).answer.body?.text).toBe(`HTTP/1.1 100 ${count}`);
      await settled();
    }
    expect(it.connections()).toBe(1);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', (bytes: Buffer) => brotliCompressSync(gzipSync(bytes))],
  ])('stays coded in %s, and is read for judging', async (coding, encode) => {
    const coded = encode(Buffer.from('{"consentStatus":"valid"}'));
    const it = await bank((_, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Encoding': coding,
        'Content-Length': coded.length,
      });
      response.end(coded);
    });
    const answered = await way(it).answer();
    expect(wireOf(answered)).toEqual(coded);
    expect(answered.answer.body).toEqual({ text: '{"consentStatus":"valid"}', size: coded.length });
    expect(answered.answer.content).toEqual({ kind: 'json', value: { consentStatus: 'valid' } });
    expect(answered.answer.header['content-encoding']).toBe(coding);
  });

  it('is read for judging where its codings stand in lines of their own', async () => {
    const coded = brotliCompressSync(gzipSync('{"consentStatus":"valid"}'));
    const it = await bank((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': ['gzip', 'br'] });
      response.end(coded);
    });
    const answered = await way(it).answer();
    expect(wireOf(answered)).toEqual(coded);
    expect(answered.answer.content).toEqual({ kind: 'json', value: { consentStatus: 'valid' } });
  });

  it('passes a coding that is not known, or that is broken, as it came; as nobody can find secrets in it, nothing is kept', async () => {
    for (const [coding, fault] of [
      ['compress', undefined],
      ['gzip', 'malformed'],
    ] as const) {
      const bytes = Buffer.from([1, 2, 3, 0xff]);
      const answered = await answerTo(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: 4\r\n\r\n`),
          bytes,
        ]),
      );
      expect(wireOf(answered)).toEqual(bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(answered.answer.body).toEqual({ text: '', size: 4, truncated: true, sha256 });
      expect(answered.answer.content).toEqual({ kind: 'not-observed' });
      expect(answered.answer.source).toBe('upstream');
      expect(answered.fault?.kind).toBe(fault);
    }
  });

  it('is recorded in base64 where it is not text', async () => {
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0x00]);
    const it = await bank((_, response) => response.end(bytes));
    const answered = await way(it).answer();
    expect(answered.answer.body).toEqual({ text: bytes.toString('base64'), base64: true, size: 4 });
    expect(wireOf(answered)).toEqual(bytes);
  });
});

describe('an authorization request of the PSU listener', () => {
  it('is answered by a redirect to the bank with exactly the parameters of the TPP', async () => {
    const it = await bank((_, response) => response.end());
    const target =
      '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111?state=a%2fb&scope=AIS:1&scope=+&x';
    const psuTarget = new URL('https://web.bank.example/pages/');
    const answered = await way(it, { psuTarget }).answer({ operation: 'oauth.authorize', target });
    expect(answered.answer).toMatchObject({ status: 302, source: 'upstream', body: null });
    expect(answered.answer.header.location).toBe(`https://web.bank.example/pages${target}`);
    expect(it.connections()).toBe(0);
  });
});

describe('a body beyond what is recorded', () => {
  const MIB = 1_048_576;

  it('streams through from the bank with flat memory, and is recorded by length and hash', async () => {
    const piece = Buffer.alloc(65_536, 'abcdefgh');
    const pieces = (24 * MIB) / piece.length;
    const it = await bank((_, response) => {
      Readable.from(
        (function* () {
          for (let i = 0; i < pieces; i++) yield piece;
        })(),
      ).pipe(response);
    });
    const made = way(it);
    const answered = await made.answer();
    expect(answered.answer.body).toMatchObject({ truncated: true });
    expect(answered.answer.content).toEqual({ kind: 'not-observed' });
    const hash = createHash('sha256');
    let size = 0;
    let most = 0;
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for await (const chunk of answered.wire as Readable) {
      hash.update(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size % (4 * MIB) < 16_384) {
        collectGarbage();
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
    }
    expect(size).toBe(24 * MIB);
    expect(most).toBeLessThan(8 * MIB);
    const { body, fault } = (await answered.completed) ?? {};
    expect(fault).toBeNull();
    expect(body).toEqual({
      text: piece.toString().slice(0, 16_384),
      size: 24 * MIB,
      truncated: true,
      sha256: hash.digest('hex'),
    });
    expect(made.upstream.load()).toEqual({ active: 0, waiting: 0 });
  });

  it('stops the bank while the client does not read', async () => {
    let sent = 0;
    const it = await bank((_, response) => {
      const piece = Buffer.alloc(65_536);
      const more = () => {
        while (sent < 24 * MIB && response.write(piece)) sent += piece.length;
      };
      response.on('drain', more);
      more();
    });
    const stop = new AbortController();
    const answered = await way(it).answer({}, { signal: stop.signal });
    const before = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBeLessThan(20 * MIB);
    expect(before).toBeLessThan(20 * MIB);
    stop.abort();
    expect((await answered.completed)?.fault?.kind).toBe('client-gone');
  });

  it('streams through to the bank, behind the bytes that were read already', async () => {
    const it = await bank(async (request, response) => {
      const hash = createHash('sha256');
      for await (const chunk of request) hash.update(chunk as Buffer);
      response.end(JSON.stringify([hash.digest('hex'), request.headers['content-length'] ?? 'chunked']));
    });
    const { answer } = way(it);
    for (const declared of [true, false]) {
      const raw = Buffer.alloc(MIB, 1);
      const parts = Array.from({ length: 160 }, (_, i) => Buffer.alloc(65_536, i));
      const whole = Buffer.concat([raw, ...parts]);
      const headerList: HeaderList = [
        ['Host', 'h'],
        declared ? ['Content-Length', String(whole.length)] : ['Transfer-Encoding', 'chunked'],
      ];
      const answered = await answer(
        { operation: 'consents.create', headerList },
        { raw, rest: Readable.from(parts, { objectMode: false }) },
      );
      expect(JSON.parse(answered.answer.body?.text ?? '')).toEqual([
        createHash('sha256').update(whole).digest('hex'),
        declared ? String(whole.length) : 'chunked',
      ]);
    }
  });

  it('takes an answer that comes before the body is sent, and lets go of the body', async () => {
    const early = await scripted((socket) =>
      socket.end('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
    );
    const endless = new Readable({
      read() {
        setTimeout(() => this.push(Buffer.alloc(1_000)), 0);
      },
    });
    const headerList: HeaderList = [
      ['Host', 'h'],
      ['Transfer-Encoding', 'chunked'],
    ];
    const { answer } = await way(early).answer(
      { operation: 'consents.create', headerList },
      { rest: endless },
    );
    expect(answer.status).toBe(413);
    expect(endless.destroyed).toBe(true);
  });
});
