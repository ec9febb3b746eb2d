/** Checks the three listeners together: different addresses, and plain HTTP on loopback only. */
import type { Config } from './config.js';
import { type Address, isLoopback } from './config-values.js';

/** `refuse` is told a sentence for the user, and throws. */
export function checkListeners(config: Config, refuse: (message: string) => never): void {
  const { listen, psuListen, adminListen } = config;
  if (config.adminToken === undefined && config.adminTokenFile === undefined && !isLoopback(adminListen.host))
    refuse(
      `--admin-listen ${textOf(adminListen)}: without --admin-token the admin listener takes loopback addresses only; name one, or give a token.`,
    );
  if (config.psuHttp && !isLoopback(psuListen.host))
    refuse(`--psu-http: plain HTTP is for loopback addresses only, not for ${psuListen.host}.`);
  const all = [
    ['--listen', listen],
    ['--psu-listen', psuListen],
    ['--admin-listen', adminListen],
  ] as const;
  for (const [i, [flag, address]] of all.entries())
    for (const [before, taken] of all.slice(0, i))
      if (isSame(address, taken))
        refuse(
          `${before} ${textOf(taken)} and ${flag} ${textOf(address)} are the same address: give each listener a port of its own.`,
        );
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
