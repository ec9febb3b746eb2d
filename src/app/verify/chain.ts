/** Checks the chain of the session that a report was made of, and the link that the report names. */
import { removalsAmiss } from '../../evidence/index.js';
import type { Report } from '../../report/index.js';
import { counted } from '../../spec/index.js';
import {
  breakText,
  type ChainBreak,
  type ChainInfo,
  type ChainNote,
  erasedText,
  removedOf,
  type Store,
  type VerifiedLink,
} from '../../store/index.js';
import { createUnfinished } from '../report/witness.js';
import { checked, type Detail } from './check.js';
import { exchangesBehind } from './contents.js';

const MOST = 100;

/**
 * Checks the session from its beginning to its end now. `storeName` is what the user calls the store. It gives at most 100
 * breaks. Where the gateway itself has removed exchanges since the report was made, that cannot be made again.
 */
export async function checkChain(report: Report, store: Store, storeName: string) {
  const { head, last } = report.evidence;
  const { session } = report.head.recording;
  if (session === null || !(await store.sessions()).some(({ name }) => name === session)) {
    const text = `The store ${storeName} holds no session ${session ?? report.head.recording.name}.`;
    return { check: checked('chain', false, text), breaks: [], removedSince: 0, erasedSince: '' };
  }
  const details: Detail[] = [];
  const link = last === null ? null : await store.chains.linkOf(last);
  const chains = await store.chains.of(session);
  const removed = removedOf(chains);
  const removedSince = (removed?.exchanges ?? 0) - (report.evidence.removed?.exchanges ?? 0);
  const isRemoved = link === null && last !== null && removedSince > 0 && last <= (removed?.to ?? '');
  if (link !== head && !isRemoved) {
    const text =
      link === null
        ? `Exchange ${last}, the last of the report, is not in the recording.`
        : `At exchange ${last}, the chain has another hash than the report: ${link}, not ${head}.`;
    details.push({ exchange: last, text });
  }
  const ids = report.appendix.exchanges.map(({ id }) => id);
  const breaks: ChainBreak[] = [];
  const notes = await store.chains.notes(session);
  const then = atReport(report, chains, notes, removedSince);
  const erased = erasedText(notes);
  for await (const one of store.chains.verify(session, { onLink: then.onLink })) {
    breaks.push(one);
    details.push({ exchange: one.exchange, text: breakText(one) + goneText(one, ids) });
    if (breaks.length >= MOST) break;
  }
  for (const one of await removalsAmiss(store, session, () => true))
    details.push({ exchange: null, text: breakText(one) });
  if (breaks.length === 0) details.push(...then.details());
  const sound = details.length === 0;
  const text = sound
    ? `The chain of ${session} is whole, and its hash at exchange ${last ?? '(none)'} is that of the report.`
    : `The chain of ${session} is not that of the report.`;
  return {
    check: checked(
      'chain',
      sound,
      `${text}${removedText(removedSince, removed)}${erased === '' ? '' : ` ${erased}`}`,
      details,
    ),
    breaks,
    removedSince,
    erasedSince: erasedText(notes.filter((note) => !then.isThen(note))),
  };
}

function removedText(since: number, removed: ReturnType<typeof removedOf>): string {
  if (removed === null) return '';
  const lately = since > 0 ? `, ${since} of them since the report was made` : '';
  return ` The gateway itself removed ${counted(removed.exchanges, 'exchange')} of it, ${removed.from} to ${removed.to}${lately}.`;
}

/** Where the chains were when the report was made: their hashes there, and how many notes there were. */
function atReport(
  report: Report,
  chains: readonly ChainInfo[],
  chainNotes: readonly ChainNote[],
  removedSince: number,
) {
  const { evidence, head, recipe } = report;
  const told = exchangesBehind(report);
  const only = { store: chains[0]?.store ?? '', entries: evidence.entries, head: evidence.end };
  const ends = evidence.chains.length === 0 ? [only] : evidence.chains;
  const entriesOf = new Map(ends.map(({ store, entries }) => [store, entries]));
  const isThen = ({ store, seq }: { readonly store: string; readonly seq: number }) =>
    seq <= (entriesOf.get(store) ?? 0);
  const own = chainNotes.filter(isThen).length;
  const found = new Map<string, string>();
  let notes = 0;
  let exchanges = 0;
  const open = createUnfinished();
  return {
    isThen,
    onLink: (link: VerifiedLink): void => {
      if (isThen(link)) {
        if (link.exchange === null) notes += 1;
        else if (!link.isBegun) exchanges += 1;
        open.see(link);
      }
      if (link.seq === entriesOf.get(link.store)) found.set(link.store, link.link);
    },
    details: (): Detail[] => {
      const others = ends.filter(({ store, entries, head: hash }) => {
        const { removed = null } = chains.find((chain) => chain.store === store) ?? {};
        const isRemoved = !found.has(store) && entries <= (removed?.through ?? 0);
        return !isRemoved && (found.get(store) ?? null) !== hash;
      });
      const held = notes - own;
      const toldNotes = head.changes.length;
      const count = exchanges + open.ids.size;
      const unfinished = new Set(recipe.unfinished);
      const left = [...open.ids].filter((id) => !unfinished.has(id));
      return [
        ...others.map(({ entries }) => `At entry ${entries}, the chain has another hash than the report.`),
        ...(held === toldNotes || evidence.end === null
          ? []
          : [
              `The session held ${counted(held, 'note')} of its settings when the report was made; the report tells ${toldNotes}.`,
            ]),
        ...(removedSince > 0 || count === told
          ? []
          : [
              `The session held ${counted(count, 'exchange')} when the report was made; the report tells ${told}.`,
            ]),
        ...left.map((id) => `Exchange ${id} had no end when the report was made; the report leaves it out.`),
      ].map((text) => ({ exchange: null, text }));
    },
  };
}

function goneText({ kind, exchange, missing }: ChainBreak, ids: readonly string[]): string {
  if (kind !== 'missing' || exchange === null) return '';
  const gone = ids.slice(Math.max(0, ids.indexOf(exchange) - missing), ids.indexOf(exchange));
  return gone.length === 0 || gone.length > 5 ? '' : ` By the report ${gone.join(', ')}.`;
}
