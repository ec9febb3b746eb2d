/** Files that commands write: each appears when it is whole, and one that was there before stays until then. */
import { systemParts } from '../app/system/index.js';
import { SandgateError, unwritable } from '../spec/index.js';
import { type Chunks, replaceFile } from '../store/index.js';

/** `mode`: of a file that was not there. */
export async function writeFile(file: string, chunks: Chunks, mode?: number): Promise<void> {
  try {
    await replaceFile(file, chunks, systemParts('silent', () => undefined).chance.uuid(), mode);
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    throw unwritable(file, cause);
  }
}
