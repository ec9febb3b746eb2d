/** Writes a bundle: a session with all that it takes to check it anywhere, in one archive. */
import { createHash } from 'node:crypto';
import type { Sign } from '../../evidence/index.js';
import { type Pieces, type ZipFile, zipped } from '../../files/index.js';
import { digestOf, type Report, writeStatement } from '../../report/index.js';
import type { BundleFile } from './files.js';
import { MANIFEST, type Manifest, STATEMENT } from './manifest.js';

/** The bytes of the archive. `sign`: without it, the bundle is not signed. */
export const bundleOf = (files: readonly BundleFile[], report: Report, sign?: Sign): Pieces =>
  zipped(filesIn(files, report, sign));

/** The manifest comes behind the files: only then is it known what they held. */
async function* filesIn(
  files: readonly BundleFile[],
  { head }: Report,
  sign?: Sign,
): AsyncGenerator<ZipFile> {
  const listed: Manifest['files'] = [];
  for (const { name, what, pieces } of files) {
    const digest = createDigest();
    yield { name, pieces: digest.seeing(await pieces()) };
    listed.push({ name, what, ...digest.of() });
  }
  const manifest: Manifest = {
    format: 'sandgate-bundle',
    version: 1,
    session: head.recording.name,
    gateway: head.gateway,
    files: listed,
  };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: MANIFEST, pieces: [bytes] };
  if (sign !== undefined)
    yield {
      name: STATEMENT,
      pieces: [await sign(writeStatement([{ name: MANIFEST, sha256: digestOf(bytes) }]))],
    };
}

/** Size and SHA-256 of what goes by. */
export function createDigest() {
  const hash = createHash('sha256');
  let size = 0;
  return {
    async *seeing(pieces: Pieces): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece);
        hash.update(bytes);
        size += bytes.length;
        yield bytes;
      }
    },
    of: () => ({ size, sha256: hash.digest('hex') }),
  };
}

export async function digestOfPieces(pieces: Pieces) {
  const digest = createDigest();
  for await (const _ of digest.seeing(pieces));
  return digest.of();
}
