/** Addresses and ranges of them, as people write them: `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`. */
import { BlockList, isIP } from 'node:net';

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
