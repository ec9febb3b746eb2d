/** A large request body passes at the pace of the bank, and is counted; its client stays there to be answered. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBodyTally, passBody } from '../../../src/answer/upstream/index.js';

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
