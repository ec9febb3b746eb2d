/** Addresses as a limit counts them. */
import { describe, expect, it } from 'vitest';
import { addressBlock } from '../../src/gateway/address-block.js';

describe('an address counts', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['unknown', 'unknown'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:2::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ])('%s as %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});
