/** The evidence in a report: how far it is proven that the recording is unchanged. */

import { timeOfId } from '../../exchange/index.js';
import { counted, plural } from '../../spec/index.js';
import type { ChainBreak } from '../../store/index.js';
import type { Report } from '../model.js';
import type { EvidenceSource } from '../source.js';

type Evidence = Report['evidence'];

const MOST_BREAKS = 100;

export function collectBreaks() {
  const breaks: Evidence['breaks'] = [];
  const found = { breaks, gaps: 0, omittedBreaks: 0 };
  return {
    found,
    take: ({ kind, seq, exchange, missing }: ChainBreak): void => {
      found.gaps += missing;
      if (breaks.length < MOST_BREAKS) breaks.push({ kind, seq, exchange, missing });
      else found.omittedBreaks++;
    },
  };
}

const NO_CHAIN = {
  head: null,
  entries: 0,
  end: '',
  chains: [],
  removed: null,
  witness: null,
} as const;

interface Reached {
  readonly exchanges: number;
  readonly last: string | null;
  readonly isForeign: boolean;
  /** The report is about one TPP of several. */
  readonly isPart: boolean;
}

const OF_ALL = 'This is about the whole recording, of which the report shows the part of one TPP.';

export function gatherEvidence(
  source: EvidenceSource,
  { exchanges, last, isForeign, isPart }: Reached,
  { breaks, gaps, omittedBreaks }: ReturnType<typeof collectBreaks>['found'],
): Evidence {
  const isFile = source.kind === 'file';
  const chain = isFile ? { ...NO_CHAIN, links: exchanges, isImported: true } : source;
  const { head, links, entries, end, chains, removed, witness } = chain;
  const isImported = chain.isImported || isForeign;
  const wrong = breaks.length === 0 ? contradicted(witness) : brokenText(breaks, gaps);
  const level = wrong !== null ? 'broken' : isImported ? 'imported' : levelOf(witness);
  const sentence = isFile ? OF_FILE : sentenceOf(level, isImported, links, wrong, witness);
  return {
    level,
    kind: source.kind,
    head,
    last,
    links,
    entries,
    end: end === '' ? null : end,
    chains: [...chains],
    removed,
    witness,
    gaps,
    breaks,
    omittedBreaks,
    sentence: [sentence, ...removedText(removed), ...(isPart ? [OF_ALL] : [])].join(' '),
    fileDigest: isFile ? source.digest : null,
  };
}

const OF_FILE =
  'Imported: the recording is a file without a chain. The digest ties the report to this file; nothing proves that it is what was sent and received.';

function levelOf(witness: Evidence['witness']): Evidence['level'] {
  if (witness === null) return 'consistent';
  const left = witness.left + (witness.notes?.left ?? 0) + (witness.stamps?.wanting ?? 0);
  return left === 0 ? 'witnessed' : 'consistent';
}

function contradicted(witness: Evidence['witness']): string | null {
  if (witness === null || witness.differing === 0) return null;
  return `The chain is not the one that the gateway signed: ${counted(witness.differing, 'checkpoint does', 'checkpoints do')} not match.`;
}

function witnessText(
  level: Evidence['level'],
  links: number,
  { key, checkpoints, exchanges, left, notes, from, to, stamps = null }: NonNullable<Evidence['witness']>,
): string {
  const isAmiss = stamps !== null && stamps.wanting > 0;
  const times = from === to ? `of ${from}` : `from ${from} to ${to}`;
  const signed = `the key ${key.slice(0, 16)}… signed the chain${isAmiss ? '' : ' while it was recorded'}, in ${counted(checkpoints, 'checkpoint')} ${times}.${stampText(stamps, checkpoints)}`;
  if (level === 'witnessed')
    return `Witnessed${stamps?.shown === checkpoints ? ', and time-stamped' : ''}: ${signed} ${links === 1 ? 'The one exchange is as it was recorded.' : `All ${links} exchanges are as they were recorded, in their order.`}`;
  const others = left === 0 ? '' : `; for ${counted(left, 'other')} there is only the chain`;
  return left === 0 && notes === undefined
    ? `Consistent in itself: ${signed}`
    : `Consistent in itself, and witnessed in part: ${signed} ${checkpoints === 1 ? 'It covers' : 'They cover'} ${counted(exchanges, 'record')}${others}.${notesText(notes)}`;
}

