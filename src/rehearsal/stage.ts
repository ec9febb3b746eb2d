/** The stage of cells: the bank in this process, the application beside it, and what both did. */
import type { BankView } from '../admin/index.js';
import type { Sandgate, SystemParts } from '../app/index.js';
import type { RecordedExchange } from '../store/index.js';
import type { Application } from './application.js';
import type { Driver } from './drive/driver.js';
import type { Journey, Plan } from './plan.js';
import type { Ask } from './request.js';
import type { ShownCall } from './result.js';

export interface Stage {
  readonly plan: Plan;
  readonly seed: number;
  readonly gateway: Pick<
    Sandgate,
    'clock' | 'switches' | 'faults' | 'recorder' | 'notificationsDone' | 'closeIdle'
  >;
  readonly bank: BankView;
  readonly application: Application;
  readonly driverOf: (journey: Journey) => Driver;
  readonly ask: Ask;
  readonly psuOrigin: string;
  readonly system: Pick<SystemParts, 'stopwatch' | 'timer'>;
  /** All that was recorded since the last `begin`. */
  readonly recorded: () => readonly RecordedExchange[];
  /** Forgets what was recorded. */
  readonly begin: () => void;
  /** Epoch ms: where the clock stands when a cell begins. */
  readonly start: number;
  /** Aborted when the user ends the rehearsal. */
  readonly signal: AbortSignal;
  /** The time of one action, in ms. */
  readonly actionMs: number;
}

/** Calls of the application alone, as its bank counts them. */
export const isOfApplication = ({ exchange }: RecordedExchange): boolean => exchange.call.listener === 'api';

const BY = { api: 'application', psu: 'psu', callback: 'bank' } as const;
const LONGEST_PATH = 120;

export function shown({ exchange }: RecordedExchange): ShownCall {
  const { call, answer, fault, injected } = exchange;
  const { method, path } = call.request;
  const text = method === '' ? (fault?.message ?? 'a connection without a call') : `${method} ${path}`;
  return {
    id: call.id,
    from: BY[call.listener],
    call: text.slice(0, LONGEST_PATH),
    status: answer?.status ?? null,
    injected: injected?.kind ?? '',
  };
}
