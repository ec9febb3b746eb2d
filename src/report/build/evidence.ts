/** What proves that the recording is what was recorded, and in which of three degrees. */
import { timeOfId } from '../../exchange/index.js';
import type { Report } from '../model.js';
import type { EvidenceSource } from '../source.js';

type Evidence = Report['evidence'];

const MOST_BREAKS = 100;

export interface EvidenceParts {
  readonly exchanges: number;
  /** The last exchange of the report; null without any. */
  readonly last: string | null;
  /** Something of an exchange says that no gateway recorded it. */
  readonly isForeign: boolean;
}

/** Goes along the chain: costs as much as reading the session. */
export function gatherEvidence(
  source: EvidenceSource,
  { exchanges, last, isForeign }: EvidenceParts,
): Evidence {
  if (source.kind === 'file') {
    return {
      ...{ level: 'imported', kind: 'file', head: null, last, links: exchanges, entries: 0, end: null },
      ...{ removed: null, gaps: 0, breaks: [], omittedBreaks: 0 },
      sentence:
        'Imported: the recording is a file and holds no chain. The digest ties the report to what was read; nothing shows that it is what was sent and received.',
      fileDigest: source.digest,
    };
  }
  const breaks: Evidence['breaks'] = [];
  let gaps = 0;
  let omittedBreaks = 0;
  for (const { kind, seq, exchange, missing } of source.breaks()) {
    gaps += missing;
    if (breaks.length < MOST_BREAKS) breaks.push({ kind, seq, exchange, missing });
    else omittedBreaks++;
  }
  const { head, links, entries, end, removed } = source;
  const isImported = source.isImported || isForeign;
  const level = isImported ? 'imported' : breaks.length > 0 ? 'broken' : 'consistent';
  const chain = breaks.length === 0 ? null : brokenText(breaks, gaps);
  return {
    ...{ level, kind: 'chain', head, last, links, entries, end: end === '' ? null : end },
    ...{ removed, gaps, breaks, omittedBreaks },
    sentence: [sentenceOf(level, links, chain), ...removedText(removed)].join(' '),
    fileDigest: null,
  };
}

/** `broken`: what is wrong with the chain; null where it is whole. */
function sentenceOf(level: Evidence['level'], links: number, broken: string | null): string {
  if (level === 'imported')
    return `Imported: all ${links} exchanges came out of a file; nothing shows that they are what was sent and received. ${broken ?? 'Their chain is whole since the import.'}`;
  if (broken !== null) return `${broken} This report does not prove what was recorded.`;
  return links === 0
    ? 'Nothing was recorded.'
    : `Consistent in itself: the chain of all ${links} exchanges is whole. Nobody witnessed it: who holds the store could make another one that is as whole.`;
}

function brokenText(breaks: Evidence['breaks'], gaps: number): string {
  const changed = breaks.filter(({ kind }) => kind !== 'missing' && kind !== 'cut').length;
  const parts = [
    ...(gaps === 0 ? [] : [`${gaps} of its entries are missing`]),
    ...(changed === 0 ? [] : [`at ${changed} of its places something was changed afterwards`]),
  ];
  return `The chain is broken: ${parts.join(', ')}.`;
}

function removedText(removed: Evidence['removed']): string[] {
  if (removed === null) return [];
  const { exchanges, from, to } = removed;
  return [
    `Before, ${exchanges} exchanges from ${timeText(from)} to ${timeText(to)} were removed by the gateway, as it is set up to; of them this report says nothing.`,
  ];
}

const timeText = (id: string): string => new Date(timeOfId(id) ?? 0).toISOString();
