/** What proves that the recording is as it was recorded. */
import type { Report } from '../model.js';
import type { EvidenceSource } from '../source.js';

type Evidence = Report['evidence'];

const MOST_BREAKS = 100;

/** Goes along the chain: costs as much as reading the session. */
export function gatherEvidence(source: EvidenceSource, exchanges: number, last: string | null): Evidence {
  if (source.kind === 'file') {
    return {
      ...{ kind: 'file', head: null, last, links: exchanges, gaps: 0, breaks: [], omittedBreaks: 0 },
      sentence:
        'The recording is a file and holds no chain: only the digest ties the report to what was read.',
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
  return {
    ...{ kind: 'chain', head: source.head, last, links: source.links, gaps, breaks, omittedBreaks },
    sentence: sentenceOf(source.links, breaks, gaps),
    fileDigest: null,
  };
}

function sentenceOf(links: number, breaks: Evidence['breaks'], gaps: number): string {
  if (breaks.length === 0) {
    return links === 0
      ? 'Nothing was recorded.'
      : `The chain is whole: all ${links} exchanges are as they were recorded, in their order.`;
  }
  const changed = breaks.filter(({ kind }) => kind !== 'missing' && kind !== 'cut').length;
  const parts = [
    ...(gaps === 0 ? [] : [`${gaps} exchanges are missing`]),
    ...(changed === 0 ? [] : [`${changed} are not as they were recorded`]),
  ];
  return `The chain is broken: ${parts.join(', ')}. This report does not prove what was recorded.`;
}
