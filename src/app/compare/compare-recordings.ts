/** Reads two recordings, one after the other, and compares what they show of the bank’s interface. */
import { type FileRecord, recognisedBy } from '../../exchange/index.js';
import { type Dialect, namedProfile, profileText, SandgateError } from '../../spec/index.js';
import { CHANGE_CLASSES, type ChangeClass } from './compare-shapes.js';
import { type Change, compareSurfaces, type NotCompared } from './compare-surfaces.js';
import { createSurface, type States, type Surface } from './surface.js';

export interface ComparedRecording {
  readonly name: string;
  readonly dialect: Dialect;
  /** Calls of no known operation are recognised by it, if somebody asked for it. */
  readonly asked: Dialect | null;
  readonly records: Iterable<FileRecord> | AsyncIterable<FileRecord>;
}

export interface ReadRecording {
  readonly name: string;
  readonly dialect: Dialect;
  readonly surface: Surface;
}

export interface Comparison {
  readonly format: 'sandgate-comparison';
  readonly version: 1;
  readonly was: ComparedSide;
  readonly now: ComparedSide;
  readonly counts: Readonly<Record<ChangeClass | 'compared' | 'notCompared', number>>;
  readonly changes: readonly Change[];
  readonly notCompared: readonly NotCompared[];
}

interface ComparedSide {
  readonly recording: string;
  readonly bankProfile: string;
  readonly exchanges: number;
  /** Answers of the bank to calls of known operations. */
  readonly answers: number;
  readonly unknownCalls: number;
  /** It has more places than are kept; some were not compared. */
  readonly isCut: boolean;
}

/** `pause` is told how many exchanges were taken, and may give others a turn. */
export async function readSurface(
  { name, dialect, asked, records }: ComparedRecording,
  states: States,
  pause: (taken: number) => Promise<void> | undefined = () => undefined,
): Promise<ReadRecording> {
  const surface = createSurface(states, dialect);
  let taken = 0;
  for await (const { exchange } of records) {
    const isUnknown = exchange.call.operation === null;
    surface.take(isUnknown && asked !== null ? recognisedBy(exchange, asked.recognise) : exchange);
    const paused = pause(++taken);
    if (paused !== undefined) await paused;
  }
  return { name, dialect, surface: surface.finish() };
}

/** @throws SandgateError where no operation stands in both: a comparison of nothing would let anything pass */
export function compareRecordings(was: ReadRecording, now: ReadRecording): Comparison {
  const { changes, notCompared, compared } = compareSurfaces(was.surface, now.surface);
  if (compared === 0 && changes.length === 0)
    throw new SandgateError('compare.nothing', { first: was.name, second: now.name });
  const counts = Object.fromEntries(
    CHANGE_CLASSES.map((kind) => [kind, changes.filter((change) => change.class === kind).length]),
  );
  const { breaking = 0, additive = 0, value = 0 } = counts;
  return {
    format: 'sandgate-comparison',
    version: 1,
    was: sideOf(was),
    now: sideOf(now),
    counts: { breaking, additive, value, compared, notCompared: notCompared.length },
    changes,
    notCompared,
  };
}

function sideOf({ name, dialect, surface }: ReadRecording): ComparedSide {
  const { exchanges, answers, unknown, isCut } = surface;
  const bankProfile = profileText(namedProfile(dialect.profile));
  return { recording: name, bankProfile, exchanges, answers, unknownCalls: unknown, isCut };
}
