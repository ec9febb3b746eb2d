/** What is counted of each exchange, however many come: little, at hand, and nothing of its bodies. */
import type { Exchange } from '../../exchange/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { faultSide } from '../metrics/fault-side.js';

export interface Seen extends Pick<Exchange['call'], 'at' | 'tpp' | 'certificate'> {
  readonly exchange: string;
  readonly findings: RecordedExchange['findings'];
  readonly handshake: string | null;
  /** Whether the bank answered; null where it was not asked. */
  readonly bank: { readonly answered: boolean; readonly text: string } | null;
}

export function seenOf({ exchange, findings }: RecordedExchange): Seen {
  const { call, fault } = exchange;
  const { id, at, tpp, certificate } = call;
  const handshake = fault?.kind === 'handshake' ? fault.message : null;
  return { exchange: id, at, tpp, certificate, findings, handshake, bank: bankOf(exchange) };
}

const ANSWERED: Seen['bank'] = { answered: true, text: '' };

function bankOf(exchange: Exchange): Seen['bank'] {
  const { answer, fault } = exchange;
  if (fault !== null && faultSide(exchange, fault) === 'bank')
    return { answered: false, text: fault.message };
  return answer?.source === 'upstream' ? ANSWERED : null;
}
