/** The chain of the session that a report was made of, and the link that the report names. */
import type { Report } from '../../report/index.js';
import { breakText, type ChainBreak, type Store } from '../../store/index.js';
import { type Check, checked, type Detail } from './check.js';

const MOST = 100;

export interface CheckedChain {
  readonly check: Check;
  /** At most 100. */
  readonly breaks: readonly ChainBreak[];
}

/** From the beginning of the session to its end now. `storeName` is what the user calls the store. */
export function checkChain(report: Report, store: Store, storeName: string): CheckedChain {
  const { head, last } = report.evidence;
  const { session } = report.head.recording;
  if (session === null || !store.sessions().some(({ name }) => name === session)) {
    const text = `The store ${storeName} holds no session ${session ?? report.head.recording.name}.`;
    return { check: checked('chain', false, text), breaks: [] };
  }
  const details: Detail[] = [];
  const link = last === null ? null : store.linkOf(last);
  if (link !== head) {
    const text =
      link === null
        ? `Exchange ${last}, the last of the report, is not in the recording.`
        : `The chain has another hash at exchange ${last} than the report says: ${link}, not ${head}.`;
    details.push({ exchange: last, text });
  }
  const ids = report.appendix.exchanges.map(({ id }) => id);
  const breaks: ChainBreak[] = [];
  for (const one of store.verifyChain(session)) {
    breaks.push(one);
    details.push({ exchange: one.exchange, text: breakText(one) + goneText(one, ids) });
    if (breaks.length >= MOST) break;
  }
  const sound = details.length === 0;
  const text = sound
    ? `The chain of ${session} is whole, and its hash at exchange ${last ?? '(none)'} is that of the report.`
    : `The chain of ${session} is not that of the report.`;
  return { check: checked('chain', sound, text, details), breaks };
}

/** Those that are gone, by the report. */
function goneText({ kind, exchange, missing }: ChainBreak, ids: readonly string[]): string {
  if (kind !== 'missing' || exchange === null) return '';
  const gone = ids.slice(Math.max(0, ids.indexOf(exchange) - missing), ids.indexOf(exchange));
  return gone.length === 0 || gone.length > 5 ? '' : ` By the report ${gone.join(', ')}.`;
}
