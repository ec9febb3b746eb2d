/** The kinds of difference between two answers to the same call, and how severe each is. */
import type { Place } from '../place.js';

/** The worst first. */
export const DIFFERENCE_CLASSES = ['breaking', 'additive', 'value', 'noise'] as const;

/**
 * `breaking`: a client that relied on the first answer may fail on the second (field gone, type or status changed).
 * `additive`: something came in addition. `value`: same shape, another value. `noise`: differs from run to run.
 */
export type DifferenceClass = (typeof DIFFERENCE_CLASSES)[number];

export interface Difference {
  readonly class: DifferenceClass;
  readonly what: 'status' | 'gone' | 'added' | 'type' | 'value' | 'body';
  /**
   * `status`, `header location`, `body accounts[].iban`, `header location ?code` for a parameter of a link. Positions in
   * lists are left out.
   */
  readonly place: Place;
  /** Short texts of what stood there; empty where nothing did. */
  readonly was: string;
  readonly now: string;
}

export interface CompareOptions {
  /** Places whose values are noise; `*` is any text. */
  readonly noise?: readonly string[];
  /** Places that come and go: whether they are there is noise too. */
  readonly presence?: readonly string[];
  /** Headers that matter, lower case. */
  readonly headers?: readonly string[];
  /** Reads a value of the first answer as this run would have it (ids and tokens carried along). */
  readonly translate?: (text: string) => string;
}

export const HEADERS_THAT_MATTER = [
  'content-type',
  'location',
  'x-request-id',
  'aspsp-sca-approach',
  'aspsp-notification-support',
  'cache-control',
  'www-authenticate',
  'allow',
  'retry-after',
] as const;
