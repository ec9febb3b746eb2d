/** Time stamps of checkpoints: asked for, read and checked; the recorded one was made by openssl. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStamper } from '../../src/evidence/index.js';
import {
  checkTimeStamp,
  openStampAnchors,
  readTimeStampResponse,
} from '../../src/evidence/time-stamp/index.js';
import { NOW } from '../builders.js';
import { collectGarbage } from '../collect-garbage.js';
import { append, aStore, recordSource } from '../store/stores.js';
import { startSwitching } from '../switching-server.js';
import { ANCHORS, mintAuthority, startAuthority, tokenOf } from './time-stamp/authority.js';
import { NONCE } from './time-stamp/nonce.js';

const file = (name: string) => readFileSync(new URL(`time-stamp/${name}`, import.meta.url));
const STATEMENT = file('statement.jws').toString();
const RESPONSE = file('response.tsr');

describe('an answer that openssl made', () => {
  it('is a time stamp over the statement, trusted below the CA of its authority only', async () => {
    const token = readTimeStampResponse(RESPONSE, STATEMENT, NONCE);
    expect(await checkTimeStamp(token, STATEMENT, ANCHORS)).toEqual({
      ...{ at: expect.any(Number), authority: 'CN=Test TSA', state: 'trusted' },
    });
    expect(await checkTimeStamp(token, STATEMENT, [])).toMatchObject({ authority: '', state: 'unchecked' });
    const itself = openStampAnchors(file('authority.pem'), 'tsa.pem');
    expect(await checkTimeStamp(token, STATEMENT, itself)).toMatchObject({ state: 'trusted' });
  });

  it('is none over another statement, for another request, or of fewer bytes', async () => {
    const token = readTimeStampResponse(RESPONSE, STATEMENT, NONCE);
    const none = { state: 'other', at: null, authority: '' };
    expect(await checkTimeStamp(token, `${STATEMENT}x`, ANCHORS)).toEqual(none);
    expect(() => readTimeStampResponse(RESPONSE, 'x', NONCE)).toThrow('for something else');
    expect(() => readTimeStampResponse(RESPONSE, STATEMENT, Buffer.from('77'))).toThrow('another request');
    for (let cut = 0; cut < RESPONSE.length; cut += 97)
      expect(() => readTimeStampResponse(RESPONSE.subarray(0, cut), STATEMENT, NONCE)).toThrow();
    expect(await checkTimeStamp(token.subarray(0, 300), STATEMENT, ANCHORS)).toEqual(none);
  });

  it('is not trusted with any one byte changed', async () => {
    const token = readTimeStampResponse(RESPONSE, STATEMENT, NONCE);
    const whole = await checkTimeStamp(token, STATEMENT, ANCHORS);
    for (let at = 0; at < token.length; at += 13) {
      const changed = Buffer.from(token);
      changed[at] = (changed[at] as number) ^ 1;
      const checked = await checkTimeStamp(changed, STATEMENT, ANCHORS);
      // What no signature covers (a version, say) may change; never what it says.
      if (checked.state === 'trusted') expect(checked).toEqual(whole);
    }
  });
});

describe('an authority', () => {
  const DAY = 86_400_000;
  const term = { from: NOW - DAY, to: NOW + DAY };
  const anchorsOf = (pem: string) => openStampAnchors(Buffer.from(pem), 'ca.pem');

  it.each([
    ['is trusted below its CA', {}, NOW, 'trusted'],
    ['whose certificate is not for time stamps is not', { purposes: ['1.3.6.1.5.5.7.3.2'] }, NOW, 'purpose'],
    [
      'whose certificate is for something else too is not',
      { purposes: ['1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.2'] },
      ...([NOW, 'purpose'] as const),
    ],
    ['whose certificate had expired is not', {}, NOW + 2 * DAY, 'outdated'],
    ['whose certificate was not valid yet is not', {}, NOW - 2 * DAY, 'outdated'],
  ] as const)('%s', async (_, order, at, state) => {
    const authority = await mintAuthority({ ...term, ...order });
    const token = await tokenOf(STATEMENT, at, authority);
    expect(await checkTimeStamp(token, STATEMENT, anchorsOf(authority.ca))).toEqual({
      ...{ state, at, authority: 'CN=Minted TSA' },
    });
  });

  it('below another CA is a stranger, whatever the names are', async () => {
    const [authority, other] = [await mintAuthority(term), await mintAuthority(term)];
    const token = await tokenOf(STATEMENT, NOW, authority);
    for (const anchors of [ANCHORS, anchorsOf(other.ca), anchorsOf(other.pem)])
      expect(await checkTimeStamp(token, STATEMENT, anchors)).toMatchObject({ state: 'stranger' });
  });

  it('that signs with another key than that of its certificate is a forger', async () => {
    const [authority, other] = [await mintAuthority(term), await mintAuthority(term)];
    const token = await tokenOf(STATEMENT, NOW, { certificate: authority.certificate, key: other.key });
    expect(await checkTimeStamp(token, STATEMENT, anchorsOf(authority.ca))).toEqual({
      ...{ state: 'forged', at: NOW, authority: '' },
    });
  });

  it('is named by a certificate that a time stamp can rest on', async () => {
    const { ca, pem } = await mintAuthority(term);
    expect(openStampAnchors(Buffer.from(ca + pem), 'tsa.pem')).toHaveLength(2);
    const client = await mintAuthority({ ...term, name: 'Client', purposes: ['1.3.6.1.5.5.7.3.2'] });
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    for (const [text, said] of [
      ['no certificate', 'tsa.pem holds no certificate'],
      [broken, 'tsa.pem holds no readable certificate'],
      [ca + client.pem, 'tsa.pem holds the certificate of CN=Client, which is neither'],
    ] as const)
      expect(() => openStampAnchors(Buffer.from(text), 'tsa.pem')).toThrow(said);
  });
});

describe('an authority that is asked', () => {
  async function stamped(answer?: () => { status: number; body: Uint8Array }) {
    const { url, close } = await startAuthority(answer);
    onTestFinished(close);
    const store = aStore();
    append(store, recordSource()());
    const stamp = createStamper({ url, store, clock: () => NOW, chance: { bytes: () => NONCE } });
    return { store, run: () => stamp({ session: 'test', of: 1, statement: STATEMENT }) };
  }

  it('has its stamp kept in the chain of the session', async () => {
    const { store, run } = await stamped();
    await run();
    const [note] = store.chains.notes('test', 'timestamp');
    const token = Buffer.from(String(note?.settings.token), 'base64');
    expect(await checkTimeStamp(token, STATEMENT, ANCHORS)).toMatchObject({ state: 'trusted' });
    expect([...store.chains.verify('test')]).toEqual([]);
  });

  it.each([
    ['says no', { status: 503, body: Buffer.from('no') }, /answered 503/],
    ['answers anything', { status: 200, body: Buffer.from('<html>') }, /./],
    ['answers for another request', { status: 200, body: RESPONSE.subarray(0, -1) }, /./],
    ['never ends', { status: 200, body: Buffer.alloc(70_000) }, /more than 65536 bytes/],
  ])('and %s leaves nothing in the session', async (_, answer, message) => {
    const { store, run } = await stamped(() => answer);
    await expect(run()).rejects.toThrow(message);
    expect(store.chains.notes('test', 'timestamp')).toEqual([]);
  });

  it('and stops in the middle of its answer is not waited for for ever', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200).write('{');
      setImmediate(collectGarbage);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const chance = { bytes: () => NONCE };
    const stamp = createStamper({ url, store: aStore(), clock: () => NOW, chance, timeout: 500 });
    await expect(stamp({ session: 'test', of: 1, statement: STATEMENT })).rejects.toThrow(
      `${url} does not answer`,
    );
  });

  it('and switches protocols instead of answering is not waited for', async () => {
    const url = `http://127.0.0.1:${await startSwitching()}/`;
    const chance = { bytes: () => NONCE };
    const stamp = createStamper({ url, store: aStore(), clock: () => NOW, chance });
    await expect(stamp({ session: 'test', of: 1, statement: STATEMENT })).rejects.toThrow(
      'switched protocols',
    );
  });
});
