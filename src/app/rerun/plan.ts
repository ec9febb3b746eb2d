/** The plan of a rerun: what will be sent and what held back, shown before anything is sent. */
import { type Fingerprint, redactExchange } from '../../exchange/index.js';
import { reasonOfItsOwn } from './reasons.js';
import type { RunParts } from './run.js';
import type { FileRows } from './survey.js';
import { isWrite } from './writes.js';

export interface PlannedCall {
  /** From 1, in the order of the recording. */
  readonly number: number;
  readonly method: string;
  /** As it was recorded, without secrets. */
  readonly path: string;
  readonly plan: 'send' | 'hold back' | 'skip';
  readonly reason?: string;
}

export const HELD_BACK = 'it writes, and writes go to a bank only with --send-writes';

export interface PlanParts {
  /** Whether what changes something is sent. */
  readonly writes: boolean;
  readonly use: RunParts['use'];
  readonly fingerprint: Fingerprint;
}

export async function planCalls(
  records: FileRows,
  { writes, use, fingerprint }: PlanParts,
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
