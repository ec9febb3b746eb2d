/** Opens the replay source as configured. */
import { createReplay, type HowToRecord, type Replay } from '../../answer/replay/index.js';
import { type Call, createPseudonyms, type Exchange, through } from '../../exchange/index.js';
import { cassetteLines, readRecording } from '../../exchange/recording/index.js';
import { readText } from '../../files/index.js';
import { SandgateError } from '../../spec/index.js';
import { storeName, withContent } from '../../store/index.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import { isFile, pickSource } from '../config/read-file.js';
import { recordedAt } from '../sessions/session-notes.js';
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
  const { match, matching, dates, latency, afterLast, replay: name = '' } = config;
  const { exchanges, ...loaded } = await loadRecording(name, config, { store, fingerprint });
  return (hasNext) =>
    createReplay({
      records: exchanges.map((exchange) => ({ exchange })),
      name,
      options: { match, overrides: matching, dates, latency, afterLast },
      urls,
      clock: clock.now,
      timer: system.timer,
      dialect: dialectIn(config),
      recordedDialect: loaded.dialect,
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

/** `lines`: where each exchange begins, of a file that is written in lines as a cassette is. */
async function loadRecording(
  name: string,
  config: Pick<Config, 'store' | 'segment' | 'bankProfile'>,
  { store, fingerprint }: Pick<Recording, 'store' | 'fingerprint'>,
) {
  const sessions = await store.sessions();
  const session = sessions.find((one) => one.name === name);
  const kind = pickSource(
    name,
    { isFile: isFile(name), isSession: session !== undefined, store: storeName(config.store) },
    sessions.flatMap((one) => (one.exchanges > 0 ? one.name : [])),
  );
  if (kind === 'file' || session === undefined) {
    const text = readText(name);
    const { records, dialect } = readRecording(text, { name, dialect: dialectIn(config) });
    if (records.length === 0) throw emptyRecording(`The file ${name}`);
    const exchanges = records.map(({ exchange }) => exchange);
    return { exchanges, dialect, lines: cassetteLines(text, exchanges.length) };
  }
  const exchanges: Exchange[] = [];
  for await (const { exchange } of through(store.read(name), withContent())) exchanges.push(exchange);
  if (exchanges.length === 0) throw emptyRecording(`The session ${name}`);
  // Clear secrets can be held against the fingerprints of a session of this store.
  return { exchanges, dialect: recordedAt(session).dialect ?? dialectIn(config), fingerprint };
}

const emptyRecording = (name: string) => new SandgateError('recording.empty', { name });
