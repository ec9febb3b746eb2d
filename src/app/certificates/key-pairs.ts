/** Makes key pairs, off the main thread. */
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

export type KeyType = 'rsa-2048' | 'rsa-3072' | 'ec-p256' | 'ec-p384';

const MAKERS: Readonly<Record<KeyType, () => Promise<KeyPair>>> = {
  'rsa-2048': () => generate('rsa', { modulusLength: 2048 }),
  'rsa-3072': () => generate('rsa', { modulusLength: 3072 }),
  'ec-p256': () => generate('ec', { namedCurve: 'P-256' }),
  'ec-p384': () => generate('ec', { namedCurve: 'P-384' }),
};

export const KEY_TYPES = Object.keys(MAKERS) as readonly KeyType[];

export type MakeKeys = (type: KeyType) => Promise<KeyPair>;

export const makeKeyPair: MakeKeys = (type) => MAKERS[type]();

/** PKCS#8 in PEM, without a passphrase. */
export const renderKey = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
