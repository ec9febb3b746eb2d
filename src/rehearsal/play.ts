/** Plays the actions of a cell: PSUs link and pay, the application syncs; and says where each ended. */
import { hash } from 'node:crypto';
import type { ScaScenario } from '../spec/index.js';
import { amountOf, hasConsent, isAuthorised, type Psu, paymentsIn } from './books.js';
import type { Cell } from './cells/index.js';
import { type Ended, judgeAnswer, judgeWalk } from './outcome.js';
import type { PlannedRequest } from './plan.js';
import { callOf, fill, type Values } from './request.js';
import type { Saw } from './result.js';
import type { Stage } from './stage.js';
import type { ActionName } from './steps.js';

/** How an action ended; `isWrong`: the bank did not do what the application says is done. */
export interface Acted extends Ended {
  readonly isWrong?: true;
}

/** Applications pay to this account, which is at another bank. */
const CREDITOR = 'BE86986509812450';
/** The first of ten kinds of PSUs takes part: it has a current account of two pages, and a savings account. */
const KINDS = 10;
export const PSUS = 1_000;
const LONGEST_TEXT = 2_000;
/** Many at once have more time, by so much for each. */
const EACH_MS = 1_000;
const USUAL = { outcome: 'SCA_OK', leaves: false } as const;

export type Play = ReturnType<typeof createPlay>;

export function createPlay(cell: Pick<Cell, 'id' | 'explicit'>, stage: Stage) {
  const { plan, bank, gateway, ask, system } = stage;
  const chance = hash('sha256', `${stage.seed} ${cell.id}`, 'buffer').readUInt32BE();
  const psus: Psu[] = [];
  const saw: Saw[] = [];
  /** Payments that nobody authorised, of actions that were told to have failed. */
  const excused = new Set<string>();
  let cents = 100 + (chance % 4_900);

  const psuAt = (place: number): Psu => {
    const known = psus[place];
    if (known !== undefined) return known;
    const from = (((chance + place) % (PSUS / KINDS)) | 0) * KINDS;
    const [psu] = bank.psus(from, 1);
    if (psu === undefined) throw new Error('The bank has no PSUs.');
    psus[place] = psu;
    return psu;
  };
  const valuesFor = (psu: Psu): Values => {
    const now = new Date(gateway.clock.now()).toISOString();
    cents += 1;
    return {
      iban: CREDITOR,
      amount: (cents / 100).toFixed(2),
      debtor: psu.accounts[0]?.iban ?? '',
      psu: psu.id,
      now,
      today: now.slice(0, 10),
      explicit: String(cell.explicit ?? false),
    };
  };
  const show = (action: string, { end, why }: Ended, at: Pick<Saw, 'url' | 'text' | 'picture'>): void => {
    saw.push({ action, end: why === '' ? end : `${end}: ${why}`, ...at });
  };

  /** Within the time of an action, or until the user ends the rehearsal. */
  const timed = async <T>(work: (signal: AbortSignal) => Promise<T>, ms = stage.actionMs) => {
    const late = new AbortController();
    const stop = () => late.abort();
    const cancel = system.timer.after(ms, stop);
    stage.signal.addEventListener('abort', stop);
    try {
      const result = await work(late.signal);
      return { result, isLate: late.signal.aborted };
    } finally {
      cancel();
      stage.signal.removeEventListener('abort', stop);
    }
  };

  /** `name`: what it is shown as; null: not at all. */
  const request = async (
    name: string | null,
    wanted: PlannedRequest,
  ): Promise<Acted & { readonly text: string }> => {
    const sent = fill(wanted, valuesFor(psuAt(0)));
    const { result, isLate } = await timed((signal) => ask(sent, signal));
    const ended = judgeAnswer(result, isLate);
    const text = typeof result === 'string' ? result : result.text;
    if (name !== null) show(name, ended, { url: sent.url.href, text: text.slice(0, LONGEST_TEXT) });
    return { ...ended, text };
  };

  const walk = async (
    action: 'link' | 'pay',
    place: number,
    { outcome, leaves }: { readonly outcome: ScaScenario; readonly leaves: boolean },
    times: number,
  ): Promise<Acted> => {
    const journey = plan.app[action];
    if (journey === undefined) throw new Error(`The plan has no ${action}.`);
    const psu = psuAt(place);
    const values = valuesFor(psu);
    const { result, isLate } = await timed(
      (signal) => stage.driverOf(journey).walk({ psu, outcome, leaves, journey, values, signal }),
      stage.actionMs + (times - 1) * EACH_MS,
    );
    const ended = await judgeWalk(result, journey, { isLate, psuOrigin: stage.psuOrigin }, async (call) => {
      const { result: answer } = await timed((signal) => ask(callOf(call, values), signal));
      return typeof answer !== 'string' && answer.status < 300;
    });
    const acted = ended.end === 'done' ? { ...ended, ...wrongOf(action, psu, values) } : ended;
    if (ended.end !== 'done')
      for (const one of paymentsIn(bank)) if (!isAuthorised(one)) excused.add(one.paymentId);
    const { picture, url, text } = result;
    show(`${action} ${outcome}`, acted, {
      url,
      text: text.slice(0, LONGEST_TEXT),
      ...(picture && { picture }),
    });
    return acted;
  };

  /** The bank must have done it, too. */
  function wrongOf(action: 'link' | 'pay', psu: Psu, { amount }: Values): Partial<Acted> {
    const wrong = (why: string) =>
      ({ why: `the application says that it is done, and ${why}`, isWrong: true }) as const;
    if (action === 'link') return hasConsent(bank, psu) ? {} : wrong('the bank has no valid consent');
    const payment = paymentsIn(bank).find((one) => amountOf(one) === amount);
    if (payment === undefined) return wrong('the bank has no such payment');
    return isAuthorised(payment)
      ? {}
      : wrong(`nobody authorised it: the payment is ${payment.transactionStatus}`);
  }

  /** So many at once; PSUs link each for itself, and one pays. */
  const act = (
    action: ActionName,
    how: { readonly outcome: ScaScenario; readonly leaves: boolean } = USUAL,
    times = 1,
  ): Promise<readonly Acted[]> =>
    Promise.all(
      Array.from({ length: times }, (_, place) => {
        if (action !== 'sync') return walk(action, action === 'link' ? place : 0, how, times);
        if (plan.app.sync === undefined) throw new Error('The plan has no sync.');
        return request('sync', plan.app.sync);
      }),
    );

  return { psus, saw, excused, psuAt, request, act };
}
