/** What commands print. */
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printJson } from '../../src/cli/output.js';

function piecesOf(value: unknown): string[] {
  const pieces: string[] = [];
  const write = (piece: Buffer, _encoding: string, done: () => void) => {
    pieces.push(piece.toString());
    done();
  };
  printJson(new Writable({ write }), value);
  return pieces;
}

it('JSON is printed as JSON.stringify writes it', () => {
  const odd = { at: new Date(0), none: undefined, list: [undefined, { none: undefined }], 'a\n"': 'b\n' };
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.constant(odd)), (value) => {
      expect(piecesOf(value).join('')).toBe(`${JSON.stringify(value, null, 2)}\n`);
    }),
  );
});

it('a long list is printed in pieces', () => {
  const occurrences = Array.from({ length: 3_000 }, (_, i) => ({ exchange: `${i}`, place: 'body' }));
  const pieces = piecesOf({ findings: [{ occurrences }] });
  expect(pieces.length).toBeGreaterThan(2);
  expect(JSON.parse(pieces.join(''))).toEqual({ findings: [{ occurrences }] });
});
