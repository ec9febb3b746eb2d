/** Opens a bundle, and its session as a store for as long as it is looked at. */
import { lstatSync, rmSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openZip, type Zip } from '../../files/index.js';
import { openStore, readSession } from '../../store/index.js';
import { SESSION, type SessionStore } from './files.js';
import { MANIFEST, type Manifest, readManifest } from './manifest.js';

const MOST_MANIFEST = 1_048_576;

export interface Bundle {
  readonly zip: Zip;
  readonly manifest: Manifest;
  readonly manifestBytes: Buffer;
}

/** `file`: what errors call it. @throws SandgateError with code `bundle.archive` */
export async function openBundle(handle: number, file: string): Promise<Bundle> {
  const zip = openZip(handle, file);
  const manifestBytes = await zip.bytes(MANIFEST, MOST_MANIFEST);
  return { zip, manifestBytes, manifest: readManifest(manifestBytes, file) };
}

/** @throws SandgateError where the file of the session cannot be read */
export const withBundledSession = <T>(
  { zip, manifest: { session } }: Bundle,
  work: (opened: SessionStore) => Promise<T>,
): Promise<T> =>
  withSessionStore(
    (path) => readSession(linesOf(zip.pieces(SESSION)), { session, file: SESSION }, path),
    work,
  );

/** No text that was stored is longer, in characters. */
const MOST_LINE = 256 * 1_048_576;

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const piece of pieces) {
    const lines = decoder.decode(piece, { stream: true }).split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    if (rest.length > MOST_LINE) break;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** `fill` makes the store at a path; it is removed when the work is done, or the process leaves because nobody reads what it writes. */
export async function withSessionStore<T>(
  fill: (path: string) => Promise<void>,
  work: (opened: SessionStore) => Promise<T>,
): Promise<T> {
  await removeLeft();
  const folder = await mkdtemp(join(tmpdir(), `${FOLDERS}${process.pid}-`));
  const remove = (): void => removeFolder(folder);
  process.once('exit', remove);
  try {
    const path = join(folder, 'session.db');
    await fill(path);
    const store = await openStore(path, { readonly: true });
    try {
      return await work({ store, path });
    } finally {
      await store.close();
    }
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Folders name their machine: its processes are known here, those of a container that shares the folder are not. */
const FOLDERS = `sandgate-bundle-${hostname()}-`;
/** The name of one machine may begin as that of another. */
const OF_PROCESS = /^(\d+)-\w{6}$/;

const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A process that was killed could not remove its folder. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = (name.startsWith(FOLDERS) && OF_PROCESS.exec(name.slice(FOLDERS.length))) || [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    try {
      // Another user's is theirs to remove, and may turn into a link to somewhere else on the way.
      const { uid } = lstatSync(folder);
      if (uid === (process.getuid?.() ?? uid)) removeFolder(folder);
    } catch {
      // Somebody else was faster.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
