/** Rows of keys, by which contents are read; and which of them there are. */
import type { KeyObject } from 'node:crypto';
import { createRecentCache } from '../../exchange/index.js';
import { keyIn, openedTexts, type RecordTexts } from '../record-codec.js';
import { type Steps, wait } from '../steps.js';
import type { Vault } from '../vault.js';
import type { Query } from './database.js';

const REMEMBERED = 4_096;

/** Deciphers the texts of an entry; without its key, they are those that stay. */
export type OpenTexts = (texts: RecordTexts, isBegun: boolean) => RecordTexts;

/** `vault` null: nothing is deciphered. */
export function createKeys(query: Query, vault: Vault | null) {
  const known = createRecentCache<string, KeyObject>(REMEMBERED);

  /** `owns`: texts of entries with their chains. */
  function* opening(owns: readonly (readonly [chain: number, own: string])[]): Steps<never, OpenTexts> {
    const held = new Map<string, KeyObject | null>();
    const missing = new Map<string, number>();
    for (const [chain, own] of owns) {
      const id = keyIn(own);
      const key = id === undefined ? undefined : known.get(id);
      if (id !== undefined && key === undefined) missing.set(id, chain);
      else if (id !== undefined && key !== undefined) held.set(id, key);
    }
    const found =
      missing.size === 0
        ? []
        : yield* wait(
            query('SELECT key, wrapped FROM keys WHERE chain = ANY ($1::int8[]) AND key = ANY ($2::text[])', [
              [...new Set(missing.values())],
              [...missing.keys()],
            ]),
          );
    for (const [id, wrapped] of found) {
      const key = vault?.unwrap(String(id), String(wrapped)) ?? null;
      held.set(String(id), key);
      if (key !== null) known.set(String(id), key);
    }
    return (texts, isBegun) =>
      openedTexts(texts, (id, block) => {
        const key = held.get(id);
        return key && (vault?.open(block, id, key, texts.session)?.(texts.id, isBegun) ?? null);
      });
  }

  return {
    opening,
    forget: () => known.clear(),
    *ofChain(chain: number): Steps<never, ReadonlySet<string>> {
      const rows = yield* wait(query('SELECT key FROM keys WHERE chain = $1::int8', [chain]));
      return new Set(rows.map(([key]) => String(key)));
    },
  };
}

export type Keys = ReturnType<typeof createKeys>;
