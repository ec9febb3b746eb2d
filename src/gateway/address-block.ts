/** Addresses as a limit counts them. */
import { isIPv6 } from 'node:net';

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
