/** Reads the connection of a call from a file: URL, TLS and certificate. */
import type { CertificateFacts, CertificateObservation } from '../../certificate/index.js';
import type { Call, Connection, TlsFacts } from '../exchange.js';
import { createRecentCache } from '../recent-cache.js';

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

export type ShareTls = (certificate: string, tls: Connection['tls']) => Connection['tls'];

const REMEMBERED = 1_000;

/** By it and its certificate a judge knows a connection again, and need not judge it at each call. */
export function createSharedTls(): ShareTls {
  const known = createRecentCache<string, TlsFacts>(REMEMBERED);
  return (certificate, tls) => {
    if (tls === null || tls === 'not-observed') return tls;
    const key = `${certificate} ${tls.version} ${tls.cipher} ${tls.resumed}`;
    const same = known.get(key);
    if (same === undefined) known.set(key, tls);
    return same ?? tls;
  };
}

/** undefined where the file holds none of the name. */
export function certificateNamed(
  name: string,
  certificates: Readonly<Record<string, CertificateFacts>>,
): CertificateObservation | undefined {
  if (name === 'absent' || name === 'not-observed') return name;
  return Object.hasOwn(certificates, name) ? certificates[name] : undefined;
}
