/** Ranges of addresses. */
import { describe, expect, it } from 'vitest';
import { openAddressRanges } from '../../src/outgoing/index.js';

describe('a range of addresses', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['fd00::/8', 'fdab::1', true],
    ['::1', '::1', true],
    ['fd00::5', 'fd00::4', false],
    ['10.0.0.0/8', 'unknown', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ])('%s holds %s: %s', (range, address, held) => {
    expect(openAddressRanges(['192.0.2.1', range])?.(address)).toBe(held);
  });

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0',
    'fd00::/129',
    'fe80::1%eth0',
    '*',
  ])('“%s” is none', (range) => {
    expect(openAddressRanges(['10.0.0.1', range])).toBeUndefined();
  });
});
