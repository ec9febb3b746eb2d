/** Lines behind the way of calls: one write a turn, and none for a reader that is behind. */
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLines } from '../../../src/cli/calls/tell-calls.js';

/** Takes a piece when it is told to. */
function slowReader() {
  const pieces: string[] = [];
  let taken: (() => void) | null = null;
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 1,
    write: (text: string, _, done) => {
      pieces.push(text);
      taken = done;
    },
  });
  return { stream, pieces, take: () => taken?.() };
}

const dropped = (count: number) => `${count} dropped\n`;

describe('lines', () => {
  it('are written once a turn', async () => {
    const { stream, pieces } = slowReader();
    const lines = createLines(stream, 100, dropped);
    for (const one of ['a', 'b', 'c']) lines.take(() => one);
    expect(pieces).toEqual([]);
    await nextTurn();
    expect(pieces).toEqual(['abc']);
  });

  it('are dropped, and not even made, while the reader is behind, and counted when it goes on', async () => {
    const { stream, pieces, take } = slowReader();
    const lines = createLines(stream, 10, dropped);
    lines.take(() => 'x'.repeat(11));
    await nextTurn();
    let made = 0;
    for (let i = 0; i < 1_000; i++)
      lines.take(() => {
        made += 1;
        return 'y';
      });
    lines.lose(5);
    await nextTurn();
    expect([made, stream.writableLength]).toEqual([0, 11]);
    take();
    await nextTurn();
    await nextTurn();
    expect(pieces.slice(1)).toEqual(['1005 dropped\n']);
    take();
    lines.take(() => 'z');
    lines.end();
    await nextTurn();
    expect(pieces.slice(2)).toEqual(['z']);
  });

  it('go nowhere when the reader has gone', async () => {
    const { stream, pieces } = slowReader();
    const lines = createLines(stream, 10, dropped);
    stream.destroy();
    lines.take(() => 'a');
    lines.end();
    await nextTurn();
    expect(pieces).toEqual([]);
  });
});
