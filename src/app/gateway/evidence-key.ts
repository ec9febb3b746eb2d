/** The evidence key, which signs checkpoints: a file readable by its owner only, never in the store. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { openSigner, type Sign } from '../../evidence/index.js';
import { SandgateError } from '../../spec/index.js';
import { isInMemory } from '../../store/index.js';
import { alone, makeFolder, readIfThere, writeWhole } from '../certificates/files.js';
import { renderKey } from '../certificates/key-pairs.js';
import type { Config } from '../config/config.js';
import { errorFacts } from '../system/log.js';
import type { SystemParts } from '../system/system-parts.js';

export const EVIDENCE_KEY = 'evidence.key';
export const EVIDENCE_PUBLIC = 'evidence.pub';

/**
 * The given key, or that of the folder `dir`, which is made at the first start with its public half beside it. null for
 * a store in memory, and where the folder cannot be written: then nothing is signed, which the log says.
 * @throws SandgateError where the given file holds no key that can sign
 */
export async function openEvidenceKey(
  { evidenceKey, store }: Pick<Config, 'evidenceKey' | 'store'>,
  dir: string,
  { log }: Pick<SystemParts, 'log'>,
): Promise<Sign | null> {
  if (isInMemory(store)) return null;
  if (evidenceKey !== undefined) {
    const pem = await readIfThere(evidenceKey);
    if (pem === null) throw new SandgateError('config.evidence-key', { file: evidenceKey });
    return openSigner(pem, evidenceKey);
  }
  const file = join(dir, EVIDENCE_KEY);
  let pem: string;
  try {
    pem = (await readIfThere(file)) ?? (await makeKey(dir));
  } catch (error) {
    log.warn(
      errorFacts(error),
      'The recording is not signed, because the key for it could not be created. Give one with --evidence-key.',
    );
    return null;
  }
  return openSigner(pem, file);
}

/** Another process may be as far: the first one's key is that of both. */
function makeKey(dir: string): Promise<string> {
  makeFolder(dir);
  return alone(dir, async () => {
    const file = join(dir, EVIDENCE_KEY);
    const there = await readIfThere(file);
    if (there !== null) return there;
    const pem = renderKey(generateKeyPairSync('ed25519').privateKey);
    await writeWhole(file, pem, 'secret');
    await writeWhole(join(dir, EVIDENCE_PUBLIC), publicHalf(pem), 'public');
    return pem;
  });
}

const publicHalf = (pem: string): string =>
  createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString();
