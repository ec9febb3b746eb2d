/** A bank behind the gateway: what passes, byte for byte, and what is kept of it. */
import { once } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createFiles } from '../answer/upstream/certificates.js';
import { REQUEST_ID } from '../builders.js';
import {
  type BankBehind,
  bankCertificates,
  bytesOf,
  fieldOf,
  openBankBehind,
  openBehind,
  sha256,
} from './bank-behind.js';
import { eventually } from './harness.js';
import { openTls, sendRaw, statusOf, untilHolds } from './raw.js';

const CONSENTS = '/stdgroup/v1/consents';
const CONSENT = `${CONSENTS}/VALID_CONSENT_ID`;
const CAP = 4_096;

const open: BankBehind[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function behind(...given: Parameters<typeof openBankBehind>): Promise<BankBehind> {
  const made = await openBankBehind(...given);
  open.push(made);
  return made;
}

const json = (value: unknown, headers: Record<string, string> = {}): Parameters<typeof openBankBehind>[0] => {
  const text = JSON.stringify(value);
  return (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'X-Request-ID': REQUEST_ID, ...headers })
      .end(text);
};
const ok = json({ consentStatus: 'valid' });
const lastOf = async ({ gateway }: BankBehind) => {
  const record = (await gateway.records()).at(-1);
  if (record === undefined) throw new Error('nothing was recorded');
  return record;
};
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a request body', () => {
  it('in a coding passes as it came, and is recorded as it reads', async () => {
    const bank = await behind(ok);
    const text = JSON.stringify({ access: { allPsd2: 'allAccounts' } });
    const coded = gzipSync(text);
    await bank.gateway.call(CONSENTS, { body: coded, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } });
    expect(bank.seen[0]?.body.equals(coded)).toBe(true);
    expect(fieldOf(bank.seen[0]?.headers ?? [], 'content-encoding')).toBe('gzip');
    const { exchange } = await lastOf(bank);
    expect(exchange.call.request.body).toEqual({ text, size: coded.length });
  });

  it.each([
    ['a coding that nobody knows', 'lzma', Buffer.from('x')],
    ['a coding that it does not have', 'gzip', Buffer.from('no gzip')],
    ['a coding that it grows in beyond the cap', 'gzip', gzipSync(Buffer.alloc(CAP * 10))],
  ])('in %s passes too, and no rule judges what it says', async (_, coding, body) => {
    const bank = await behind(ok, { recordCap: CAP });
    const answer = await bank.gateway.call(CONSENTS, {
      body,
      headers: { ...JSON_TYPE, 'Content-Encoding': coding },
    });
    expect([answer.status, answer.headers['sandgate-source']]).toEqual([200, 'upstream']);
    expect(bank.seen[0]?.body.equals(body)).toBe(true);
    const { exchange, verdicts } = await lastOf(bank);
    const kept = { text: '', size: body.length, truncated: true, sha256: sha256(body) };
    expect(exchange.call.request.body).toEqual(kept);
    expect(verdicts['consents/body-well-formed']).toBe('not-observed');
  });

  it.each(['with its length', 'in chunks', 'after 100 Continue'])(
    'over the cap streams past %s, and is recorded in part',
    async (how) => {
      const bank = await behind(ok, { recordCap: CAP });
      const body = bytesOf(3_000_000);
      const lines = [
        `POST ${CONSENTS} HTTP/1.1`,
        'Host: localhost',
        'Content-Type: application/octet-stream',
      ];
      const socket = await openTls(bank.gateway);
      if (how === 'in chunks') {
        socket.write(`${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`);
        socket.write(`${body.length.toString(16)}\r\n`);
        socket.write(body);
        socket.write('\r\n0\r\n\r\n');
      } else {
        const expects = how === 'with its length' ? [] : ['Expect: 100-continue'];
        socket.write(`${[...lines, `Content-Length: ${body.length}`, ...expects].join('\r\n')}\r\n\r\n`);
        if (expects.length > 0)
          expect(await untilHolds(socket, '\r\n\r\n')).toMatch(/^HTTP\/1.1 100 Continue/);
        socket.write(body);
      }
      expect(statusOf(await untilHolds(socket, 'consentStatus'))).toBe(200);
      socket.destroy();
      const [seen] = bank.seen;
      expect([seen?.body.length, sha256(seen?.body ?? Buffer.alloc(0))]).toEqual([body.length, sha256(body)]);
      expect(fieldOf(seen?.headers ?? [], 'content-length')).toBe(
        how === 'in chunks' ? undefined : String(body.length),
      );
      expect(fieldOf(seen?.headers ?? [], 'expect')).toBeUndefined();
      const kept = (await lastOf(bank)).exchange.call.request.body;
      expect(kept).toMatchObject({ size: body.length, truncated: true, sha256: sha256(body) });
      expect(kept?.text.length).toBeLessThanOrEqual(16_384);
    },
  );

  it('over the cap that the bank does not want leaves its client able to read why', async () => {
    const bank = await openBehind([], { recordCap: CAP }, (_, response) => {
      response.writeHead(413, { ...JSON_TYPE, Connection: 'close' }).end('{"tppMessages":[]}');
    });
    open.push(bank);
    const answer = await bank.gateway.call(CONSENTS, { body: bytesOf(3_000_000), headers: JSON_TYPE });
    expect([answer.status, answer.headers['sandgate-source']]).toEqual([413, 'upstream']);
    const { call } = (await lastOf(bank)).exchange;
    expect(call.request.body).toMatchObject({ truncated: true });
  });

  it('over the cap is 413 where the emulator answers', async () => {
    const bank = await behind(ok, { recordCap: CAP, sources: { 'consents.*': 'emulator' } });
    const answer = await bank.gateway.call(CONSENTS, { body: bytesOf(CAP + 1), headers: JSON_TYPE });
    expect([answer.status, answer.headers['sandgate-source'], bank.seen.length]).toEqual([413, 'gateway', 0]);
  });
});

