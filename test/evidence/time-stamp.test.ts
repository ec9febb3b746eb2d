/** Time stamps of checkpoints: asked for, read and checked; the recorded one was made by openssl. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkTimeStamp, createStamper, readTimeStampResponse } from '../../src/evidence/index.js';
import { NOW } from '../builders.js';
import { append, aStore, recordSource } from '../store/stores.js';
import { CA, startAuthority } from './time-stamp/authority.js';
import { NONCE } from './time-stamp/nonce.js';

const file = (name: string) => readFileSync(new URL(`time-stamp/${name}`, import.meta.url));
const STATEMENT = file('statement.jws').toString();
const RESPONSE = file('response.tsr');

describe('an answer that openssl made', () => {
  it('is a time stamp over the statement, trusted below the CA of its authority only', async () => {
    const token = readTimeStampResponse(RESPONSE, STATEMENT, NONCE);
    expect(await checkTimeStamp(token, STATEMENT, [CA])).toEqual({
      ...{ at: expect.any(Number), authority: 'CN=Test TSA', isTrusted: true },
    });
    expect(await checkTimeStamp(token, STATEMENT, [])).toMatchObject({ authority: '', isTrusted: false });
  });

  it('is none over another statement, for another request, or of fewer bytes', async () => {
    const token = readTimeStampResponse(RESPONSE, STATEMENT, NONCE);
    expect(await checkTimeStamp(token, `${STATEMENT}x`, [CA])).toBeNull();
    expect(() => readTimeStampResponse(RESPONSE, 'x', NONCE)).toThrow('over something else');
    expect(() => readTimeStampResponse(RESPONSE, STATEMENT, Buffer.from('77'))).toThrow('another request');
    for (let cut = 0; cut < RESPONSE.length; cut += 97)
      expect(() => readTimeStampResponse(RESPONSE.subarray(0, cut), STATEMENT, NONCE)).toThrow();
    expect(await checkTimeStamp(token.subarray(0, 300), STATEMENT, [CA])).toBeNull();
  });

  it('is not trusted with any one byte changed', async () => {
    const token = readTimeStampResponse(RESPONSE, STATEMENT, NONCE);
    const whole = await checkTimeStamp(token, STATEMENT, [CA]);
    for (let at = 0; at < token.length; at += 13) {
      const changed = Buffer.from(token);
      changed[at] = (changed[at] as number) ^ 1;
      const checked = await checkTimeStamp(changed, STATEMENT, [CA]);
      // What no signature covers (a version, say) may change; never what it says.
      if (checked?.isTrusted === true) expect(checked).toEqual(whole);
    }
  });

  it('is not trusted below what is no certificate', async () => {
    const token = readTimeStampResponse(RESPONSE, STATEMENT, NONCE);
    const checked = await checkTimeStamp(token, STATEMENT, ['no certificate']);
    expect(checked).toMatchObject({ isTrusted: false });
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
    const [note] = store.chainNotes('test', 'timestamp');
    const token = Buffer.from(String(note?.settings.token), 'base64');
    expect(await checkTimeStamp(token, STATEMENT, [CA])).toMatchObject({ isTrusted: true });
    expect([...store.verifyChain('test')]).toEqual([]);
  });

  it.each([
    ['says no', { status: 503, body: Buffer.from('no') }, /answered 503/],
    ['answers anything', { status: 200, body: Buffer.from('<html>') }, /./],
    ['answers for another request', { status: 200, body: RESPONSE.subarray(0, -1) }, /./],
    ['never ends', { status: 200, body: Buffer.alloc(70_000) }, /more than 65536 bytes/],
  ])('and %s leaves nothing in the session', async (_, answer, message) => {
    const { store, run } = await stamped(() => answer);
    await expect(run()).rejects.toThrow(message);
    expect(store.chainNotes('test', 'timestamp')).toEqual([]);
  });
});
