/** IP addresses that no PSU can have who reaches a TPP over the internet. */
import { BlockList, isIPv4 } from 'node:net';
import { isIpAddress } from './formats.js';

const RANGES = [
  ['0.0.0.0', 32, 'unspecified'],
  ['127.0.0.0', 8, 'loopback'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['169.254.0.0', 16, 'link-local'],
  ['224.0.0.0', 4, 'multicast'],
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['ff00::', 8, 'multicast'],
] as const;

export type NoPsuAddress = (typeof RANGES)[number][2];

const KINDS = RANGES.map(([address, prefix, kind]) => {
  const list = new BlockList();
  list.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6');
  return { list, kind };
});

const DOT = 46;
const ZERO = 48;

/** Ranges as numbers: a BlockList takes microseconds a check, and nearly every call has such an address. */
const KINDS_OF_IPV4 = RANGES.filter(([address]) => isIPv4(address)).map(([address, prefix, kind]) => {
  const from = numberOf(address);
  return { from, through: from + 2 ** (32 - prefix) - 1, kind };
});

/** Digit by digit, as nothing is faster on the way of a call. */
function numberOf(ipv4: string): number {
  let number = 0;
  let part = 0;
  for (let i = 0; i < ipv4.length; i++) {
    const code = ipv4.charCodeAt(i);
    if (code === DOT) {
      number = number * 256 + part;
      part = 0;
    } else part = part * 10 + code - ZERO;
  }
  return number * 256 + part;
}

export const isLoopbackAddress = (address: string): boolean =>
  isIpAddress(address) && noPsuAddressKind(address) === 'loopback';

/** Why an address can be nobody's; undefined where it can. An IPv4 address in IPv6 is taken as what it is. */
export function noPsuAddressKind(address: string): NoPsuAddress | undefined {
  if (address.includes(':')) return KINDS.find(({ list }) => list.check(address, 'ipv6'))?.kind;
  const number = numberOf(address);
  return KINDS_OF_IPV4.find(({ from, through }) => from <= number && number <= through)?.kind;
}
