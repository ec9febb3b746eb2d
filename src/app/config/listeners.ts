/** Checks the three listeners together: different addresses, and plain HTTP on loopback only. */
import { SandgateError } from '../../spec/index.js';
import type { Config } from './config.js';
import { type Address, isLoopback } from './values.js';

export function checkListeners(config: Config): void {
  const { listen, psuListen, adminListen } = config;
  if (config.adminToken === undefined && config.adminTokenFile === undefined && !isLoopback(adminListen.host))
    throw new SandgateError('config.open-admin', { address: textOf(adminListen) });
  if (config.psuHttp && !isLoopback(psuListen.host))
    throw new SandgateError('config.open-psu-http', { host: psuListen.host });
  const all = [
    ['--listen', listen],
    ['--psu-listen', psuListen],
    ['--admin-listen', adminListen],
  ] as const;
  for (const [i, [flag, address]] of all.entries())
    for (const [before, taken] of all.slice(0, i))
      if (isSame(address, taken))
        throw new SandgateError('config.same-address', {
          one: `${before} ${textOf(taken)}`,
          other: `${flag} ${textOf(address)}`,
        });
}

const textOf = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** A listener on all addresses of the machine has the port on each of them. */
function isSame(one: Address, other: Address): boolean {
  if (one.port === 0 || one.port !== other.port) return false;
  const [a, b] = [nameOf(one), nameOf(other)];
  return a === b || a === ANY || b === ANY;
}

const ANY = 'any';

function nameOf({ host }: Address): string {
  if (host === '0.0.0.0' || host === '::') return ANY;
  return host === 'localhost' ? '127.0.0.1' : host;
}