describe('an answer', () => {
  it('over the cap keeps its length, its bytes, and its place in the recording before its end', async () => {
    const body = bytesOf(3_000_000);
    const bank = await behind(
      (_, response) =>
        response
          .writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': body.length })
          .end(body),
      { recordCap: CAP },
    );
    const socket = await openTls(bank.gateway);
    socket.write(`GET ${CONSENT} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const chunks: Buffer[] = [];
    let size = 0;
    let head = '';
    let wasKept = false;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      head ||= chunk.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
      const id = /\r\nSandgate-Exchange: (\w+)/.exec(head)?.[1] ?? '';
      if (size === head.length + 4 + body.length) {
        wasKept = bank.gateway.app.store.find(id) !== null;
        socket.end();
      }
    });
    await once(socket, 'close');
    expect(head).toContain(`\r\nContent-Length: ${body.length}`);
    expect(sha256(Buffer.concat(chunks).subarray(head.length + 4))).toBe(sha256(body));
    expect(wasKept).toBe(true);
    const { answer, fault, elapsed } = (await lastOf(bank)).exchange;
    expect(answer?.body).toMatchObject({ size: body.length, truncated: true, sha256: sha256(body) });
    expect(fault).toBeNull();
    expect(elapsed.firstByte).toBeGreaterThan(0);
    expect(elapsed.firstByte).toBeLessThanOrEqual(elapsed.answerer);
  });

  it('over the cap that breaks off breaks off for the TPP, and says so in the recording', async () => {
    const bank = await behind(
      (_, response) => {
        response.writeHead(200, { 'Content-Length': 3_000_000 });
        response.write(bytesOf(100_000), () => response.destroy());
      },
      { recordCap: CAP },
    );
    await expect(bank.gateway.call(CONSENT)).rejects.toThrow();
    const record = await eventually(() => lastOf(bank));
    expect(record.exchange.fault?.kind).toMatch(/reset|malformed/);
    expect(record.exchange.answer).toMatchObject({
      status: 200,
      source: 'upstream',
      body: { truncated: true },
    });
  });

  it('over the cap that its client leaves ends the call to the bank', async () => {
    const bank = await behind(
      (_, response) => {
        response.writeHead(200, { 'Content-Length': 1_000_000_000 });
        const more = () => {
          while (response.write(bytesOf(65_536)));
          response.once('drain', more);
        };
        more();
      },
      { recordCap: CAP },
    );
    const socket = await openTls(bank.gateway);
    socket.write(`GET ${CONSENT} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await untilHolds(socket, '\r\n\r\n');
    socket.destroy();
    const record = await eventually(() => lastOf(bank));
    expect(record.exchange.fault?.kind).toBe('client-gone');
    await eventually(() => expect(bank.sockets.size).toBe(0));
  });

  it('that nobody waits for any more is none', async () => {
    const bank = await behind(() => {});
    const socket = await openTls(bank.gateway);
    socket.write(
      `POST ${CONSENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    );
    await eventually(() => expect(bank.seen).toHaveLength(1));
    socket.destroy();
    const record = await eventually(() => lastOf(bank));
    expect(record.exchange).toMatchObject({ answer: null, fault: { kind: 'client-gone' } });
    await eventually(() => expect(bank.sockets.size).toBe(0));
  });

  it.each([
    ['HEAD', 200, { 'Content-Length': '1234' }, '1234'],
    ['HEAD', 200, {}, undefined],
    ['GET', 304, { 'Content-Length': '1234', ETag: '"a"' }, '1234'],
    ['GET', 304, { ETag: '"a"' }, undefined],
    ['GET', 204, {}, undefined],
    ['GET', 200, { 'Content-Length': '0' }, '0'],
  ])('to %s with status %s has the length that the bank names', async (method, status, headers, length) => {
    const bank = await behind((_, response) => void response.writeHead(status, headers).end());
    const text = await sendRaw(
      bank.gateway,
      `${method} ${CONSENT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(text)).toBe(status);
    expect(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]).toBe(length);
    expect(text.endsWith('\r\n\r\n')).toBe(true);
  });

  it('with fields that stand twice keeps both, in order and letter case', async () => {
    const bank = await behind((_, response) => {
      response
        .writeHead(200, ['X-Twice', 'a', 'SET-Cookie', 'b=1', 'x-twice', 'c', 'Set-Cookie', 'd=2'])
        .end('{}');
    });
    const text = await sendRaw(
      bank.gateway,
      `GET ${CONSENT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(text.match(/^(?:x-twice|set-cookie): .*$/gim)?.map((line) => line.trim())).toEqual([
      'X-Twice: a',
      'SET-Cookie: b=1',
      'x-twice: c',
      'Set-Cookie: d=2',
    ]);
  });

  it('keeps its length where the bank wrote it, as the bank spelled it', async () => {
    const bank = await behind((_, response) => {
      response.writeHead(200, ['X-Before', 'a', 'content-LENGTH', '2', 'X-After', 'b']).end('{}');
    });
    const text = await sendRaw(
      bank.gateway,
      `GET ${CONSENT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(text.match(/^(?:x-before|x-after|content-length): .*$/gim)?.map((line) => line.trim())).toEqual([
      'X-Before: a',
      'content-LENGTH: 2',
      'X-After: b',
    ]);
  });

  it.each([
    ['ASCII', '{}'],
    ['other text', '{"name":"Müller"}'],
    ['nothing', ''],
  ])('keeps the bytes of a field beyond ASCII before a body of %s', async (_, body) => {
    const value = Buffer.from('Müller').toString('latin1');
    const bank = await behind((_, response) => void response.writeHead(200, ['X-Name', value]).end(body));
    const text = await sendRaw(
      bank.gateway,
      `GET ${CONSENT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(/^X-Name: (.*)\r$/m.exec(text)?.[1]).toBe('Müller');
    expect(text.endsWith(`\r\n\r\n${body}`)).toBe(true);
  });
});

describe('links of the bank', () => {
  const links = (origin: string) => ({
    _links: { self: { href: `${origin}${CONSENT}` }, scaRedirect: { href: `${origin}/login?x=1` } },
  });
  const answering: Parameters<typeof openBankBehind>[0] = (_, response) => {
    const port = response.socket?.localPort;
    json({ consentStatus: 'valid', ...links(`https://localhost:${port}`) })(_, response);
  };

  it('lead through the gateway, and are the bank’s own to the rules', async () => {
    const bank = await behind(answering);
    const { json: body } = await bank.gateway.call(CONSENT);
    expect(body._links.self.href).toBe(`${bank.gateway.urls.api}${CONSENT}`);
    expect(body._links.scaRedirect.href).toBe(`${bank.url.origin}/login?x=1`);
    expect((await lastOf(bank)).verdicts['answers/links-are-reachable']).toBe('complied');
  });

  it('stay as they are with --no-rewrite', async () => {
    const bank = await behind(answering, { rewrite: false });
    const { json: body } = await bank.gateway.call(CONSENT);
    expect(body).toEqual({ consentStatus: 'valid', ...links(bank.url.origin) });
    expect((await lastOf(bank)).verdicts['answers/links-are-reachable']).toBe('complied');
  });
});

describe('the stance', () => {
  const wrong = { method: 'PATCH' };

  it('is observe where a bank answers: what is wrong is recorded, and passes', async () => {
    const bank = await behind(ok);
    const answer = await bank.gateway.call(CONSENT, wrong);
    expect([answer.status, answer.headers['sandgate-findings']]).toEqual([200, 'requests/known-method']);
    expect(bank.seen).toHaveLength(1);
  });

  it('can be enforce: what is wrong does not reach the bank', async () => {
    const bank = await behind(ok, { stance: 'enforce' });
    const answer = await bank.gateway.call(CONSENT, wrong);
    expect([answer.status, answer.headers['sandgate-source'], bank.seen.length]).toEqual([405, 'rule', 0]);
  });
});

describe('client certificates', () => {
  /** A bank to which the organisation of one TPP has a certificate of its own. */
  async function bankThatSees(organisation: string) {
    const files = createFiles();
    const { secondClient } = bankCertificates;
    const shown: string[] = [];
    const bank = await openBehind(
      [],
      {
        lendCertificate: 'anyone',
        upstreamCertificates: {
          [organisation]: {
            cert: files.write('second.pem', secondClient.cert),
            key: files.write('second.key', secondClient.key),
          },
        },
      },
      (request, response) => {
        shown.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
        response.end();
      },
    );
    open.push(bank);
    const callers = async () => (await bank.gateway.records()).map(({ exchange }) => exchange.call.tpp);
    const callWith = async (certs: readonly (string | null)[]) => {
      for (const cert of certs) await bank.gateway.call(CONSENT, { cert });
      files.remove();
    };
    return { callWith, callers, shown };
  }

  it('are chosen by the organisation of the TPP', async () => {
    const { callWith, callers, shown } = await bankThatSees('PSDDE-BAFIN-987654');
    await callWith(['tpp', 'tpp-other', null]);
    expect(await callers()).toEqual(['PSDBE-NBB-0123456789', 'PSDDE-BAFIN-987654', null]);
    expect(shown).toEqual(['gateway', 'gateway-of-other-tpp', 'gateway']);
  });

  it('are lent to nobody who only says that it is that organisation', async () => {
    const { callWith, callers, shown } = await bankThatSees('PSDBE-NBB-0123456789');
    await callWith(['tpp', 'bad-untrusted', 'bad-revoked']);
    expect(new Set(await callers())).toEqual(new Set(['PSDBE-NBB-0123456789']));
    expect(shown).toEqual(['gateway-of-other-tpp', 'gateway', 'gateway']);
  });
});
