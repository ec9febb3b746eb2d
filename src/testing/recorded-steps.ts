/** What a gateway recorded, for its test: with the steps of the bank in front of the exchanges that followed them. */
import { isStep, type SessionNote, type StepNote } from '../exchange/index.js';
import type { Batch, RecordedExchange } from '../store/index.js';

/** Takes what is kept, a batch at a time, in order. */
export function createRecordedSteps(): (batch: Batch) => RecordedExchange[] {
  /** By session: those that nothing followed yet. */
  const waiting = new Map<string, StepNote[]>();
  return ({ notes = [], records }) => {
    const taken: RecordedExchange[] = [];
    const takeUpTo = (place: number): void => {
      for (const record of records.slice(taken.length, place)) {
        const { session } = record.exchange.call;
        const steps = waiting.get(session);
        taken.push(steps === undefined ? record : { ...record, steps });
        waiting.delete(session);
      }
    };
    for (const { session, note, behind } of notes) {
      takeUpTo(behind?.records ?? 0);
      const steps = [note as SessionNote].filter(isStep);
      if (steps.length > 0) waiting.set(session, [...(waiting.get(session) ?? []), ...steps]);
    }
    takeUpTo(records.length);
    return taken;
  };
}
