/** A cell of the grid: a journey under some weather, as a row. */
import type { ScaScenario } from '../../spec/index.js';

export const FAMILIES = [
  'sca',
  'return',
  'token',
  'limit',
  'consent',
  'paging',
  'data',
  'payment',
  'notification',
  'certificate',
  'transport',
  'crowd',
] as const;
export type Family = (typeof FAMILIES)[number];

/** Deeds of the bank or the PSU without a call: on the newest consent or payment, or on accounts of the PSU. */
export const BANK_ACTIONS = [
  'revokes the consent',
  'expires the consent',
  'settles the payment',
  'rejects the payment',
  'books a posting',
  'books into the past',
  'books another currency',
  'holds a card payment',
  'closes an account',
  'blocks an account',
  'changes an IBAN',
] as const;
export type BankAction = (typeof BANK_ACTIONS)[number];

type Action = 'link' | 'sync' | 'pay';
/**
 * `link`, `pay SCA_NOK`, `link and leave` (the PSU goes away at the bank), `100 link` (at once, each with a PSU of its own),
 * `sync daily 90` (each on the next day), `clock 1d`, `bank revokes the consent`.
 */
export type Step =
  | Action
  | `${'link' | 'pay'} ${ScaScenario}`
  | `${'link' | 'pay'} and leave`
  | `${number} ${Action}`
  | `sync daily ${number}`
  | `clock ${string}`
  | `bank ${BankAction}`;

/** A fault as its engine takes it, but for its id. */
export interface Weather {
  readonly where: string;
  readonly after?: number;
  readonly count?: number;
  readonly share?: number;
  readonly do: { readonly kind: string; readonly [parameter: string]: string | number | boolean | null };
}

export interface Cell {
  readonly id: string;
  readonly family: Family;
  /** The event, in a sentence. */
  readonly happens: string;
  /** Before the weather; each of it must end well. */
  readonly calm: readonly Step[];
  readonly weather: readonly Weather[];
  readonly storm: readonly Step[];
  /** Once the weather has lifted; each of it must end well. */
  readonly after: readonly Step[];
  /** The place where it was seen. */
  readonly seen: string;
  /** The behaviour of a sound application. */
  readonly sound: string;
  /** Calls for one action that are fair beyond those of a calm day. */
  readonly calls: number;
  /** It must end well under the weather, too: nothing is wrong that an application could not get over. */
  readonly must?: true;
  /** Nobody can know what is wrong while it lasts: belief is compared after it alone. */
  readonly blind?: true;
  /** The PSU may end anywhere: it does not come back. */
  readonly away?: true;
  /** A call under this weather comes from a client that has not checked the bank's certificate. */
  readonly isUntrusted?: true;
  /** How the bank links to its SCA page; discovery where absent. */
  readonly scaLink?: 'direct';
  /** `TPP-Explicit-Authorisation-Preferred` that the application is asked for, by `{explicit}` in its plan. */
  readonly explicit?: boolean;
  readonly needs?: readonly ('belief' | 'notifications')[];
}

type Group = Pick<Cell, 'family' | 'seen' | 'sound'> & Partial<Omit<Cell, 'id'>>;
type Row = Pick<Cell, 'happens'> & Partial<Omit<Cell, 'id' | 'family'>>;

const CALLS = 8;

/** Cells of one kind, by their names; a row says what it has of its own. */
export function cells(group: Group, rows: Readonly<Record<string, Row>>): Cell[] {
  return Object.entries(rows).map(([name, row]) => ({
    ...{ calm: [], weather: [], storm: [], after: [], calls: CALLS },
    ...group,
    ...row,
    id: `${group.family}/${name}`,
  }));
}

type Parameters = Readonly<Record<string, string | number | boolean | null>>;

/** The fault of a kind for calls that fit; `row` is its count, share and the like. */
export const at = (
  where: string,
  kind: string,
  parameters: Parameters = {},
  row: Partial<Omit<Weather, 'where' | 'do'>> = {},
): Weather => ({ where, ...row, do: { kind, ...parameters } });
