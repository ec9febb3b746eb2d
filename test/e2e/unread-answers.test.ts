/** Clients that do not read their answers: they hold no connection for long, and nobody else is hurried. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import { GET_CONSENT, openTls, statusOf, untilClosed } from './raw.js';

/** More than the system keeps for a connection. */
const LARGE = Buffer.alloc(24 * 1_048_576, 'x');
const CALL = `${GET_CONSENT}\r\n\r\n`;
const LAST_CALL = `${GET_CONSENT}\r\nConnection: close\r\n\r\n`;

let bank: BankBehind;
afterEach(() => bank.close());

describe('an answer', () => {
  it('that nobody reads ends its connection, and what the bank still sends', async () => {
    let ended = (_: boolean): void => {};
    const wasWhole = new Promise<boolean>((resolve) => {
      ended = resolve;
    });
    bank = await openBankBehind(
      (_, response) => {
        response.on('close', () => ended(response.writableFinished));
        response.writeHead(200, { 'Content-Type': 'text/plain' }).end(LARGE);
      },
      { 'limits.unread': '300ms' },
    );
    const socket = await openTls(bank.gateway);
    socket.pause();
    socket.write(CALL.repeat(4));
    expect(await wasWhole).toBe(false);
    socket.destroy();
  });

  it('that is read slowly is read to its end', async () => {
    bank = await openBankBehind(
      (_, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(LARGE),
      { 'limits.unread': '300ms' },
    );
    const socket = await openTls(bank.gateway);
    socket.write(LAST_CALL);
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size % 40 !== 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(size).toBeGreaterThan(LARGE.length);
  });

  it('that the bank takes its time for is waited for, and so is a body that comes in pieces', async () => {
    bank = await openBankBehind(
      ({ body }, response) => void pause(400).then(() => response.writeHead(200).end(body)),
      { 'limits.unread': '150ms', stance: 'observe' },
    );
    const socket = await openTls(bank.gateway);
    const answer = untilClosed(socket);
    const head = GET_CONSENT.replace('GET', 'POST').replace('/VALID_CONSENT_ID', '');
    socket.write(
      `${head}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{`,
    );
    await pause(400);
    socket.write('}');
    const text = await answer;
    expect([statusOf(text), text.endsWith('{}')]).toEqual([200, true]);
  });
});
