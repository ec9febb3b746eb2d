/** Looks up where a host is, and whether anything may be sent there. */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Fault } from '../exchange/index.js';
import { plainHost } from './allow-list.js';

/** For a request to a host whose address was checked: its name is not looked up again, so it cannot lead elsewhere by now. */
export const pinnedTo =
  (address: string): LookupFunction =>
  (_host, options, done) => {
    const family = isIP(address);
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };

/** The reason of an abort is the fault that it stands for. */
export function abortFault(signal: AbortSignal): Fault {
  return signal.reason as Fault;
}

type Found = { readonly address: string } | { readonly fault: Fault; readonly final: boolean };

/** The first allowed address of the host. Whatever a name leads to is checked before anything is sent there. */
export async function findAddress(
  url: URL,
  resolve: (host: string) => Promise<readonly string[]>,
  addressAllowed: (host: string, address: string) => boolean,
  signal: AbortSignal,
): Promise<Found> {
  const host = plainHost(url.hostname);
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await within(resolve(host), signal) : [host];
  } catch (error) {
    if (signal.aborted) return { fault: abortFault(signal), final: false };
    const message = `The name ${host} could not be resolved: ${(error as Error).message}`;
    return { fault: { kind: 'dns', message }, final: false };
  }
  const address = addresses.find((one) => addressAllowed(host, one));
  if (address !== undefined) return { address };
  const message = `${host} leads to ${addresses.slice(0, 4).join(', ') || 'no address'}, to which the gateway may send nothing.`;
  return { fault: { kind: 'refused', message }, final: true };
}

export async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

/** The work, or a rejection as soon as the signal aborts. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new Error('aborted'));
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
