/** The URL at which a call was made: what comes before its target. */
import type { Call } from '../exchange.js';

/** `https://api.bank.example/sandbox`, without a slash at its end; undefined where nothing usable says it. */
export function calledAt({ connection, header }: Pick<Call, 'connection' | 'header'>): string | undefined {
  if (connection.bank !== undefined) return connection.bank;
  const { host } = header;
  if (host === undefined || /[/?#\s]/.test(host)) return undefined;
  return `${connection.tls === null ? 'http' : 'https'}://${host}`;
}

/** The same without a path; undefined where it is no address. */
export function calledOrigin(call: Pick<Call, 'connection' | 'header'>): string | undefined {
  const address = calledAt(call);
  return address === undefined ? undefined : originAt(address);
}

export function originAt(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** The same of the bank; undefined of a notification, which goes to the TPP. */
export function bankOrigin(call: Call): string | undefined {
  return call.direction === 'to-tpp' ? undefined : calledOrigin(call);
}
