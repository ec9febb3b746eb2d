/** Reads the file that a command was given. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { bytesOf, type FileBytes } from '../exchange/recording/index.js';
import { MOST_FILE_BYTES, readStream, readWhole, wholeOr } from '../files/index.js';
import { unreadable } from '../spec/index.js';
import type { CliContext } from './context.js';

/** From so many on, memory that is over is collected sooner: V8 lets it grow to four times what is held. */
const MANY_BYTES = 64 * 1024 * 1024;

export const STANDARD_INPUT = 'Standard input';

/** null where there are more than `most` bytes. @throws SandgateError where it cannot be read */
export async function readStandardInput(stdin: Readable, most?: number): Promise<Buffer | null> {
  try {
    return await readStream(stdin, most);
  } catch (cause) {
    throw unreadable(STANDARD_INPUT, cause);
  }
}

/** Does the work with the bytes of a file; `-` is standard input. Throws a SandgateError that names the file. */
export async function withInput<T>(
  file: string,
  { stdin }: CliContext,
  work: (bytes: FileBytes) => T | Promise<T>,
): Promise<T> {
  if (file === '-') return work(bytesOf(wholeOr(await readStandardInput(stdin), STANDARD_INPUT)));
  const handle = attempt(file, () => openSync(file, 'r'));
  try {
    const stat = attempt(file, () => fstatSync(handle));
    if (stat.size > MOST_FILE_BYTES) wholeOr(null, file);
    if (stat.size > MANY_BYTES) setFlagsFromString('--heap-growing-percent=50');
    if (stat.isFile())
      return await work({
        size: stat.size,
        read: (from, to, into) => attempt(file, () => readPart(handle, from, to, into)),
      });
    // A pipe can be read once only.
    const whole = attempt(file, () => readWhole(handle));
    return await work(bytesOf(wholeOr(whole, file)));
  } finally {
    closeSync(handle);
  }
}

function readPart(handle: number, from: number, to: number, into?: Buffer): Buffer {
  const size = to - from;
  const part = into !== undefined && into.length >= size ? into.subarray(0, size) : Buffer.allocUnsafe(size);
  let length = 0;
  while (length < part.length) {
    const count = readSync(handle, part, length, part.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return part.subarray(0, length);
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw unreadable(file, cause);
  }
}
