/** What proves that the recording is what was recorded, and in which of three degrees. */
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
      ...{ level: 'imported', kind: 'file', head: null, last, links: exchanges },
      ...{ gaps: 0, breaks: [], omittedBreaks: 0 },
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
  const level = levelOf(source.isImported || isForeign, breaks.length > 0);
  return {
    ...{ level, kind: 'chain', head: source.head, last, links: source.links, gaps, breaks, omittedBreaks },
    sentence: sentenceOf(level, source.links, breaks, gaps),
    fileDigest: null,
  };
}

function levelOf(isImported: boolean, isBroken: boolean): Evidence['level'] {
  if (isBroken) return 'broken';
  return isImported ? 'imported' : 'consistent';
}

function sentenceOf(
  level: Evidence['level'],
  links: number,
  breaks: Evidence['breaks'],
  gaps: number,
): string {
  if (level === 'broken') return brokenText(breaks, gaps);
  if (links === 0) return 'Nothing was recorded.';
  return level === 'imported'
    ? `Imported: all ${links} exchanges came out of a file. Their chain is whole since the import; nothing shows that they are what was sent and received.`
    : `Consistent in itself: the chain of all ${links} exchanges is whole. Nobody witnessed it: who holds the store could make another one that is as whole.`;
}

function brokenText(breaks: Evidence['breaks'], gaps: number): string {
  const changed = breaks.filter(({ kind }) => kind !== 'missing' && kind !== 'cut').length;
  const parts = [
    ...(gaps === 0 ? [] : [`${gaps} exchanges are missing`]),
    ...(changed === 0 ? [] : [`${changed} were changed after they were recorded`]),
  ];
  return `The chain is broken: ${parts.join(', ')}. This report does not prove what was recorded.`;
}
