/** Signs what a store holds as a gateway does at its end, and has the checkpoints stamped. */
import { generateKeyPairSync } from 'node:crypto';
import { createWitness, openSigner } from '../../src/evidence/index.js';
import { statementDigest } from '../../src/evidence/stamp.js';
import type { Store } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { type Stamper, tokenOf } from './time-stamp/authority.js';

/** Both halves of an Ed25519 key, PEM. */
export function aKeyPair(): { readonly pem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

export interface SignOrder {
  /** Of the key that signs. */
  readonly pem: string;
  /** What the checkpoints say, epoch ms. */
  readonly at?: number;
  /** Nobody stamps where it is absent. */
  readonly stamps?: { readonly by: Stamper; readonly at: number };
}

/** Gives the checkpoints that went outside, one a line. */
export async function signSession(store: Store, { pem, at = NOW, stamps }: SignOrder): Promise<string> {
  const signed: { statement: string; session: string; of: number }[] = [];
  const witness = createWitness({
    ...{ store, clock: () => at, sign: openSigner(pem, 'key') },
    timer: { after: () => () => {} },
    onCheckpoint: (one) => signed.push(one),
    onProblem: (error) => {
      throw error;
    },
  });
  await witness.close();
  for (const { statement, session, of } of signed) {
    if (stamps === undefined) continue;
    const token = Buffer.from(await tokenOf(statement, stamps.at, stamps.by)).toString('base64');
    const settings = { checkpoint: statementDigest(statement), token };
    const note = { at: stamps.at, kind: 'timestamp', settings } as const;
    await store.append({ notes: [{ session, of, note }], records: [], changes: [] });
  }
  return signed.map(({ statement }) => statement).join('');
}
