/** The hash chain of a session: each link is over the one before it and the whole record. */
import { hash } from 'node:crypto';
import type { RecordTexts } from './record-texts.js';
import type { SharedText } from './shared-text.js';

/** A place where a session is not as it was recorded. */
export interface ChainBreak {
  /**
   * `changed`: the record, or its place in the order, is another than was recorded. `missing`: records are gone
   * before it. `cut`: records are gone at the end.
   */
  readonly kind: 'changed' | 'missing' | 'cut';
  /** Place in the session, from 1; for `cut` the last one that should be there. */
  readonly seq: number;
  /** null for `cut`. */
  readonly exchange: string | null;
  /** How many records are gone. */
  readonly missing: number;
}

/** SHA-256, base64url. `previous` is empty for the first record of a session. A beginning never passes for an exchange. */
export function linkHash(previous: string, seq: number, texts: RecordTexts, isBegun = false): string {
  const { id, session, own, shape, verdicts, findings, requestBody, answerBody } = texts;
  return hash(
    'sha256',
    `${previous}\n${seq}\n${isBegun ? '-' : ''}${id}\n${session.length}:${session}\n${own.length}:${own}\n${seal(shape)}\n${seal(
      verdicts,
    )}\n${seal(findings)}\n${seal(requestBody)}\n${seal(answerBody)}`,
    'base64url',
  );
}

/** Long texts go in by their digest, short ones as they are; the first sign tells which, so that none passes for another. */
function seal(shared: SharedText | null): string {
  if (shared === null) return '-';
  return shared.digest === '' ? `=${shared.text.length}:${shared.text}` : `#${shared.digest}`;
}
