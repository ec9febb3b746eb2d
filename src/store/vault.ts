/** Enciphers contents: each consent or payment of a session has a key, which the key of the store enciphers in turn. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { createRecentCache, namedResources } from '../exchange/index.js';
import { type OpenedBlock, readBlock, writeBlock } from './block.js';
import { SEALED } from './columns.js';
import { type RecordTexts, splitTexts } from './record-codec.js';
import type { RecordedExchange } from './recorded.js';
import { type SharedText, shareBytes } from './shared-text.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Keys in use that are remembered; another one begins where one was forgotten. */
const REMEMBERED = 4_096;
/** Nonces are drawn many at once. */
const NONCES = 512;
/** Characters of bodies in a block: whoever reads one of its records deciphers all. */
const BLOCK = 65_536;

let nonces = Buffer.alloc(0);
function nextNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(NONCE_BYTES * NONCES);
  const nonce = nonces.subarray(0, NONCE_BYTES);
  nonces = nonces.subarray(NONCE_BYTES);
  return nonce;
}

const MARK = Buffer.from([SEALED]);

/** `identity` is authenticated with it: moved to another place, it cannot be deciphered. */
function encipher(key: KeyObject, plain: Uint8Array, identity: string, nonce = nextNonce()): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(identity));
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([MARK, nonce, body, cipher.getAuthTag()]);
}

/** null: it is of another key or place, or was changed. */
function decipher(key: KeyObject, bytes: Uint8Array, identity: string): Buffer | null {
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  try {
    const opened = createDecipheriv(ALGORITHM, key, bytes.subarray(1, 1 + NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(identity))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = opened.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES));
    opened.final();
    return plain;
  } catch {
    return null;
  }
}

const wrappingKeyOf = (ofStore: Uint8Array): KeyObject =>
  createSecretKey(createHmac('sha256', ofStore).update('contents').digest());

function unwrap(wrapping: KeyObject, id: string, wrapped: string): KeyObject | null {
  const bytes = decipher(wrapping, Buffer.from(wrapped, 'base64'), id);
  return bytes === null ? null : createSecretKey(bytes);
}

/**
 * Enciphers keys of contents by the key of another store, which is public: so the same bytes each time hide no less. null: the
 * key of this store is another one.
 */
export function publishing(ofStore: Uint8Array, open: Uint8Array) {
  const [own, other] = [wrappingKeyOf(ofStore), wrappingKeyOf(open)];
  return (id: string, wrapped: string): string | null => {
    const key = unwrap(own, id, wrapped);
    const nonce = hash('sha256', id, 'buffer').subarray(0, NONCE_BYTES);
    return key && encipher(other, key.export(), id, nonce).toString('base64');
  };
}

const identityOf = (key: string, session: string): string => `contents ${key} ${session}`;

/** A key that destroying erases the calls of one consent or payment alone; others are of a session. */
export const isOfOne = (key: string): boolean => key.startsWith('c');

export type KeepKey = (chain: number, key: string, wrapped: string) => void;
export type TextsOf = (record: RecordedExchange, isBegun: boolean, chain: number) => RecordTexts;

interface ToSeal {
  readonly record: RecordedExchange;
  readonly isBegun: boolean;
}

/** The consent or payment that a record is of; null: it is of none, or names two, and goes with either without all that is of the other. */
function resourceOf({ exchange, findings }: RecordedExchange): string | null {
  const [resource, ...others] = namedResources(exchange);
  if (resource === undefined || others.length > 0) return null;
  const { header, params } = exchange.call;
  const named = [header['consent-id'], params.consentId, params.paymentId];
  const isOfTwo =
    named.some((id) => id !== undefined && id !== resource.id) ||
    findings.some(({ rule }) => rule === NAMES_ANOTHER);
  return isOfTwo ? null : `${resource.kind} ${resource.id}`;
}

/** Its finding names the scope of the token. */
const NAMES_ANOTHER = 'accounts/token-belongs-to-consent';

const lengthOf = ({ record: { exchange } }: ToSeal): number =>
  (exchange.call.request.body?.text.length ?? 0) + (exchange.answer?.body?.text.length ?? 0);

