/** What a bank with habits does to what TPPs create: it follows from the seed and from what is created, and is decided once. */
import { memberOf } from '../../exchange/index.js';
import { bankDayAt, DAY_MS } from '../../spec/index.js';
import type { BankConsent, BankPayment } from '../facts.js';
import { numberFrom } from '../population/draw.js';
import { HABITS, type Habits, type PaymentHabit } from './habits.js';

export interface Draws {
  readonly payment: (
    asked: Pick<BankPayment, 'debtor' | 'creditor' | 'amount' | 'body'>,
    now: number,
  ) => PaymentHabit | undefined;
  /** For how many days a consent may be given. */
  readonly consentSpans: (tpp: string, now: number) => number;
  /** What becomes of a consent once the PSU has authenticated for it. */
  readonly consent: (
    consent: Pick<BankConsent, 'tpp'>,
    psu: string,
    now: number,
  ) => Pick<BankConsent, 'scaUntil' | 'revokesAt' | 'ownIds'>;
}

export function numberOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Each purpose draws numbers of its own. */
export type Draw = (purpose: string, ...parts: readonly (number | string)[]) => number;

export function createDraw(seed: number): Draw {
  const purposes = new Map<string, number>();
  return (purpose, ...parts) => {
    const number = purposes.get(purpose) ?? numberOfText(purpose);
    purposes.set(purpose, number);
    return numberFrom(
      seed,
      number,
      ...parts.map((part) => (typeof part === 'string' ? numberOfText(part) : part)),
    );
  };
}

const WHOLE = 2 ** 32;
export const isWithin = (share: number, drawn: number): boolean => drawn < share * WHOLE;

const HOUR_MS = 3_600_000;

export function createDraws({ payments, consents }: Habits, seed: number): Draws {
  const draw = createDraw(seed);
  return {
    payment: ({ debtor, creditor, amount, body }, now) => {
      const to = JSON.stringify(memberOf(body, 'creditorAccount') ?? null);
      const drawn = draw('payment', debtor ?? '', amount, to, bankDayAt(now));
      let until = 0;
      for (const habit of Object.keys(HABITS.payments) as PaymentHabit[]) {
        until += payments[habit];
        // Within the bank nothing comes back.
        if (isWithin(until, drawn)) return habit === 'returned' && creditor !== null ? undefined : habit;
      }
      return undefined;
    },
    consentSpans: (tpp, now) => (isWithin(consents.halfYear, draw('halfYear', tpp, bankDayAt(now))) ? 2 : 1),
    consent: ({ tpp }, psu, now) => {
      const day = bankDayAt(now);
      const is = (habit: keyof Habits['consents']) =>
        isWithin(consents[habit], draw(habit, psu, tpp, habit === 'ownIds' ? 0 : day));
      const after = (purpose: string, least: number, most: number) =>
        now + (least + (draw(purpose, psu, tpp, day) % (most - least + 1))) * DAY_MS;
      return {
        ...(is('scaAgain') ? { scaUntil: after('until', 30, 90) } : {}),
        ...(is('revoked') ? { revokesAt: after('revokes', 2, 60) + HOUR_MS } : {}),
        ...(is('ownIds') ? { ownIds: true } : {}),
      };
    },
  };
}

/** The resource id of an account as a consent shows it. */
export function shownId({ id, ownIds }: Pick<BankConsent, 'id' | 'ownIds'>, account: string): string {
  if (ownIds !== true) return account;
  const [consent, own] = [numberOfText(id), numberOfText(account)];
  const halves = [numberFrom(1, consent, own), numberFrom(2, consent, own)];
  return `r${halves.map((half) => half.toString(36).padStart(7, '0')).join('')}`;
}
