/** Reads the file that a command was given, whole. */
import { readFileSync, statSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { SandgateError, unreadable } from '../spec/index.js';
import type { CliContext } from './context.js';

const MOST_BYTES = 512 * 1024 * 1024;

/** `-` is standard input. Throws a SandgateError that names the file. */
export async function readInput(file: string, { stdin }: CliContext): Promise<string> {
  if (file === '-') return readAll(stdin);
  try {
    if (statSync(file).size > MOST_BYTES) {
      throw new SandgateError('file.too-large', { file, most: '512 MiB' });
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    throw unreadable(file, cause);
  }
}
