/** Whose transport failure it was, and what to do about it, by the cause that its record tells. */
import type { Exchange, Fault } from '../../exchange/index.js';

/** `callback`: the TPP's endpoint for notifications did not answer. */
type FaultSide = 'client' | 'bank' | 'callback' | 'gateway';

/** Only a client can cause them. */
const OF_CLIENTS: ReadonlySet<Fault['kind']> = new Set(['handshake', 'unparseable', 'client-gone']);

/** Tells whose transport failure it was, so that what clients do does not wake the operator. */
export function faultSide({ call, answer }: Exchange, { kind }: Fault): FaultSide {
  if (kind === 'internal') return 'gateway';
  if (call.direction === 'to-tpp') return 'callback';
  if (OF_CLIENTS.has(kind) || answer === null) return 'client';
  // A bank's answer that broke off in the middle keeps its status.
  if (answer.source === 'upstream') return 'bank';
  if (answer.status < 500) return 'client';
  // 503 with `refused`: none of the configured sources has an answer; a bank that refuses is a 502.
  return kind === 'refused' && answer.status === 503 ? 'gateway' : 'bank';
}

const REMEDIES: readonly (readonly [cause: RegExp, remedy: string])[] = [
  [/plain HTTP/, 'Call the API listener by an address that begins with https.'],
  [/proxy request/, 'Take the gateway out of the client’s proxy settings: it is called directly, by https.'],
  [
    /browser .*(does not trust|does not accept)/,
    'The browser does not trust certs/ca.pem: import it into the browser as a CA, or go past its warning.',
  ],
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
  return remedy ?? 'Look in the client’s log: it tells its side of the handshake.';
}

const BODY_REMEDY =
  'Send a smaller body, or raise --limits-body of the gateway. The bank was not asked, and may have another limit.';

export const BANK_REMEDY = 'sandgate doctor looks at the way to the bank step by step.';

/** null where nothing failed, or where it was the call and not the way that it came or went. */
export function remedyOf(exchange: Exchange): string | null {
  const { call, fault } = exchange;
  if (fault === null) return null;
  if (call.request.method === '') return handshakeRemedy(fault.message);
  if (exchange.answer?.source === 'gateway' && exchange.answer.status === 413) return BODY_REMEDY;
  return faultSide(exchange, fault) === 'bank' ? BANK_REMEDY : null;
}
