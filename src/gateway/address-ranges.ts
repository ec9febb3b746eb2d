/** Addresses and ranges of them, as people write them: `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`. */
import { BlockList, isIP, isIPv6 } from 'node:net';

/** undefined where an entry is none. */
export function openAddressRanges(entries: readonly string[]): ((address: string) => boolean) | undefined {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...more] = entry.split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (family === 0 || more.length > 0 || length < 0 || length > longest) return undefined;
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => {
    const [plain = ''] = address.split('%');
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  };
}

/** A limit by address counts an IPv6 network of 64 bits as one address: a single client may use all of it. */
export function addressBlock(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain) || plain.startsWith('::ffff:')) return address;
  const [before = '', after] = plain.split('::');
  const groups = before === '' ? [] : before.split(':');
  // Whatever follows the gap, the first four groups end within it or before it.
  const behind = after === undefined || after === '' ? [] : after.split(':');
  if (after !== undefined) while (groups.length + behind.length < 8) groups.push('0');
  const network = [...groups, ...behind].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
