/** Who answered: an emulator, a bank, a recording, or the gateway itself. */
import type { Report } from '../model.js';
import { type Collector, createTallies, order } from './collector.js';

const MEANINGS = {
  emulator: 'The built-in emulator of the bank',
  upstream: 'A real bank, through the gateway',
  replay: 'A recording that answered in the bank’s place',
  rule: 'Refused by the gateway: stance enforce',
  gateway: 'The gateway itself: a fault on the way to the bank',
  none: 'Nobody: no answer was given',
} as const;
const MOST_HOSTS = 20;

export function collectCounterparts(): Collector<Report['against']> {
  const found = new Map<
    keyof typeof MEANINGS,
    { exchanges: number; hosts: ReturnType<typeof createTallies> }
  >();
  return {
    take({ record: { exchange } }) {
      const source = exchange.answer?.source ?? 'none';
      const row = found.get(source) ?? { exchanges: 0, hosts: createTallies(MOST_HOSTS) };
      found.set(source, row);
      row.exchanges++;
      row.hosts.add((exchange.call.header.host ?? '').slice(0, 260));
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
          },
        ];
      }),
  };
}
