/** The file of places whose values may differ from run to run. */
import { statSync } from 'node:fs';
import { readText } from '../app/config/index.js';
import { mergeNoise, type NoisePlace, type RerunReport, readNoise, writeNoise } from '../app/rerun/index.js';
import { counted, SandgateError } from '../spec/index.js';
import type { CliContext } from './context.js';
import { printLine } from './output.js';
import { writeFile } from './write-file.js';

const MOST_BYTES = 16 * 1024 * 1024;

/** @throws SandgateError where it cannot be read */
export function readNoiseFile(
  file: string,
  presence: 'may be missing' | 'must be there',
): readonly NoisePlace[] {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined && presence === 'may be missing') return [];
  if (found === undefined) throw new SandgateError('rerun.no-noise-file', { file });
  if (found.size > MOST_BYTES)
    throw new SandgateError('rerun.noise-file', { file, problems: 'it is larger than 16 MiB' });
  return readNoise(readText(file), file);
}

/** Adds what a rerun has learned, and tells how much that is. */
export async function keepNoise(
  file: string,
  known: readonly NoisePlace[],
  { learned }: RerunReport,
  { stderr }: CliContext,
): Promise<void> {
  const merged = mergeNoise(known, learned?.places ?? []);
  await writeFile(file, [writeNoise(merged)]);
  const more = merged.length - known.length;
  printLine(
    stderr,
    `${file} has ${counted(merged.length, 'place')} of noise, ${more} of them new. Please review it.`,
  );
  for (const doubt of learned?.doubts ?? [])
    printLine(stderr, `The two runs differ in more than noise: ${doubt}`);
}
