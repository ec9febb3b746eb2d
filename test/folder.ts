/** Folders of tests' own, on the disk; they go when nobody needs them any more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function made(until: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-test-'));
  until(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For all tests of a file. */
export const folderOfFile = (): string => made(afterAll);

/** For the test that runs. */
export const folderOfTest = (): string => made(onTestFinished);
