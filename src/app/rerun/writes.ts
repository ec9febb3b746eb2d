/** Calls that change something at a bank; sent to a real one only with --send-writes. */
import type { Call } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';

/** Sent as POST, and yet only a question. */
const QUESTIONS: ReadonlySet<OperationId> = new Set(['funds-confirmations.create']);
/** Sent as GET, and yet it may authorise. */
const AUTHORISES: OperationId = 'oauth.authorize';
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Creations, cancellations, deletions and authorisations; also what uses up a code or a refresh token: whoever holds
 * the other end of it would be locked out.
 */
export function isWrite({ operation, request, listener }: Call): boolean {
  if (listener === 'psu' || operation === AUTHORISES) return true;
  return !READS.has(request.method) && !(operation !== null && QUESTIONS.has(operation));
}
