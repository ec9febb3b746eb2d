/** Connections of a recording: a file tells what TLS said with each call, and equal ones become one value again. */
import type { Connection, TlsFacts } from '../exchange.js';
import { createRecentCache } from '../recent-cache.js';

/** `certificate`: its name in the file. */
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
