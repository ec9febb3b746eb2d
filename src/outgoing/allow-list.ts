/**
 * Hosts and addresses to which it may be sent what others chose the address of, so that a caller cannot make the gateway
 * call anywhere.
 */
import { BlockList, isIP } from 'node:net';
import { SandgateError } from '../spec/index.js';

const LOOPBACK: readonly string[] = ['localhost'];
const LOOPBACK_RANGES = ['127.0.0.0/8', '::1/128'];

/** Nobody's public address: own host, private networks, link-local (and with it cloud metadata), reserved, multicast. */
const NOT_PUBLIC = createRanges([
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
]);

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
    } else if (isRange(entry)) ranges.push(entry);
    else if (isName(entry)) names.add(entry);
    else throw new SandgateError('config.callback-address', { entry, option });
  }
  const allowed = createRanges(ranges);
  const isNamed = (host: string) =>
    names.has(host) || names.has('*') || parentsOf(host).some((parent) => names.has(`*.${parent}`));

  return {
    /** Whether the host of a URL is named: by its name, or as an address within a range. */
    hostAllowed: (host: string): boolean => {
      const plain = plainHost(host);
      return isIP(plain) === 0 ? isNamed(plain) : contains(allowed, plain);
    },
    /** Whether the address that a host's name led to may be connected to. */
    addressAllowed: (host: string, address: string): boolean => {
      if (isIP(address) === 0) return false;
      if (contains(allowed, address)) return true;
      const plain = plainHost(host);
      return isIP(plain) === 0 && isNamed(plain) && !contains(NOT_PUBLIC, address);
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

function isRange(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Skips empty lists: asking `isIP` of the first address that is not IPv4 takes 5 ms of a start. */
function createRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/** An IPv4 address in IPv6 clothes (`::ffff:7f00:1`) is checked as what it is. */
function contains(list: BlockList, address: string): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
