/**
 * Hosts and addresses to which it may be sent what others chose the address of, so that a caller cannot make the gateway
 * call anywhere.
 */
import { isIP } from 'node:net';
import { SandgateError } from '../spec/index.js';
import { openAddressRanges } from './address-ranges.js';

const LOOPBACK: readonly string[] = ['localhost'];
const LOOPBACK_RANGES = ['127.0.0.0/8', '::1/128'];

/** Nobody's public address: own host, private networks, link-local (and with it cloud metadata), reserved, multicast. */
const isInner =
  openAddressRanges([
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
    ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
    ...[
      'fc00::/7',
      'fe80::/10',
      'fec0::/10',
      'ff00::/8',
      '100::/64',
      '2001:db8::/32',
      '3fff::/20',
      '5f00::/16',
    ],
    // These carry an IPv4 address inside, which may be any of the above: compatible, translated, NAT64, 6to4, Teredo.
    ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
  ]) ?? (() => true);

/**
 * Entries are addresses (`10.1.2.3`), ranges (`10.0.0.0/8`), names (`tpp.example`), names below one
 * (`*.tpp.example`), or `*` for any name. A name alone opens public addresses only: what it leads to is in its
 * owner's hand, so an address that is not public needs a range of its own.
 */
export function createAllowList(entries: readonly string[] = LOOPBACK, option = '--notification-allow') {
  const names = new Set<string>();
  const ranges: string[] = [];
  for (const entry of entries.map(plainHost)) {
    if (entry === 'localhost') {
      names.add(entry);
      ranges.push(...LOOPBACK_RANGES);
    } else if (openAddressRanges([entry]) !== undefined) ranges.push(entry);
    else if (isName(entry)) names.add(entry);
    else throw new SandgateError('config.callback-address', { entry, option });
  }
  const isAllowed = openAddressRanges(ranges) ?? (() => false);
  const isNamed = (host: string) =>
    names.has(host) || names.has('*') || parentsOf(host).some((parent) => names.has(`*.${parent}`));

  return {
    /** Whether the host of a URL is named: by its name, or as an address within a range. */
    hostAllowed: (host: string): boolean => {
      const plain = plainHost(host);
      return isIP(plain) === 0 ? isNamed(plain) : isAllowed(plain);
    },
    /** Whether the address that a host's name led to may be connected to. */
    addressAllowed: (host: string, address: string): boolean => {
      if (isIP(address) === 0) return false;
      if (isAllowed(address)) return true;
      const plain = plainHost(host);
      return isIP(plain) === 0 && isNamed(plain) && !isInner(address);
    },
  };
}

/** Without the brackets of an IPv6 address and the dot that may end a name. */
export function plainHost(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return (bare.endsWith('.') ? bare.slice(0, -1) : bare).toLowerCase();
}

function parentsOf(host: string): string[] {
  const labels = host.split('.').slice(1);
  return labels.map((_, i) => labels.slice(i).join('.'));
}

const NAME = /^(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*)$/;

/** A last label of digits would be read as an IPv4 address by browsers and Node alike. */
function isName(entry: string): boolean {
  return entry.length <= 253 && NAME.test(entry) && !/(?:^|\.)\d+$/.test(entry);
}
