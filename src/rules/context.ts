/** The context of rules: one call or exchange, and lookups that several rules share, each made once. */
import { Answer, type Call, type Exchange, type Fingerprint } from '../exchange/index.js';
import {
  type ConsentFact,
  consentOf,
  type DailyWindow,
  type Ledger,
  ownerOf,
  type TokenFact,
} from '../ledger/index.js';
import { SignedCall } from './checks/signed-call.js';
import type { ExchangeContext, JudgeOptions } from './rule.js';

/** Stands for the answer of a callback that nobody answered; `exchange.answer` is null then. */
const NO_ANSWER = new Answer('gateway', 0, [], null);

export type JudgeSettings = Pick<ExchangeContext, 'options' | 'window' | 'fingerprint'>;

/** A class: of its getters most calls need few, and what one rule has looked up the next ones know. */
export class Context implements ExchangeContext {
  readonly call: Call;
  readonly answer: Answer;
  readonly exchange: Exchange;
  readonly ledger: Ledger;
  readonly options: JudgeOptions;
  readonly window: DailyWindow;
  readonly fingerprint: Fingerprint;
  #token: TokenFact | null | undefined = undefined;
  #consent: ConsentFact | null | undefined = undefined;
  #signed: SignedCall | undefined = undefined;

  constructor(exchange: Exchange, ledger: Ledger, { options, window, fingerprint }: JudgeSettings) {
    this.call = exchange.call;
    this.answer = exchange.answer ?? NO_ANSWER;
    this.exchange = exchange;
    this.ledger = ledger;
    this.options = options;
    this.window = window;
    this.fingerprint = fingerprint;
  }

  get token(): TokenFact | undefined {
    if (this.#token === undefined) {
      const { bearer } = this.call.request;
      this.#token = (bearer === null ? null : this.ledger.tokens.get(this.fingerprint(bearer))) ?? null;
    }
    return this.#token ?? undefined;
  }

  get consent(): ConsentFact | undefined {
    if (this.#consent === undefined) {
      const id = this.call.header['consent-id'];
      this.#consent = (id ? consentOf(this.ledger, ownerOf(this.call), id) : null) ?? null;
    }
    return this.#consent ?? undefined;
  }

  get signed(): SignedCall {
    this.#signed ??= new SignedCall(this.call);
    return this.#signed;
  }
}
