/** Opens the replay source as configured. */
import { createReplay, type HowToRecord, type Replay } from '../../answer/replay/index.js';
import { type Call, createPseudonyms, type Exchange, type Fingerprint } from '../../exchange/index.js';
import { cassetteLines, readRecording } from '../../exchange/recording/index.js';
import { SandgateError } from '../../spec/index.js';
import { type Store, storeName } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { isFile, looksLikeFile, readText } from '../config/read-file.js';
import { recordedAt } from '../sessions/settings-of.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Urls } from './addresses.js';
import type { Recording } from './recording.js';

/** Opens a replay; told whether another source follows in the chain of a call. */
export type OpenReplay = (hasNext: (call: Call) => boolean) => Replay;

/** The recording is read whole before the gateway listens. `howToRecord`: as the caller records; else as the commands do. */
export async function loadReplay(
  config: Config,
  system: SystemParts,
  { store, fingerprint, clock }: Pick<Recording, 'store' | 'fingerprint' | 'clock'>,
  urls: () => Urls,
  howToRecord: HowToRecord = () => recordByCommands(config),
): Promise<OpenReplay> {
  const { match, matching, dates, latency, afterLast, segment, replay: name = '' } = config;
  const { exchanges, ...loaded } = await loadRecording(name, {
    store,
    storeName: storeName(config.store),
    fingerprint,
    segment,
  });
  return (hasNext) =>
    createReplay({
      records: exchanges.map((exchange) => ({ exchange })),
      name,
      options: { match, overrides: matching, dates, latency, afterLast },
      urls,
      clock: clock.now,
      timer: system.timer,
      segment,
      recordedSegment: loaded.segment,
      lines: loaded.lines,
      howToRecord,
      fingerprint: loaded.fingerprint,
      pseudonyms: createPseudonyms(store.fingerprintKey),
      hasNext,
      onMiss: ({ text, kind, exchange, breaks, closest, needs, handedOn }) =>
        system.log.warn({ exchange, miss: kind, breaks, closest, needs, handedOn }, text),
    });
}

/** What is missing is asked of the next source, and the whole session becomes the recording. */
function recordByCommands({ replay = '', upstream }: Config): string {
  const source = `replay,${upstream === undefined ? 'emulator' : 'upstream'}`;
  return `To record it: sandgate serve --source ${source} --replay ${replay} --after-last next --session again, make the calls, then sandgate sessions export again --out again.json.`;
}

interface LoadedRecording {
  readonly exchanges: readonly Exchange[];
  /** The fixed path segment of the recording. */
  readonly segment: string;
  /** Of a file: the line that each exchange begins in; none where it is not written in lines as a cassette is. */
  readonly lines?: readonly number[];
  /** Where the recording is a session of the store: clear secrets can be held against its fingerprints. */
  readonly fingerprint?: Fingerprint;
}

interface LoadParts {
  readonly store: Pick<Store, 'sessions' | 'read'>;
  /** What the user calls the store. */
  readonly storeName: string;
  readonly fingerprint: Fingerprint;
  readonly segment: string;
}

const MOST_NAMED = 10;

/** A name is a session first; what looks like a path is a file first. */
async function loadRecording(name: string, parts: LoadParts): Promise<LoadedRecording> {
  const session = looksLikeFile(name) && isFile(name) ? undefined : await sessionNamed(name, parts);
  if (session !== undefined) return session;
  if (!isFile(name)) throw await unknownRecording(name, parts);
  const text = readText(name);
  const { records, segment } = readRecording(text, { name, segment: parts.segment });
  if (records.length === 0) throw emptyRecording(`The file ${name}`);
  const exchanges = records.map(({ exchange }) => exchange);
  return { exchanges, segment, lines: cassetteLines(text, exchanges.length) };
}

async function sessionNamed(
  name: string,
  { store, segment, fingerprint }: LoadParts,
): Promise<LoadedRecording | undefined> {
  const session = (await store.sessions()).find((one) => one.name === name);
  if (session === undefined) return undefined;
  const exchanges: Exchange[] = [];
  for await (const { exchange } of store.read(name)) exchanges.push(exchange);
  if (exchanges.length === 0) throw emptyRecording(`The session ${name}`);
  return { exchanges, segment: recordedAt(session).segment ?? segment, fingerprint };
}

async function unknownRecording(name: string, { store, storeName }: LoadParts): Promise<SandgateError> {
  const sessions = (await store.sessions()).filter(({ exchanges }) => exchanges > 0);
  const names = sessions.slice(-MOST_NAMED).map((session) => session.name);
  const known =
    names.length === 0
      ? 'The store holds none: give a cassette or HAR file, or import one with sandgate sessions import.'
      : `It holds ${names.join(', ')}.`;
  return new SandgateError('recording.unknown', { name, store: storeName, known });
}

function emptyRecording(what: string): SandgateError {
  return new SandgateError('recording.empty', { name: what });
}
