/** The stored form of an exchange. */
import type { Call, Fault, Injection } from '../exchange.js';
import type { Answer } from '../message.js';
import type { Body } from '../wire.js';

/** A header with its value, or its name alone where the value is among those of the call. */
export type PackedHeader = readonly [name: string, value: string] | readonly [name: string];

/** Parts that repeat from call to call; a store keeps equal ones once. */
export interface PackedShape {
  readonly format: number;
  readonly listener: Call['listener'];
  /** `absent`, `not-observed`, or the reference of the facts (`certificateReference`). */
  readonly certificate: string;
  /** The same of the certificate of its signature. */
  readonly seal?: string | undefined;
  readonly tpp: string | null;
  readonly operation: Call['operation'];
  readonly method: string;
  readonly tls: Call['connection']['tls'];
  readonly bank?: string | undefined;
  readonly sender?: Call['connection']['sender'] | undefined;
  readonly params: readonly string[];
  readonly allow?: readonly string[] | undefined;
  readonly nearest?: string | undefined;
  readonly headers: readonly PackedHeader[];
  readonly answer: {
    readonly source: Answer['source'];
    readonly status: number;
    readonly headers: readonly PackedHeader[];
  } | null;
  readonly fault?: Fault['kind'] | undefined;
}

/** A body without its text: its size, or all facts where there are more. */
export type PackedBody = number | Omit<Body, 'text'> | null;

export type PackedOwn = readonly [
  at: number,
  elapsedTotal: number,
  elapsedAnswerer: number | readonly [answerer: number, firstByte: number],
  address: string,
  target: string,
  params: readonly string[],
  headerValues: readonly string[],
  body: PackedBody,
  /** A number is the place of the same value among `headerValues`. */
  answerHeaderValues: readonly (string | number)[],
  answerBody: PackedBody,
  /** null: there is none, and more follows. */
  faultMessage?: string | null,
  /** The shift of the clock in ms, if it was moved. */
  ahead?: number,
  crossed?: number,
  /** See `Exchange`; null: there is none, and more follows. */
  scope?: string | null,
  injected?: Injection | null,
  /** All but the content stands here: `erased`, or the id of the key under which the content is enciphered. */
  withheld?: string,
];

export interface PackedExchange {
  readonly id: string;
  readonly session: string;
  readonly shape: PackedShape;
  readonly own: PackedOwn;
  readonly requestBody: string | null;
  readonly answerBody: string | null;
}
