/** The inputs of a rerun: the recording, the file of noise, and the addresses that a person pastes. */

import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Config, dialectIn } from '../app/config/index.js';
import {
  type AskPerson,
  mergeNoise,
  type NoisePlace,
  type RerunReport,
  type RerunSource,
  writeNoise,
} from '../app/rerun/index.js';
import { type GatewayNote, lastSettings, through } from '../exchange/index.js';
import { readRecording } from '../exchange/recording/index.js';
import { readText } from '../files/index.js';
import { counted, dialectOf, SandgateError } from '../spec/index.js';
import { withContent } from '../store/index.js';
import type { CliContext } from './context.js';
import { printLine } from './output.js';
import { withNamed } from './sessions-store.js';
import { writeFile } from './write-file.js';

export interface NamedSource extends RerunSource {
  /** The settings of the gateway that recorded, as far as they are known. */
  readonly settings: GatewayNote['settings'];
}

export function withRerunSource<T>(
  name: string,
  config: Config,
  work: (source: NamedSource) => Promise<T>,
): Promise<T> {
  const dialect = dialectIn(config);
  return withNamed(name, config, async (found) => {
    if (found === null) {
      const { format, records, notes, dialect: own } = readRecording(readText(name), { name, dialect });
      return work({
        name,
        dialect: own,
        records: () => records,
        notes: format === 'har' ? notes : [],
        settings: {},
      });
    }
    const settings = lastSettings(found.session.notes);
    return work({
      name,
      dialect: settings.segment === undefined ? dialect : dialectOf(settings.bankProfile, settings.segment),
      records: () => through(found.store.read(name), withContent()),
      notes: found.session.notes,
      settings,
    });
  });
}

/** `onAsk` is told before each question: a line of progress would stand in its way. */
export function createPerson({ stdin, stderr, signal }: CliContext, onAsk: () => void) {
  // Not as a terminal: that would swallow Ctrl-C.
  const lines = createInterface({ input: stdin, terminal: false });
  const read = lines[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(new SandgateError('run.interrupted', { what: 'the PSU had not authorised yet' }));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  aborted.catch(() => undefined);
  return {
    ask: async ({ number, address, problem }: Parameters<AskPerson>[0]): Promise<string | null> => {
      onAsk();
      stderr.write(
        problem === undefined
          ? `Call ${number} is for the PSU. Open this address in a browser and authorise:\n\n  ${address}\n\nThen paste the address that the browser was sent back to (an empty line skips it):\n`
          : `This address does not fit: ${problem}. Please try again (an empty line skips it):\n`,
      );
      const { value = '', done } = await Promise.race([read.next(), aborted]);
      const text = done === true ? '' : value.trim();
      return text === '' ? null : text;
    },
    close: (): void => lines.close(),
  };
}

const MOST_BYTES = 16 * 1024 * 1024;

/** A list of places; none where the file is missing and may be. */
export function readPlaces<T>(
  file: string,
  read: (text: string, file: string) => readonly T[],
  presence: 'may be missing' | 'must be there',
): readonly T[] {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined && presence === 'may be missing') return [];
  if (found === undefined) throw new SandgateError('rerun.no-noise-file', { file });
  if (found.size > MOST_BYTES) throw new SandgateError('file.too-large', { file, most: '16 MiB' });
  return read(readText(file), file);
}

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
