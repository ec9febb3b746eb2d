/** The file that `--access-log` appends to. */
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { SandgateError, unwritable } from '../../spec/index.js';
import { makeDirectory } from '../../store/index.js';

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;

/**
 * Made where it is missing, and for its owner alone (0600). What cannot be written is told, and the next piece is tried
 * again: a full disk ends no gateway. Throws a SandgateError where it is no file, or cannot be opened.
 */
export async function openAccessLog(
  file: string,
  onProblem: (problem: SandgateError) => void,
): Promise<Writable> {
  const handle = await openFile(file);
  let isBroken = false;
  return new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      // A piece that failed may have left half a line.
      handle.appendFile(isBroken ? `\n${text}` : text).then(
        () => {
          isBroken = false;
          done();
        },
        (cause) => {
          isBroken = true;
          onProblem(unwritable(`--access-log ${file}`, cause));
          done();
        },
      );
    },
    final: (done) => void handle.close().then(() => done(), done),
  });
}

async function openFile(file: string): Promise<FileHandle> {
  const name = `--access-log ${file}`;
  let handle: FileHandle | undefined;
  try {
    makeDirectory(dirname(resolve(file)), 0o777);
    // A pipe without a reader would be waited for.
    handle = await open(file, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, 0o600);
    if (!(await handle.stat()).isFile())
      throw new SandgateError('file.unwritable', { file: name, why: 'it is no file; give another one' });
    await handle.chmod(0o600);
    return handle;
  } catch (cause) {
    await handle?.close();
    throw cause instanceof SandgateError ? cause : unwritable(name, cause);
  }
}
