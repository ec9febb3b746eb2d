/** The plan of a rerun: what will be sent and what held back, shown before anything is sent. */
import { type Call, type Fingerprint, isPlainRead, redactExchange } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';
import { reasonOfItsOwn } from './reasons.js';
import type { RunParts } from './run.js';
import type { FileRows } from './survey.js';

export interface PlannedCall {
  readonly number: number;
  readonly method: string;
  /** As it was recorded, without secrets. */
  readonly path: string;
  readonly plan: 'send' | 'hold back' | 'skip';
  readonly reason?: string;
}

export const HELD_BACK = 'it writes, and writes go to a bank only with --send-writes';

export async function planCalls(
  records: FileRows,
  { writes, use }: Pick<RunParts, 'writes' | 'use'>,
  fingerprint: Fingerprint,
): Promise<PlannedCall[]> {
  const plan: PlannedCall[] = [];
  let index = 0;
  for await (const { exchange } of records) {
    if (use(index++) === 'leave') continue;
    const { method, path } = redactExchange(exchange, fingerprint).call.request;
    const head = { number: index, method, path };
    const reason = reasonOfItsOwn(exchange);
    if (reason !== null) plan.push({ ...head, plan: 'skip', reason });
    else if (!writes && isWrite(exchange.call)) plan.push({ ...head, plan: 'hold back', reason: HELD_BACK });
    else plan.push({ ...head, plan: 'send' });
  }
  return plan;
}

/** Sent as POST, and yet only a question. */
const QUESTIONS: ReadonlySet<OperationId> = new Set(['funds-confirmations.create']);

/**
 * Creations, cancellations, deletions and authorisations; also what uses up a code or a refresh token: whoever holds
 * the other end of it would be locked out.
 */
export function isWrite(call: Call): boolean {
  return !isPlainRead(call) && !(call.operation !== null && QUESTIONS.has(call.operation));
}