function* sealTogether(
  all: readonly ToSeal[],
  { id, key }: { readonly id: string; readonly key: KeyObject },
): Generator<readonly [ToSeal, RecordTexts]> {
  const split = all.map((one) => ({ one, ...splitTexts(one.record, id) }));
  const block = writeBlock(
    split.map(({ one, left, content }) => ({ id: left.id, isBegun: one.isBegun, content })),
  );
  const bytes = encipher(key, block, identityOf(id, split[0]?.left.session ?? ''));
  const requestBody = shareBytes(bytes, all.length > 1);
  for (const { one, left } of split) yield [one, { ...left, requestBody }];
}

/** `ofStore`: the key of the store, once it is known. */
export function createVault(ofStore: () => Uint8Array) {
  let wrapping: KeyObject | undefined;
  const wrappingKey = (): KeyObject => {
    wrapping ??= wrappingKeyOf(ofStore());
    return wrapping;
  };
  const known = createRecentCache<string, { readonly id: string; readonly key: KeyObject }>(REMEMBERED);
  const opened = new WeakMap<SharedText, OpenedBlock | null>();

  function keyFor(resource: string | null, chain: number, keepKey: KeepKey) {
    const name = `${chain} ${resource ?? ''}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const id = `${resource === null ? 's' : 'c'}${randomBytes(12).toString('hex')}`;
    const bytes = randomBytes(KEY_BYTES);
    const made = { id, key: createSecretKey(bytes) };
    keepKey(chain, id, encipher(wrappingKey(), bytes, id).toString('base64'));
    known.set(name, made);
    return made;
  }

  /** For the records of a batch, whose contents are enciphered in blocks: what is erased alone stands in its own. */
  function sealing(
    begun: readonly RecordedExchange[],
    records: readonly RecordedExchange[],
    keepKey: KeepKey,
  ): TextsOf {
    const groups = grouped([
      ...begun.map((record) => ({ record, isBegun: true })),
      ...records.map((record) => ({ record, isBegun: false })),
    ]);
    const sealed = [
      new Map<RecordedExchange, RecordTexts>(),
      new Map<RecordedExchange, RecordTexts>(),
    ] as const;
    const sealedOf = (isBegun: boolean) => sealed[isBegun ? 1 : 0];
    return function textsOf(record, isBegun, chain) {
      const found = sealedOf(isBegun).get(record);
      if (found !== undefined) return found;
      const resource = resourceOf(record);
      const name = nameOf(record, resource);
      const all = groups.get(name) ?? [{ record, isBegun }];
      groups.delete(name);
      const key = keyFor(resource, chain, keepKey);
      for (const block of inBlocks(all))
        for (const [one, texts] of sealTogether(block, key)) sealedOf(one.isBegun).set(one.record, texts);
      return textsOf(record, isBegun, chain);
    };
  }

  return {
    sealing,
    unwrap: (id: string, wrapped: string) => unwrap(wrappingKey(), id, wrapped),
    /** null: it is of another key or session, or was changed. */
    open: (block: SharedText, id: string, key: KeyObject, session: string): OpenedBlock | null => {
      let found = opened.get(block);
      if (found === undefined) {
        const plain = decipher(key, block.bytes ?? Buffer.alloc(0), identityOf(id, session));
        found = plain && readBlock(plain);
        opened.set(block, found);
      }
      return found;
    },
    /** Drops remembered keys, which may not have been kept, or were destroyed. */
    forget: (): void => known.clear(),
  };
}

const nameOf = ({ exchange }: RecordedExchange, resource: string | null): string =>
  `${exchange.call.session} ${resource}`;

/** By session and resource, those that have one. */
function grouped(all: readonly ToSeal[]): Map<string, ToSeal[]> {
  const groups = new Map<string, ToSeal[]>();
  for (const one of all) {
    const resource = resourceOf(one.record);
    if (resource === null) continue;
    const name = nameOf(one.record, resource);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

function* inBlocks(all: readonly ToSeal[]): Generator<readonly ToSeal[]> {
  let [block, length]: [ToSeal[], number] = [[], 0];
  for (const one of all) {
    const own = lengthOf(one);
    if (block.length > 0 && length + own > BLOCK) {
      yield block;
      [block, length] = [[], 0];
    }
    block.push(one);
    length += own;
  }
  yield block;
}

export type Vault = ReturnType<typeof createVault>;
