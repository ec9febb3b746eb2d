/**
 * The hash chain of a session: one sequence of entries, exchanges and notes alike, each linked to the one before it by
 * a hash over all that it says. Its first entry is the note `created`.
 */

import { hash } from 'node:crypto';
import { counted } from '../spec/index.js';
import type { RecordTexts } from './record-codec.js';
import type { SharedText } from './shared-text.js';

/** A place where a session is not as it was recorded. */
export interface ChainBreak {
  /**
   * `changed`: the entry, or its place in the order, or the entry before it with its link, is another than was
   * recorded, or it cannot be read. `missing`: entries are gone before it. `cut`: entries are gone at the end.
   * `added`: an entry at a place where nothing was recorded, or something else. `beginning`: the session does not
   * begin with the record of itself, or with that of another one. `session`: what the store says of the session
   * beside its entries (times, counts, end) is not what follows from them.
   * `disturbed`: the gateway found the session otherwise than it had left it, and noted so here.
   * `chain`: another chain of the session names one that is gone, or was longer, or another one.
   * `erased`: the content of an exchange cannot be read any more, because its key is gone, and no note says that it was erased.
   * `removed`: exchanges are gone by a note on their removal, and no retention that the session notes explains it.
   */
  readonly kind:
    | 'changed'
    | 'missing'
    | 'cut'
    | 'added'
    | 'beginning'
    | 'session'
    | 'disturbed'
    | 'chain'
    | 'erased'
    | 'removed';
  /** Place in the session, from 1; for `cut` the last one that should be there, 0 where it is about no entry. */
  readonly seq: number;
  /** null where it is about no exchange. */
  readonly exchange: string | null;
  /** Kind of the note that it is about, where it is about one. */
  readonly note?: string;
  /** How many entries are gone. */
  readonly missing: number;
}

/** One sentence on a break, for people. */
export function breakText({ kind, seq, exchange, note, missing }: ChainBreak): string {
  const entry =
    exchange !== null
      ? `exchange ${exchange}`
      : note !== undefined
        ? `the note “${note}” (entry ${seq})`
        : `entry ${seq}`;
  const said = SENTENCES[kind](entry, missing);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

const SENTENCES: Readonly<Record<ChainBreak['kind'], (entry: string, missing: number) => string>> = {
  changed: (entry) => `${entry} is not as it was recorded, or what comes before it is not.`,
  missing: (entry, missing) => `${counted(missing, 'entry is', 'entries are')} gone before ${entry}.`,
  cut: (_, missing) => `${counted(missing, 'entry is', 'entries are')} gone at the end of the session.`,
  added: (entry) => `${entry} is at a place where the gateway recorded nothing, or something else.`,
  beginning: () => 'the record of the beginning of the session is gone, or is not that of this session.',
  session: () =>
    'what the store says of the session as a whole (times, counts, end) does not follow from its entries.',
  chain: (_, missing) =>
    `a chain of the session is gone, or is not as another one saw it when it had ${counted(missing, 'entry', 'entries')}.`,
  erased: (entry) => `the key to the content of ${entry} is gone, and no note says that it was erased.`,
  removed: (entry, missing) =>
    `${entry} says that ${counted(missing, 'exchange was', 'exchanges were')} removed, which does not follow from the retention that the gateway was set up for.`,
  disturbed: (entry) =>
    `before ${entry}, somebody else had changed the session: the gateway did not find it as it had left it.`,
};

/**
 * The link of an exchange: SHA-256, base64url. `previous` is the link before it, empty for the first entry of a
 * session. A beginning never passes for an exchange. The certificate's facts are in by their digest, which is a part
 * of the shape.
 */
export function exchangeLink(previous: string, seq: number, texts: RecordTexts, isBegun: boolean): string {
  const { id, session, own, shape, verdicts, findings, requestBody, answerBody } = texts;
  const place = `${previous}\n${seq}\n${isBegun ? '-' : ''}${id}\n${session.length}:${session}`;
  const shared = `${seal(shape)}\n${seal(verdicts)}\n${seal(findings)}\n${seal(requestBody)}\n${seal(answerBody)}`;
  return hash('sha256', `exchange\n${place}\n${own.length}:${own}\n${shared}`, 'base64url');
}

/**
 * Stands for an entry whose content was erased: over its link, the link before it, and what stays, as its own link is over
 * all of it. Whoever changes one of them is found, as before.
 */
export const erasedDigest = (
  previous: string,
  link: string,
  linkOver: (previous: string) => string,
): string => linkOver(`${previous} ${link}`);

/** A note as it is kept. */
export interface NoteTexts {
  readonly session: string;
  /** Epoch ms. */
  readonly at: number;
  readonly kind: string;
  /** JSON. */
  readonly settings: string;
}

/** The link of a note. */
export function noteLink(previous: string, seq: number, { session, at, kind, settings }: NoteTexts): string {
  return hash(
    'sha256',
    `note\n${previous}\n${seq}\n${at}\n${kind.length}:${kind}\n${session.length}:${session}\n${settings}`,
    'base64url',
  );
}

/** Long texts go in by their digest, short ones as they are; the first sign tells which, so that none passes for another. */
function seal(shared: SharedText | null): string {
  if (shared === null) return '-';
  return shared.digest === '' ? `=${shared.text.length}:${shared.text}` : `#${shared.digest}`;
}

/** Links are kept as base64url and shown as hex. */
export const hexOf = (link: string): string => Buffer.from(link, 'base64url').toString('hex');
