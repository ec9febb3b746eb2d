/** The key that signs what this gateway states: of the recording, and of the trusted lists. Readable by its owner only. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { SandgateError } from '../../spec/index.js';
import { alone, makeFolder, readIfThere, writeWhole } from './files.js';
import { renderKey } from './key-pairs.js';

const EVIDENCE_KEY = 'evidence.key';
export const EVIDENCE_PUBLIC = 'evidence.pub';

/** @throws SandgateError where the given file is not there, or the one of the folder cannot be made */
export async function evidenceKeyOf(
  { evidenceKey }: { readonly evidenceKey?: string | undefined },
  dir: string,
): Promise<{ readonly pem: string; readonly file: string }> {
  const file = evidenceKey ?? join(dir, EVIDENCE_KEY);
  const there = await readIfThere(file);
  if (there === null && evidenceKey !== undefined) throw new SandgateError('config.evidence-key', { file });
  return { pem: there ?? (await makeKey(dir)), file };
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
