/** Enciphers contents: each consent or payment of a session has a key, which the key of the store enciphers in turn. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { createRecentCache, namedResource } from '../exchange/index.js';
import { encipheredTexts, type RecordTexts } from './record-codec.js';
import type { RecordedExchange } from './recorded.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Keys in use that are remembered; another one begins where one was forgotten. */
const REMEMBERED = 4_096;
/** Nonces are drawn many at once. */
const NONCES = 512;

let nonces = Buffer.alloc(0);
function nextNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(NONCE_BYTES * NONCES);
  const nonce = nonces.subarray(0, NONCE_BYTES);
  nonces = nonces.subarray(NONCE_BYTES);
  return nonce;
}

/** `identity` is authenticated with it: moved to another place, it cannot be deciphered. */
function encipher(key: Uint8Array, plain: string | Uint8Array, identity: string): string {
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(identity));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** null: it is of another key or place, or was changed. */
function decipher(key: Uint8Array, text: string, identity: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const opened = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(identity))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([opened.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), opened.final()]);
  } catch {
    return null;
  }
}

const identityOf = ({ id, session }: Pick<RecordTexts, 'id' | 'session'>, isBegun: boolean): string =>
  `${isBegun ? 'begun' : 'exchange'} ${id} ${session}`;

/** A key that destroying erases the calls of one consent or payment alone; others are of a session. */
export const isOfOne = (key: string): boolean => key.startsWith('c');

export type KeepKey = (chain: number, key: string, wrapped: string) => void;

/** `ofStore`: the key of the store, once it is known. */
export function createVault(ofStore: () => Uint8Array) {
  let wrapping: Buffer | undefined;
  const wrappingKey = (): Buffer => {
    wrapping ??= createHmac('sha256', ofStore()).update('contents').digest();
    return wrapping;
  };
  const known = createRecentCache<string, { readonly id: string; readonly key: Uint8Array }>(REMEMBERED);

  function keyFor({ exchange }: RecordedExchange, chain: number, keepKey: KeepKey) {
    const resource = namedResource(exchange);
    const name = resource === null ? `${chain}` : `${chain} ${resource.kind} ${resource.id}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const id = `${resource === null ? 's' : 'c'}${randomBytes(12).toString('hex')}`;
    const made = { id, key: randomBytes(KEY_BYTES) };
    keepKey(chain, id, encipher(wrappingKey(), made.key, id));
    known.set(name, made);
    return made;
  }

  return {
    /** The texts of a record, with its content enciphered. */
    seal: (record: RecordedExchange, chain: number, isBegun: boolean, keepKey: KeepKey): RecordTexts => {
      const { id, key } = keyFor(record, chain, keepKey);
      const { call } = record.exchange;
      const identity = identityOf({ id: call.id, session: call.session }, isBegun);
      return encipheredTexts(record, id, (plain) => encipher(key, plain, identity));
    },
    unwrap: (id: string, wrapped: string): Uint8Array | null => decipher(wrappingKey(), wrapped, id),
    open: (texts: RecordTexts, isBegun: boolean, key: Uint8Array, text: string): string | null =>
      decipher(key, text, identityOf(texts, isBegun))?.toString() ?? null,
    /** Drops remembered keys, which may not have been kept, or were destroyed. */
    forget: (): void => known.clear(),
  };
}

export type Vault = ReturnType<typeof createVault>;
