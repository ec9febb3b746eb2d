/** The shadow: asks the emulator the safe calls that a bank answered, and notes where the two differ. */
import type { Answerer } from '../../answer/index.js';
import {
  compareAnswers,
  type Difference,
  type Exchange,
  type NoteSettings,
  type SessionNote,
} from '../../exchange/index.js';
import type { Refusal } from '../../rules/index.js';
import { errorFacts, type Log } from '../system/system-parts.js';
import type { Worlds } from './worlds.js';

type ShadowDifference = NoteSettings<'shadow'>['differences'][number];

/** More exchanges do not wait: a bank that is faster than the emulator must not fill the memory. */
const MOST_WAITING = 200;
/** Differences that are noted in a run, each once. */
const MOST_NOTED = 1_000;

export interface Waiting {
  readonly exchange: Exchange;
  readonly refusal: Refusal | null;
}

export function createShadow(parts: {
  readonly emulator: Answerer;
  readonly worlds: Pick<Worlds, 'of'>;
  readonly note: (session: string, note: SessionNote) => void;
  readonly clock: () => number;
  readonly log: Log;
}) {
  const { log } = parts;
  const waiting: Waiting[] = [];
  const seen = new Set<string>();
  const counts = { compared: 0, different: 0, skipped: 0 };
  let working: Promise<void> | null = null;

  async function compare({ exchange, refusal }: Waiting): Promise<void> {
    const { call, answer } = exchange;
    const { worlds, emulator } = parts;
    const { ledger, bank } = worlds.of(call.session);
    const given = await emulator.answer(call, { ledger, bank, refusal, now: call.at, signal: NEVER });
    if (answer === null || given === null) return;
    counts.compared += 1;
    const differences = compareAnswers(answer, given.answer, { headers: HEADERS })
      .filter(isOfForm)
      .map(withoutValues);
    if (differences.length > 0) counts.different += 1;
    note(exchange, differences);
  }

  function note({ call }: Exchange, differences: readonly ShadowDifference[]): void {
    const operation = call.operation ?? 'none';
    const added = differences.filter((difference) => {
      const key = `${operation} ${Object.values(difference).join(' ')}`;
      if (seen.has(key) || seen.size >= MOST_NOTED) return false;
      seen.add(key);
      return true;
    });
    if (added.length === 0) return;
    const settings = { exchange: call.id, operation, differences: added };
    parts.note(call.session, { at: parts.clock(), kind: 'shadow', settings });
    log.info(
      { ...settings, differences: added.map(({ place }) => place) },
      'The emulator answers differently from the bank.',
    );
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // Replies leave first.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await compare(next);
      } catch (error) {
        log.error({ ...errorFacts(error), exchange: next.exchange.call.id }, 'The shadow failed.');
      }
    }
    working = null;
  }

  const idle = async (): Promise<void> => {
    while (working !== null) await working;
  };
  return {
    /** Takes an exchange that is kept already; nobody waits for what it makes of it. */
    offer: (exchange: Exchange, { refusal }: Pick<Waiting, 'refusal'>): void => {
      if (!isSafe(exchange)) return;
      if (waiting.length >= MOST_WAITING) {
        counts.skipped += 1;
        return;
      }
      waiting.push({ exchange, refusal });
      working ??= work();
    },
    idle,
    close: async (): Promise<void> => {
      waiting.length = 0;
      await idle();
      log.info({ ...counts, noted: seen.size }, 'The shadow has stopped.');
    },
  };
}

const NEVER = new AbortController().signal;
/** Other headers of the emulator are its own affair. */
const HEADERS = ['content-type'];

/** Nothing that changes anything is sent twice, be it to an emulator. */
function isSafe({ call, answer }: Exchange): boolean {
  return (
    answer?.source === 'upstream' &&
    call.request.method === 'GET' &&
    call.listener === 'api' &&
    call.operation !== null
  );
}

/** The values of a bank are others than those of the emulator: status, fields and types are what they must share. */
function isOfForm({ class: kind }: Difference): boolean {
  return kind === 'breaking' || kind === 'additive';
}

function withoutValues({ class: kind, what, place, was, now }: Difference): ShadowDifference {
  const shown = (text: string): string => {
    if (what === 'status' || what === 'body') return text;
    // `string BE68…` is a type with its value.
    return what === 'type' ? (text.split(' ', 1)[0] ?? '') : '';
  };
  return { class: kind, what, place, bank: shown(was), emulator: shown(now) };
}
