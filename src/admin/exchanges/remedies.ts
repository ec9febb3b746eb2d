/** What to do about a connection that failed, by the cause that its record tells. */
import type { Exchange } from '../../exchange/index.js';
import { faultSide } from '../metrics/fault-side.js';

const REMEDIES: readonly (readonly [cause: RegExp, remedy: string])[] = [
  [/plain HTTP/, 'Call the API listener by an address that begins with https.'],
  [/proxy request/, 'Take the gateway out of the client’s proxy settings: it is called directly, by https.'],
  [
    /does not trust the CA/,
    'Give the client ca.pem of the folder of certificates as a CA: curl --cacert certs/ca.pem.',
  ],
  [
    /does not accept|has expired/,
    'Call the gateway by a name that its certificate has (localhost), with ca.pem as CA.',
  ],
  [/no TLS version|older TLS|another TLS version/, 'Let the client speak TLS 1.2 or 1.3.'],
  [
    /no cipher|nothing in common|no key exchange|signature algorithm/,
    'Let the client offer the usual ciphers and curves of TLS 1.2 or 1.3.',
  ],
  [/holds the key/, 'Give the client the private key that belongs to its certificate.'],
  [/too small|too weak/, 'Have the certificate made anew, with an RSA key of 2048 bits or more and SHA-256.'],
  [
    /too many/,
    'Let the client keep its connections open, and open fewer at a time; or raise --limits-connections.',
  ],
  [/not TLS/, 'Check the port: TPPs call the API listener, browsers the PSU listener.'],
  [
    /closed the connection|not finished in time/,
    'Look in the client’s log: it ended the handshake itself, often because it did not accept the certificate.',
  ],
];

export function handshakeRemedy(cause: string): string {
  const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(cause)) ?? [];
  return remedy ?? 'sandgate doctor looks at certificates, clock and ports.';
}

export const BANK_REMEDY = 'sandgate doctor looks at the way to the bank step by step.';

/** null where nothing failed, or where it was the call and not the way that it came or went. */
export function remedyOf(exchange: Exchange): string | null {
  const { call, fault } = exchange;
  if (fault === null) return null;
  if (call.request.method === '') return handshakeRemedy(fault.message);
  return faultSide(exchange, fault) === 'bank' ? BANK_REMEDY : null;
}
