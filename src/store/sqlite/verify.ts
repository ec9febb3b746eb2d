/** Goes along the chain of a session and tells where it is broken. */
import { idOfNumber } from '../../exchange/index.js';
import { type ChainBreak, linkHash } from '../chain.js';
import type { ExchangeRow, Reader } from './reader.js';

/**
 * The breaks in order, found while going on; none for a sound session. The record after a gap cannot be checked,
 * because what its link is made of is gone.
 */
export function* verifyChain(reader: Reader, session: string): IterableIterator<ChainBreak> {
  const kept = reader.sessionRow(session);
  if (kept === undefined) return;
  let previous = kept.base;
  let seq = kept.first - 1;
  let begun = 0;
  // Ends where the session ended at the beginning, although it may be growing meanwhile.
  for (const row of reader.links(kept.id, seq)) {
    const [id, , place, link] = row;
    if (place > kept.last) break;
    const exchange = idOfNumber(Math.abs(id));
    if (place !== seq + 1) {
      yield { kind: 'missing', seq: place, exchange, missing: place - seq - 1 };
    } else if (link !== linkOf(reader, session, previous, row)) {
      yield { kind: 'changed', seq: place, exchange, missing: 0 };
    }
    if (id < 0) begun += 1;
    previous = link;
    seq = place;
  }
  if (seq !== kept.last) yield { kind: 'cut', seq: kept.last, exchange: null, missing: kept.last - seq };
  else if (previous !== kept.head || begun !== kept.begun)
    yield { kind: 'changed', seq, exchange: null, missing: 0 };
}

/** null where a text that it is made of cannot be read any more. */
function linkOf(reader: Reader, session: string, previous: string, row: ExchangeRow): string | null {
  try {
    const texts = reader.textsOf(session, row);
    reader.checkCertificate(row[1], texts);
    return linkHash(previous, row[2], texts, row[0] < 0);
  } catch {
    return null;
  }
}
