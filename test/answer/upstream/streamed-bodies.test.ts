/** A body that passes by goes at the pace of who reads it, and is known by its beginning, its length and its hash. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBodyTally, passBody } from '../../../src/answer/upstream/index.js';
import { codePoint } from '../../code-points.js';

function tallied(bytes: Uint8Array, prefixBytes: number, pieces: readonly number[] = []) {
  const tally = createBodyTally(prefixBytes);
  let at = 0;
  for (const length of pieces) {
    tally.add(bytes.subarray(at, at + length));
    at += length;
  }
  tally.add(bytes.subarray(at));
  expect(tally.size()).toBe(bytes.length);
  return tally.body();
}

describe('createBodyTally', () => {
  it('gives the same for any pieces that a body comes in', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.nat(40)),
        fc.nat(400),
        (bytes, pieces, prefix) => {
          const body = tallied(bytes, prefix, pieces);
          expect(body).toEqual(tallied(bytes, prefix));
          expect(body).toMatchObject({
            size: bytes.length,
            truncated: true,
            sha256: createHash('sha256').update(bytes).digest('hex'),
          });
        },
      ),
    );
  });

  it('keeps of a text as many whole characters as there is room for', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 60 }), fc.nat(100), (text, prefix) => {
        const whole = Buffer.from(text).toString();
        const kept = tallied(Buffer.from(whole), prefix).text;
        expect(whole.startsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(prefix);
        const next = [...whole.slice(kept.length)][0];
        if (next !== undefined) expect(Buffer.byteLength(kept + next)).toBeGreaterThan(prefix);
      }),
    );
  });

  it('keeps nothing of what is no text', () => {
    expect(tallied(Buffer.from([0x61, 0xff, 0x62]), 100).text).toBe('');
    expect(tallied(Buffer.from('text'), 0).text).toBe('');
  });
});

const bytes = Buffer.alloc(1_000_000, 'sandgate ');

const closed = (stream: Readable) => new Promise((resolve) => stream.once('close', resolve));

describe('passBody', () => {
  it('passes all, counted together with what was read before', async () => {
    const tally = createBodyTally(8);
    tally.add(Buffer.from('before '));
    const parts = Array.from({ length: 10 }, (_, i) => bytes.subarray(i * 100_000, (i + 1) * 100_000));
    const { stream, ended } = passBody(Readable.from(parts, { objectMode: false }), tally);
    // Not toEqual, which takes seconds over a million bytes.
    expect((await buffer(stream)).equals(bytes)).toBe(true);
    expect(await ended).toEqual({
      text: 'before s',
      size: bytes.length + 7,
      truncated: true,
      sha256: createHash('sha256').update('before ').update(bytes).digest('hex'),
    });
  });

  it('holds the client back while the bank does not take it', async () => {
    let given = 0;
    const source = new Readable({
      read() {
        given++;
        this.push(bytes.subarray(0, 65_536));
      },
    });
    const { stream } = passBody(source, createBodyTally(0));
    stream.once('readable', () => {});
    await wait(30);
    expect(given).toBeLessThan(10);
    stream.destroy();
  });

  it('leaves the client alone when the bank wants no more', async () => {
    const source = new PassThrough();
    const { stream, ended } = passBody(source, createBodyTally(0));
    source.write('abc');
    stream.resume();
    await once(stream, 'data');
    stream.destroy();
    expect((await ended).size).toBe(3);
    expect(source.destroyed).toBe(false);
    source.destroy(new Error('later'));
    await closed(source);
  });

  it('breaks off with the client', async () => {
    const source = new PassThrough();
    const { stream, ended } = passBody(source, createBodyTally(0));
    stream.resume();
    source.write('abc');
    await once(stream, 'data');
    source.destroy();
    await closed(stream);
    expect(stream.errored?.message).toBe('the client broke off');
    expect((await ended).size).toBe(3);
  });
});
