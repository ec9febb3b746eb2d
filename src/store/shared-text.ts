/** Texts that many records share. */
import { hash } from 'node:crypto';

/** With its SHA-256 (base64url); shorter ones than `SHORT` have none. */
export interface SharedText {
  readonly text: string;
  readonly digest: string;
  /** In place of the text, where it is enciphered. */
  readonly bytes?: Uint8Array;
  /** More records are going to share it. */
  readonly isCommon?: boolean;
}

/** Below this length a text is kept where it stands: naming it would cost nearly as much. */
const SHORT = 256;

export function share(text: string): SharedText {
  return { text, digest: text.length < SHORT ? '' : hash('sha256', text, 'base64url') };
}

export const shareBytes = (bytes: Uint8Array, isCommon = false): SharedText => ({
  text: '',
  digest: hash('sha256', bytes, 'base64url'),
  bytes,
  isCommon,
});

/** Texts of a kind that are compared; more would be no run of like calls. */
const REMEMBERED = 8;

interface Known {
  readonly value: unknown;
  readonly shared: SharedText;
}

/**
 * Shares values as JSON. One that came lately is known by its parts, and neither written nor digested once more.
 * `kindOf` sorts them: there must be few kinds.
 */
export function createJsonSharing<V>(kindOf: (value: V) => unknown): (value: V) => SharedText {
  const lately = new Map<unknown, Known[]>();
  return (value) => {
    const kind = kindOf(value);
    let known = lately.get(kind);
    if (known === undefined) {
      known = [];
      lately.set(kind, known);
    }
    for (const one of known) if (isSame(one.value, value)) return one.shared;
    const shared = share(JSON.stringify(value));
    if (known.length >= REMEMBERED) known.shift();
    known.push({ value, shared });
    return shared;
  };
}

/** Plain JSON values with the members of objects in the same order: the texts of such two are the same. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b);
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  let place = 0;
  for (const name in b) {
    if (names[place++] !== name) return false;
    if (!isSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name])) return false;
  }
  return place === names.length;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false;
  return true;
}
