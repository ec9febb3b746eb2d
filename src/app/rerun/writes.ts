/** Calls that change something at a bank; sent to a real one only with --send-writes. */
import { type Call, isPlainRead } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';

/** Sent as POST, and yet only a question. */
const QUESTIONS: ReadonlySet<OperationId> = new Set(['funds-confirmations.create']);

/**
 * Creations, cancellations, deletions and authorisations; also what uses up a code or a refresh token: whoever holds
 * the other end of it would be locked out.
 */
export function isWrite(call: Call): boolean {
  return !isPlainRead(call) && !(call.operation !== null && QUESTIONS.has(call.operation));
}
