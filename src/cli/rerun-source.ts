/** A recording by what the user named: a file, or else a session of the store. */
import { readFileSync, statSync } from 'node:fs';
import type { RerunSource } from '../app/index.js';
import { readRecording } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import type { CliContext } from './context.js';
import { sessionOf, withStore } from './sessions-store.js';

export interface NamedSource extends RerunSource {
  /** Of the gateway that recorded, as far as it is known. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const MOST_BYTES = 512 * 1024 * 1024;
const FILE_NAME = /[/\\]|\.(?:json|har|cassette)$/i;

/** Opens it, does the work, and closes it. `segment`: where the recording does not tell its own. */
export async function withRecording<T>(
  name: string,
  { store, segment }: { readonly store?: string; readonly segment: string },
  context: CliContext,
  work: (source: NamedSource) => Promise<T>,
): Promise<T> {
  if (isFile(name)) {
    const { records, segment: own } = readRecording(readText(name), { name, segment });
    return work({ name, segment: own, records: () => records, settings: {} });
  }
  if (FILE_NAME.test(name)) throw new SandgateError('input', `There is no file ${name}.`);
  return withStore(store === undefined ? {} : { store }, context, 'read', (opened, path) => {
    const { notes } = sessionOf(opened, name, path);
    const settings: Record<string, unknown> = Object.assign({}, ...notes.map((note) => note.settings));
    const own = typeof settings.segment === 'string' ? settings.segment : segment;
    return work({ name, segment: own, records: () => opened.read(name), settings });
  });
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() === true;
}

function readText(name: string): string {
  if (statSync(name).size > MOST_BYTES)
    throw new SandgateError('input', `${name} is larger than 512 MiB; send it again in parts.`);
  try {
    return readFileSync(name, 'utf8');
  } catch (cause) {
    throw new SandgateError('input', `${name} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}
