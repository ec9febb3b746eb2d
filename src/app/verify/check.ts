/** The checks of `sandgate verify`, and the exit status that follows from them. */
import type { Format } from '../../report/index.js';

export interface Check {
  /** Another file of the report is named by its format. */
  readonly what:
    | 'archive'
    | 'files'
    | 'seal'
    | 'signature'
    | 'chain'
    | 'checkpoints'
    | 'time stamps'
    | 'contents'
    | Format
    | 'file';
  /** null: not settled, because what it takes is not at hand. */
  readonly sound: boolean | null;
  readonly text: string;
  /** What is wrong, one sentence each, with the exchange where it is about one; of time stamps also what is right. */
  readonly details: readonly Detail[];
  /** Fields of the report that this check could not derive, and no signature that was checked covers. */
  readonly open?: readonly string[];
}

export interface Detail {
  readonly exchange: string | null;
  readonly text: string;
}

export const checked = (
  what: Check['what'],
  sound: boolean | null,
  text: string,
  details: readonly Detail[] = [],
): Check => ({ what, sound, text, details });

/** 1: something is wanting. 2: nothing was settled, so nothing may be relied on. */
export function statusOf(checks: readonly Check[]): 0 | 1 | 2 {
  if (checks.some(({ sound }) => sound === false)) return 1;
  return checks.some(({ sound }) => sound === true) ? 0 : 2;
}
