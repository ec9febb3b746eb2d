/** The counterparts in a report: who answered, and of a bank where and as whom it was asked. */
import type { Report, ShownCertificate } from '../model.js';
import type { BankOf } from './bank-of.js';
import { type Collector, createTallies, order } from './collector.js';

const MEANINGS = {
  emulator: 'The built-in emulator of the bank',
  upstream: 'A real bank, through the gateway',
  replay: 'A recording, in place of the bank',
  rule: 'Refused by the gateway: stance enforce',
  gateway: 'The gateway itself, because the bank could not be reached',
  tpp: 'The TPP, to which notifications were sent',
  none: 'Nobody: no answer was given',
} as const;
const MOST_HOSTS = 20;

interface Found {
  exchanges: number;
  readonly hosts: ReturnType<typeof createTallies>;
  readonly banks: Set<string>;
  /** By fingerprint. */
  readonly shown: Map<string, ShownCertificate>;
}

export function collectCounterparts(bankOf: BankOf): Collector<Report['against']> {
  const found = new Map<keyof typeof MEANINGS, Found>();
  return {
    take({ record: { exchange } }) {
      const isCallback = exchange.call.direction === 'to-tpp';
      const source = isCallback ? 'tpp' : (exchange.answer?.source ?? 'none');
      const row = found.get(source) ?? {
        exchanges: 0,
        hosts: createTallies(MOST_HOSTS),
        banks: new Set<string>(),
        shown: new Map<string, ShownCertificate>(),
      };
      found.set(source, row);
      row.exchanges++;
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
            meaning: MEANINGS[source],
            exchanges: row.exchanges,
            hosts: hosts.filter((host) => host !== '').sort(order),
            banks: [...row.banks].sort(order),
            shown: [...row.shown.values()].sort((a, b) => order(a.fingerprint, b.fingerprint)),
          },
        ];
      }),
  };
}
