import { expect, test } from 'vitest';
import { counted, plural } from '../../src/spec/index.js';

test('one is told in the singular, and any other count in the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'call'))).toEqual(['0 calls', '1 call', '2 calls']);
});

test('a word that takes more than an s is given both ways', () => {
  expect([counted(1, 'entry', 'entries'), counted(2, 'entry', 'entries')]).toEqual(['1 entry', '2 entries']);
  expect([plural(1, 'was', 'were'), plural(2, 'was', 'were')]).toEqual(['was', 'were']);
});
