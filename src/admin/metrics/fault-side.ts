/** Tells whose transport failure it was, so that what clients do does not wake the operator. */
import type { Exchange, Fault } from '../../exchange/index.js';

/** `callback`: the TPP's endpoint for notifications did not answer. */
type FaultSide = 'client' | 'bank' | 'callback' | 'gateway';

/** Only a client can cause them. */
const OF_CLIENTS: ReadonlySet<Fault['kind']> = new Set(['handshake', 'unparseable', 'client-gone']);

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
