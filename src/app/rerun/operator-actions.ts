/** What operators did to the bank in a recording: repeated at our own emulator, and told of where it is another bank. */
import { arrivedAt, type SessionNote } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Bindings } from './bindings.js';
import type { FileRows } from './survey.js';
import type { RerunTarget } from './target.js';

export interface OperatorAction {
  /** How many calls of the recording stand in front of it. */
  readonly behind: number;
  /** `clock`, `reset`, `revoke`, `settle`, … as the notes of sessions have it. */
  readonly action: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface OperatorReport {
  readonly repeated: Record<string, number>;
  readonly notRepeated: Record<string, number>;
  readonly reasons: string[];
}

/** A smaller difference of the clock in a cassette is none that somebody made. */
const MOVED_MS = 1_000;

/** Reads the notes of a session or a HAR; a cassette has steps in front of its exchanges instead. */
export async function operatorActions(
  records: FileRows,
  notes: readonly SessionNote[],
): Promise<OperatorAction[]> {
  const left = notes.filter(({ kind }) => kind === 'bank' || kind === 'clock').reverse();
  const actions: OperatorAction[] = [];
  let [behind, ahead] = [0, 0];
  const take = (note: SessionNote): void => {
    const settings = note.settings as OperatorAction['settings'];
    const action = note.kind === 'clock' ? 'clock' : String(settings.action);
    actions.push({ behind, action, settings });
  };
  for await (const { exchange, steps = [] } of records) {
    const { call } = exchange;
    for (let next = left.at(-1); next !== undefined && next.at <= arrivedAt(call); next = left.at(-1)) {
      take(next);
      left.pop();
    }
    if (notes.length === 0) {
      if (behind > 0 && Math.abs(call.ahead - ahead) >= MOVED_MS)
        actions.push({ behind, action: 'clock', settings: {} });
      for (const step of steps) if (step.kind === 'bank') take(step);
    }
    ahead = call.ahead;
    behind++;
  }
  for (const note of left.reverse()) take(note);
  return actions;
}

/** The clock is moved with the calls, which tell by how much. */
export async function repeatAction(
  { action, settings }: OperatorAction,
  { operate }: Pick<RerunTarget, 'operate'>,
  sent: Bindings,
  report: OperatorReport,
): Promise<void> {
  const reason = await reasonNotToRepeat();
  const counts = reason === null ? report.repeated : report.notRepeated;
  counts[action] = (counts[action] ?? 0) + 1;
  if (reason !== null && !report.reasons.includes(reason)) report.reasons.push(reason);

  async function reasonNotToRepeat(): Promise<string | null> {
    if (operate === undefined) return 'this bank is not operated from here';
    if (action === 'clock') return null;
    const id = settings.consent ?? settings.payment;
    if (typeof id === 'string' && sent.valueOf(id) === undefined)
      return 'it is about something that this run did not create';
    const now = Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'string' ? (sent.valueOf(value) ?? sent.translate(value)) : value,
    ]);
    try {
      await operate(action, Object.fromEntries(now));
      return null;
    } catch (error) {
      if (error instanceof SandgateError) return error.message;
      throw error;
    }
  }
}

/** In one sentence; empty where operators did nothing. */
export function operatorText({ repeated, notRepeated, reasons }: OperatorReport): string {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([action, count]) => `${action} ${count}×`)
      .join(', ');
  const [done, left] = [list(repeated), list(notRepeated)];
  const parts = [
    done === '' ? '' : `Operators’ actions repeated: ${done}.`,
    left === '' ? '' : `Operators’ actions not repeated: ${left} (${reasons.join('; ')}).`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
