/** The counterparts in a report: who answered, and of a bank where and as whom it was asked. */

import { createRoute, type Route } from '../../answer/index.js';
import {
  arrivedAt,
  type Call,
  type Exchange,
  type GatewayNote,
  gatewayNotes,
  isForBank,
  type SessionNote,
} from '../../exchange/index.js';
import type { Report, ShownCertificate } from '../model.js';
import { type Collector, createTallies, order } from './collector.js';

export interface BankSeen {
  readonly address: string;
  readonly shown: ShownCertificate | 'not-recorded' | null;
}

type State = GatewayNote['settings'] &
  Pick<GatewayNote, 'at'> & { readonly upstreamFor: Route<string | undefined> };

/** null where no bank was asked, or the session does not tell which. */
export type BankOf = (exchange: Exchange) => BankSeen | null;

/** Which bank was asked for a call, and with which of our certificates, from the notes of its session. */
export function createBankOf(notes: readonly SessionNote[]): BankOf {
  const states = statesOf(notes);
  return ({ call, answer }) => {
    // A file of others tells where each call went.
    if (call.connection.bank !== undefined) return { address: call.connection.bank, shown: 'not-recorded' };
    if (answer !== null && answer.source !== 'upstream' && answer.source !== 'gateway') return null;
    const state = states.findLast(({ at }) => at <= arrivedAt(call)) ?? states[0];
    const address =
      (call.listener === 'psu' ? state?.upstreamPsu : undefined) ?? state?.upstreamFor(call.operation);
    if (state === undefined || address === undefined) return null;
    // The PSU's browser goes to the bank itself, or without a call that is recorded.
    if (call.listener === 'psu') return { address, shown: null };
    return { address, shown: shownTo(call, state) };
  };
}

function statesOf(notes: readonly SessionNote[]): State[] {
  const states: State[] = [];
  for (const { at, kind, settings } of gatewayNotes(notes)) {
    const { upstream, upstreamPsu, upstreamShown } = settings;
    if ((upstream ?? upstreamPsu ?? upstreamShown) === undefined) continue;
    const state = { ...(kind === 'changed' ? states.at(-1) : {}), ...settings };
    states.push({ ...state, at, upstreamFor: createRoute(state.upstreams ?? {}, () => state.upstream) });
  }
  return states;
}

function shownTo(call: Call, { upstreamShown = {} }: State): BankSeen['shown'] {
  const own = isKnownCaller(call) && call.tpp !== null ? upstreamShown[call.tpp] : undefined;
  const shown = own ?? upstreamShown.default;
  return shown === undefined ? 'not-recorded' : shown;
}

/** A TPP's own certificate is shown only if the caller proved to be that TPP. */
function isKnownCaller({ certificate, at }: Call): boolean {
  if (typeof certificate === 'string' || !certificate.chain.trusted) return false;
  const { revocation, notBefore, notAfter } = certificate;
  return revocation.status !== 'revoked' && Date.parse(notBefore) <= at && at <= Date.parse(notAfter);
}

/** `serial 12, CN=…, SHA-256 ab…`, of the TPP's certificate or ours. */
export const certificateLine = (
  one: Pick<ShownCertificate, 'serialNumber' | 'issuer' | 'fingerprint'>,
): string => `serial ${one.serialNumber}, ${one.issuer}, SHA-256 ${one.fingerprint}`;

const MEANINGS = {
  emulator: 'The built-in emulator of the bank',
  upstream: 'A real bank, through the gateway',
  replay: 'A recording, in place of the bank',
  rule: 'Refused by the gateway: stance enforce',
  gateway: 'The gateway itself',
  tpp: 'The TPP, to which notifications were sent',
  none: 'Nobody: no answer was given',
} as const;
const MOST_HOSTS = 20;

/** Its own refusals are none of a bank's. */
function whyGateway({ exchanges, unreached }: { exchanges: number; unreached: number }): string {
  const [way, own] = ['because the bank could not be reached', 'broken HTTP, or beyond its limits'];
  if (unreached === exchanges) return `, ${way}`;
  if (unreached === 0) return `: it did not take these calls, which were ${own}`;
  return `: ${unreached} ${way}; ${exchanges - unreached} for calls that it did not take, which were ${own}`;
}

const nothingFound = () => ({
  exchanges: 0,
  unreached: 0,
  hosts: createTallies(MOST_HOSTS),
  banks: new Set<string>(),
  shown: new Map<string, ShownCertificate>(),
});

export function collectCounterparts(bankOf: BankOf): Collector<Report['against']> {
  const found = new Map<keyof typeof MEANINGS, ReturnType<typeof nothingFound>>();
  return {
    take({ record: { exchange } }) {
      const isCallback = exchange.call.direction === 'to-tpp';
      const source = isCallback ? 'tpp' : (exchange.answer?.source ?? 'none');
      const row = found.get(source) ?? nothingFound();
      found.set(source, row);
      row.exchanges++;
      if (isForBank(exchange.answer)) row.unreached++;
      row.hosts.add((exchange.call.header.host ?? '').slice(0, 260));
      const bank = isCallback ? null : bankOf(exchange);
      if (bank === null) return;
      row.banks.add(bank.address);
      const { shown } = bank;
      if (shown !== null && shown !== 'not-recorded') row.shown.set(shown.fingerprint, shown);
    },
    finish: () =>
      (Object.keys(MEANINGS) as (keyof typeof MEANINGS)[]).flatMap((source) => {
        const row = found.get(source);
        if (row === undefined) return [];
        const hosts = row.hosts.list().map(({ value }) => value);
        return [
          {
            source,
            meaning: source === 'gateway' ? MEANINGS.gateway + whyGateway(row) : MEANINGS[source],
            exchanges: row.exchanges,
            hosts: hosts.filter((host) => host !== '').sort(order),
            banks: [...row.banks].sort(order),
            shown: [...row.shown.values()].sort((a, b) => order(a.fingerprint, b.fingerprint)),
          },
        ];
      }),
  };
}
