/** Answers of 1xx that a bank sends ahead of its answer: a proxy passes them on. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { REQUEST_ID } from '../builders.js';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import { openTls, untilHolds } from './raw.js';

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const open: BankBehind[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A bank that says `ahead` in front of its answer. */
async function bankThat(ahead: (response: ServerResponse) => void): Promise<BankBehind> {
  const bank = await openBankBehind((_, response) => {
    ahead(response);
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'X-Request-ID': REQUEST_ID })
      .end('{"consentStatus":"valid"}');
  });
  open.push(bank);
  return bank;
}

interface Said {
  readonly ahead: readonly { readonly status: number; readonly headers: Readonly<Record<string, unknown>> }[];
  readonly status: number | undefined;
  readonly text: string;
}

async function ask({ gateway }: BankBehind, options: RequestOptions = {}): Promise<Said> {
  const [ca, cert, key] = ['ca.pem', 'tpp.pem', 'tpp.key'].map(gateway.file);
  const sent = request(new URL(CONSENT, gateway.urls.api), {
    ...{ ca, cert, key, headers: { 'X-Request-ID': REQUEST_ID } },
    ...options,
  });
  const ahead: { status: number; headers: Record<string, unknown> }[] = [];
  sent.on('information', ({ statusCode: status, headers }) => ahead.push({ status, headers }));
  sent.end();
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { ahead, status: answer.statusCode, text };
}

const raw = (response: ServerResponse, text: string) => void response.socket?.write(text);

describe('an answer of 1xx', () => {
  it('comes ahead of the answer, with its fields', async () => {
    const bank = await bankThat((response) => {
      response.writeProcessing();
      response.writeEarlyHints({
        link: '</style.css>; rel=preload',
        'x-trace': 'a',
        'sandgate-source': 'rule',
      });
      raw(response, 'HTTP/1.1 199 Own\r\nX-Own: 1\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n');
    });
    const { ahead, status, text } = await ask(bank);
    expect(ahead).toEqual([
      { status: 102, headers: {} },
      { status: 103, headers: { link: '</style.css>; rel=preload', 'x-trace': 'a' } },
      { status: 199, headers: { 'x-own': '1' } },
    ]);
    expect([status, text]).toEqual([200, '{"consentStatus":"valid"}']);
    const [record] = await bank.gateway.records();
    expect(record?.exchange.answer?.status).toBe(200);
  });

  it('is passed on call after call of one connection', async () => {
    const bank = await bankThat((response) => response.writeProcessing());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) expect((await ask(bank, { agent })).ahead).toHaveLength(1);
    agent.destroy();
  });

  it('is not passed on where it is "100 Continue" that nobody asked for', async () => {
    const bank = await bankThat((response) => response.writeContinue());
    expect(await ask(bank)).toMatchObject({ ahead: [], status: 200 });
  });

  it('is passed on sixteen times for one call, and no more', async () => {
    const bank = await bankThat((response) => {
      for (let i = 0; i < 100; i++) response.writeProcessing();
    });
    const { ahead, status } = await ask(bank);
    expect([ahead.length, status]).toEqual([16, 200]);
  });

  it('is kept from a client of HTTP/1.0, which would take it for the answer', async () => {
    const bank = await bankThat((response) => response.writeProcessing());
    const socket = await openTls(bank.gateway);
    socket.write(`GET ${CONSENT} HTTP/1.0\r\nHost: localhost\r\nX-Request-ID: ${REQUEST_ID}\r\n\r\n`);
    expect(await untilHolds(socket, 'valid')).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('goes ahead of its own answer, where requests follow each other unasked', async () => {
    const bank = await bankThat((response) => response.writeProcessing());
    const socket = await openTls(bank.gateway);
    const one = `GET ${CONSENT} HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: ${REQUEST_ID}\r\n\r\n`;
    const last = one
      .replace('VALID_CONSENT_ID', 'CONSENT_ID_EXPIRED')
      .replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    socket.write(one + last);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(socket, 'close');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses.filter((status) => status === '200')).toHaveLength(2);
    expect(statuses[0]).toBe('102');
    expect(statuses.at(-1)).toBe('200');
  });
});
