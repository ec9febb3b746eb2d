/** The parts of a gateway that the admin API asks, and has do things. */
import type * as z from 'zod';
import type { ReplayReport } from '../../answer/index.js';
import type { CalendarRow } from '../../certificate/index.js';
import type { Budget } from '../../ledger/index.js';
import type { Format } from '../../report/index.js';
import type { Waiver } from '../../rules/index.js';
import type { Awaitable, SessionInfo } from '../../store/index.js';
import type { FaultRow } from '../../weather/index.js';
import type { BankPort } from '../bank/schemas.js';
import type { WantedCertificate } from '../certificate.js';
import type { ExchangesPort } from '../exchanges/summary.js';
import type { Events } from '../live/events.js';
import type { LivePort } from '../live/port.js';
import type { Views } from '../live/views.js';
import type { change, clock, resend, Shown, settings } from './schemas.js';

export type ShownSettings = Shown<typeof settings>;
export type ShownClock = Shown<typeof clock>;
/** Changes to the recorded call before it is sent; a member that is absent stays as it was recorded. */
export type ResendWanted = Shown<typeof resend>;

export type ShownChange = Shown<typeof change>;

interface SettingsPort {
  readonly current: () => Awaitable<ShownSettings>;
  readonly wanted: z.ZodType;
  /** Throws a SandgateError for what cannot be meant, or rejects with it. */
  readonly change: (wanted: unknown) => Awaitable<ShownSettings>;
}

export interface ClockPort {
  /** `session` undefined: the clock of calls that name none. Rejects with a SandgateError if the session has no clock of its own. */
  readonly current: (session?: string) => Promise<ShownClock>;
  readonly wanted: z.ZodType;
  /** All of it or nothing; rejects with a SandgateError for what cannot be meant, too. */
  readonly change: (wanted: unknown, session?: string) => Promise<ShownClock>;
}

/** Resolves with the bytes of a file; nothing of it is kept. Rejects with SandgateErrors. */
type Issue = (wanted: WantedCertificate) => Promise<Uint8Array>;

export interface ResendPort {
  /** Resolves with the id of the new exchange. Rejects with SandgateErrors. */
  readonly send: (exchange: string, wanted: ResendWanted) => Promise<string>;
  /** Makes a journey at the emulator; resolves with its exchanges, the oldest first. */
  readonly makeJourney: () => Promise<readonly string[]>;
  readonly certificates: () => Promise<readonly string[]>;
}

export interface SessionsPort {
  readonly all: () => Awaitable<readonly SessionInfo[]>;
  readonly current: () => string;
  readonly begin: (name: string | undefined) => Awaitable<string>;
  /** Epoch ms. Throws a SandgateError where it is not being recorded. */
  readonly mark: (session: string, text: string) => number;
  readonly write: (
    session: SessionInfo,
    format: 'cassette' | 'har',
  ) => AsyncIterable<string> | Iterable<string>;
  /** Rejects with a SandgateError where another one is being made. */
  readonly report: (session: SessionInfo, format: Format) => Promise<Uint8Array>;
}

export interface WaiversPort {
  readonly current: () => Awaitable<readonly Waiver[]>;
  /** All of them. Throws a SandgateError for what cannot be meant. */
  readonly add: (waiver: Waiver) => Awaitable<readonly Waiver[]>;
}

/** A fault as written, with the number of calls that it has met. */
export type ShownFault = FaultRow & { readonly times: number };

interface FaultsPort {
  /** In the order in which they are tried. */
  readonly list: () => Awaitable<readonly ShownFault[]>;
  /** Throws a SandgateError, or rejects with it, for what cannot be meant. */
  readonly add: (row: unknown) => Awaitable<readonly ShownFault[]>;
  readonly remove: (id: string) => Awaitable<readonly ShownFault[]>;
  readonly clear: () => Awaitable<readonly ShownFault[]>;
}

/** An absent port has no routes. */
export interface Ports {
  readonly settings?: SettingsPort | undefined;
  readonly clock?: ClockPort | undefined;
  readonly bank?: BankPort | undefined;
  readonly faults?: FaultsPort | undefined;
  /** Limits with an access in the present window, in the order of their newest access. */
  readonly budgets?: { readonly current: (session?: string) => Promise<readonly Budget[]> } | undefined;
  readonly replay?: { readonly recording: { readonly report: () => ReplayReport } | null } | undefined;
  readonly exchanges?: ExchangesPort | undefined;
  readonly sessions?: SessionsPort | undefined;
  readonly issue?: { readonly now: Issue } | undefined;
  readonly calendar?: { readonly rows: () => Promise<CalendarRow[]> } | undefined;
  readonly reload?: { readonly now: () => Promise<{ readonly changed: readonly ShownChange[] }> } | undefined;
  readonly waivers?: WaiversPort | undefined;
  readonly evidence?: { readonly sign: () => Promise<void> } | undefined;
  readonly resend?: ResendPort | undefined;
  readonly live?: LivePort | undefined;
  readonly views?: Views | undefined;
  readonly events?: Events | undefined;
  readonly description?: { readonly of: () => Promise<{ readonly openapi: string }> } | undefined;
}
