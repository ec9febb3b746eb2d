/** The parameters of each handler of the living bank, and the type of a handler. */
import type { BankView, Books } from '../../bank/index.js';
import type { Call } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';
import type { AnswerContext, Answered } from '../answerer.js';
import type { Bank, Moment } from '../emulator/bank.js';

export interface LivingBank extends Bank {
  /** Whether each status of a payment is told to this address, where a TPP asks for that. */
  readonly notifies: (uri: string) => boolean;
  /** How long the link of a new authorisation leads to its SCA. */
  readonly scaLinkMs: number;
}

export interface LivingMoment extends Moment {
  /** The bank before the call. */
  readonly bank: BankView;
  /** The same, beside who there is at this moment. */
  readonly books: Books;
  readonly stored?: AnswerContext['stored'];
}

/** Total: gives an answer whatever the call holds, with what it changes; null hands the call to the sandbox bank. */
export type LivingHandler = (call: Call, moment: LivingMoment) => Answered | null;

/** The handlers of some operations; `createLivingBank` puts those of all together, and does not compile without one. */
export type LivingHandlers = { readonly [Id in OperationId]?: LivingHandler };

/** An operation that needs no memory. */
export const leaveToSandbox: LivingHandler = () => null;
