/** The parts of a gateway that the admin API asks, and has do things. */
import type { z } from 'zod';
import type { ReplayReport } from '../../answer/index.js';
import type { Budget } from '../../ledger/index.js';
import type { BankPort } from '../bank/port.js';
import type { ExchangesPort } from '../exchanges/port.js';
import type { Events } from '../live/events.js';
import type { LivePort } from '../live/port.js';
import type { Views } from '../live/views.js';

export interface ShownSettings {
  readonly source: string;
  readonly stance: 'enforce' | 'observe';
  readonly profile: 'sandbox' | 'production';
  readonly bank: 'sandbox' | 'living';
}

export interface SettingsPort {
  readonly current: () => ShownSettings;
  /** Of what `change` takes. */
  readonly wanted: z.ZodType;
  /** Throws a SandgateError for what cannot be meant. */
  readonly change: (wanted: unknown) => ShownSettings;
}

export interface ShownClock {
  /** ISO 8601, UTC. */
  readonly now: string;
  readonly mode: 'real' | 'frozen' | 'running';
  /** As typed: `1`, `1d/1s`. */
  readonly speed: string;
}

export interface ClockPort {
  /** Throws a SandgateError where the session has no world of its own. */
  readonly current: (session?: string) => ShownClock;
  /** Of what `change` takes. */
  readonly wanted: z.ZodType;
  /** Throws a SandgateError for what cannot be meant, too. */
  readonly change: (wanted: unknown, session?: string) => ShownClock;
}

export interface BudgetsPort {
  /** In the world of a session; those with an access in the window of now, in the order of their newest access. */
  readonly current: (session?: string) => readonly Budget[];
}

export interface ReplayPort {
  readonly report: () => ReplayReport;
}

/** What is absent has no routes. */
export interface Ports {
  /** What may change while the gateway runs. */
  readonly settings?: SettingsPort | undefined;
  /** The time by which calls are judged and answered. */
  readonly clock?: ClockPort | undefined;
  /** What the living bank remembers. */
  readonly bank?: BankPort | undefined;
  /** What is left of the daily limit. */
  readonly budgets?: BudgetsPort | undefined;
  /** What became of the recording that answers. */
  readonly replay?: { readonly recording: ReplayPort | null } | undefined;
  /** What was recorded. */
  readonly exchanges?: ExchangesPort | undefined;
  /** What happens, as it happens. */
  readonly live?: LivePort | undefined;
  /** Made of it by the API itself. */
  readonly views?: Views | undefined;
  readonly events?: Events | undefined;
  readonly description?: { readonly of: () => object } | undefined;
  readonly api?: { readonly description: () => object } | undefined;
}
