/** Addresses and ranges of them, as people write them: `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`. */
import { BlockList, isIP } from 'node:net';

/** Tells whether an address is within one of the ranges; undefined where an entry is no range. */
export function openAddressRanges(entries: readonly string[]): ((address: string) => boolean) | undefined {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...more] = entry.split('/');
    const isNew = address.includes(':');
    const longest = isNew ? 128 : 32;
    const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (address.includes('%') || more.length > 0 || length < 0 || length > longest) return undefined;
    try {
      // Not `isIP`: asking it of the first address that is not IPv4 takes 5 ms of a start.
      list.addSubnet(address, length, isNew ? 'ipv6' : 'ipv4');
    } catch {
      return undefined;
    }
  }
  // An IPv4 address in IPv6 clothes (`::ffff:7f00:1`) is checked as what it is.
  return (address) => {
    const [plain = ''] = address.split('%');
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  };
}
