/** Learns from sessions that ran side by side in one world: what befell it stands in each of them, and befell it once. */
import type { Hindsight } from '../../bank/index.js';
import { type FileRecord, type StepNote, stepKey } from '../../exchange/index.js';
import type { PlacedStep, RecordedExchange, Rows } from '../../store/index.js';

export interface Earlier {
  /** Epoch ms. */
  readonly startedAt: number;
  /** Begins to read it: of what is read a part lies in memory. */
  readonly open: () => Promise<EarlierRows>;
}

interface EarlierRows {
  readonly rows: Rows<RecordedExchange>;
  /** Puts in front of an exchange what befell the world before it. */
  readonly take: (record: RecordedExchange) => Iterable<FileRecord>;
}

/** A session as far as it is read. */
interface Reading extends Pick<Earlier, 'startedAt'> {
  readonly next: () => Promise<FileRecord | null>;
  /** null at its end; undefined before its beginning. */
  record: FileRecord | null | undefined;
}

/**
 * Up to the exchange `first` of each. `steps`: all that befell the world by then, in order; others that stand in a session
 * are passed over unless they are `wanted`. Only those are open side by side in the middle of which something befell the
 * world.
 */
export async function learnEarlier(
  known: Pick<Hindsight, 'befall' | 'learn'>,
  sessions: readonly Earlier[],
  steps: readonly PlacedStep[],
  first: string | null,
  isWanted: (note: StepNote) => boolean,
): Promise<void> {
  const befallen = new Set<string>();
  const isDue = (note: StepNote): boolean => isWanted(note) && !befallen.has(stepKey(note));
  const befall = (note: StepNote): void => {
    befallen.add(stepKey(note));
    known.befall(note);
  };
  let reading = sessions.map(({ startedAt, open }): Reading => {
    return { startedAt, next: nextOf(open, first), record: undefined };
  });
  for (;;) {
    let step: StepNote | undefined;
    for (const one of reading) {
      // What began later has nothing that befell the world before.
      if (one.record === undefined && step !== undefined && step.at < one.startedAt) continue;
      if (one.record === undefined) one.record = await one.next();
      for (; one.record !== null; one.record = await one.next()) {
        const due = one.record.steps?.find(isDue);
        if (due !== undefined) {
          if (step === undefined || due.at < step.at) step = due;
          break;
        }
        known.learn(one.record.exchange);
      }
    }
    reading = reading.filter(({ record }) => record !== null);
    if (step === undefined) break;
    befall(step);
  }
  for (const { note } of steps) if (isDue(note)) befall(note);
}

function nextOf(open: Earlier['open'], first: string | null): Reading['next'] {
  let isAtEnd = false;
  let opened: EarlierRows | undefined;
  return async () => {
    opened ??= await open();
    const { rows, take } = opened;
    const found = isAtEnd ? undefined : await rows.next();
    const record: RecordedExchange | undefined = found?.done === true ? undefined : found?.value;
    isAtEnd ||= record === undefined || first === null || record.exchange.call.id >= first;
    if (isAtEnd) await rows.return?.();
    const [taken = null] = isAtEnd || record === undefined ? [] : take(record);
    return taken;
  };
}
