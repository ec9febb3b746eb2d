/** The kinds of difference between two answers to the same call, and how severe each is. */

import type { Place } from '../place.js';
import { isFingerprint } from '../redaction/fingerprint.js';

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
  readonly was: string;
  readonly now: string;
}

export interface CompareOptions {
  /** Places whose values are noise; `*` is any text. */
  readonly noise?: readonly string[];
  /** Places that come and go: whether they are there is noise too. */
  readonly presence?: readonly string[];
  /** Places that come and go, and may be of any type. */
  readonly types?: readonly string[];
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

/** Says how long to wait from now on: another number with every call. */
const ALWAYS_NOISE = ['header retry-after'];

/** The worst first. A declared place may still change its type, and one that is not said to come and go may not be gone. */
export function quieten(
  differences: readonly Difference[],
  { noise = [], presence = [], types = [] }: Pick<CompareOptions, 'noise' | 'presence' | 'types'>,
): Difference[] {
  const ofAnyType = types.map(createGlob);
  const comesAndGoes = [...presence.map(createGlob), ...ofAnyType];
  const varies = [...[...ALWAYS_NOISE, ...noise].map(createGlob), ...comesAndGoes];
  const patternsFor: Partial<Record<Difference['what'], readonly ((place: Place) => boolean)[]>> = {
    value: varies,
    gone: comesAndGoes,
    added: comesAndGoes,
    type: ofAnyType,
  };
  return differences
    .map((difference): Difference => {
      const isDeclared = patternsFor[difference.what]?.some((fits) => fits(difference.place));
      return isDeclared === true ? { ...difference, class: 'noise' } : difference;
    })
    .sort((a, b) => DIFFERENCE_CLASSES.indexOf(a.class) - DIFFERENCE_CLASSES.indexOf(b.class));
}

export type ValueKind = 'token' | 'uuid' | 'date' | 'date-time';

export function kindOf(text: string): ValueKind | null {
  if (isFingerprint(text) || /^[0-9a-f]{32,}$/i.test(text)) return 'token';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'uuid';
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'date';
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})?$/.test(text)) return 'date-time';
  return null;
}

/** Tells which texts fit a pattern in which `*` is any text: piece by piece, so that no pattern and no text takes long. */
export function createGlob(pattern: string): (text: string) => boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (text) => text === head;
  return (text) => {
    if (!text.startsWith(head)) return false;
    let at = head.length;
    for (const piece of rest) {
      const begin = text.indexOf(piece, at);
      if (begin < 0) return false;
      at = begin + piece.length;
    }
    return text.length - tail.length >= at && text.endsWith(tail);
  };
}