export function notesText(notes: NonNullable<Evidence['witness']>['notes']): string {
  if (notes === undefined) return '';
  const { left, first } = notes;
  const places = first.map(({ kind, entry }) => `${kind} (entry ${entry})`).join(', ');
  const more = left > first.length ? ` and ${left - first.length} more` : '';
  return ` No checkpoint covers ${counted(left, 'note')}: ${places}${more}. Whoever holds the store could have written ${plural(left, 'it', 'them')}.`;
}

function stampText(stamps: NonNullable<Evidence['witness']>['stamps'], checkpoints: number): string {
  if (stamps === null) return '';
  const { authorities, shown, unchecked, wanting } = stamps;
  const which = shown === checkpoints ? '' : `${shown} of `;
  const parts = [
    ...(shown === 0
      ? []
      : [`Time stamps of ${authorities.join('; ')} show that ${which}these were made then.`]),
    ...(wanting === 0
      ? []
      : [`No sound time stamp shows when ${wanting} of them ${plural(wanting, 'was', 'were')} made.`]),
    ...(unchecked === 0 ? [] : [`Time stamps of ${unchecked} of them were not checked.`]),
  ];
  return ` ${parts.join(' ')}`;
}

const allOf = (links: number): string => (links === 1 ? 'the one exchange' : `all ${links} exchanges`);

/** `broken`: what is wrong with the chain; null where it is whole. */
function sentenceOf(
  level: Evidence['level'],
  isImported: boolean,
  links: number,
  broken: string | null,
  witness: Evidence['witness'],
): string {
  if (isImported)
    return `Imported: ${allOf(links)} ${plural(links, 'was', 'were')} read from a file; nothing proves that ${plural(links, 'it is', 'they are')} what was sent and received. ${broken ?? 'The chain is whole since the import.'}`;
  if (broken !== null) return `${broken} This report does not prove what was recorded.`;
  if (links === 0) return 'Nothing was recorded.';
  if (witness !== null) return witnessText(level, links, witness);
  return `Consistent in itself: the chain of ${allOf(links)} is whole. Nobody witnessed it: whoever holds the store could make another chain that is just as whole.`;
}

const GONE: ReadonlySet<string> = new Set<ChainBreak['kind']>(['missing', 'cut', 'chain', 'removed']);

function brokenText(breaks: Evidence['breaks'], gaps: number): string {
  const changed = breaks.filter(({ kind }) => !GONE.has(kind)).length;
  const parts = [
    ...(gaps === 0 ? [] : [`${gaps} of its entries ${plural(gaps, 'is', 'are')} missing`]),
    ...(changed === 0 ? [] : [`at ${changed} of its places something was changed afterwards`]),
  ];
  return `The chain is broken: ${parts.join(', ')}.`;
}

function removedText(removed: Evidence['removed']): string[] {
  if (removed === null) return [];
  const { exchanges, from, to, unwitnessed } = removed;
  if (unwitnessed)
    return [
      `A note says that the gateway removed ${counted(exchanges, 'exchange')} before, from ${timeText(from)} to ${timeText(to)}. No checkpoint covers this note: anybody who holds the store may have removed ${plural(exchanges, 'it', 'them')}.`,
    ];
  return [
    `Before, ${counted(exchanges, 'exchange')} from ${timeText(from)} to ${timeText(to)} ${plural(exchanges, 'was', 'were')} removed by the gateway, as configured; this report says nothing about ${plural(exchanges, 'it', 'them')}.`,
  ];
}

const timeText = (id: string): string => new Date(timeOfId(id) ?? 0).toISOString();
