/** Where the listeners of the gateways on a store are reached: nothing that a TPP chose the address of is sent there. */
import { networkInterfaces } from 'node:os';
import { isLoopbackAddress } from '../../spec/index.js';
import type { Awaitable } from '../../store/index.js';
import type { Apply } from './headers.js';

export interface Place {
  readonly address: string;
  readonly port: number;
}

/** Names of places by the slot of their gateway. */
type Places = Readonly<Record<string, readonly string[]>>;

/**
 * `slot`: no other gateway on the store has it while this one runs; the next one that has it puts its listeners in their
 * place. `catchUp` resolves when that counts here which other gateways have shared.
 */
export function createOwnListeners({
  slot,
  share,
  catchUp,
}: {
  readonly slot: () => number;
  readonly share: (apply: Apply) => Awaitable<void>;
  readonly catchUp: () => Promise<void>;
}) {
  let bound: readonly Place[] = [];
  let places: Places = {};

  const tell = (names: readonly string[]): Awaitable<void> =>
    share(() => {
      const before = places;
      places = { ...places, [slot()]: names };
      return () => {
        places = before;
      };
    });

  return {
    under: 'all',
    read: (): unknown => places,
    adopt: (value: unknown): void => {
      places = value as Places;
    },
    begin: (at: readonly Place[]): Awaitable<void> => {
      bound = at;
      return tell(namesOf(at));
    },
    end: (): Awaitable<void> => tell([]),
    isOne: async (place: Place): Promise<boolean> => {
      const name = nameOf(place);
      if (namesOf(bound).includes(name)) return true;
      await catchUp();
      return Object.values(places).some((names) => names.includes(name));
    },
  };
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** What is bound to every address is reached by each that the machine has now. */
function namesOf(places: readonly Place[]): string[] {
  const own = places.some(({ address }) => EVERYWHERE.has(address))
    ? Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
    : [];
  return places.flatMap(({ address, port }) =>
    (EVERYWHERE.has(address) ? ['::1', ...own] : [address]).map((one) => nameOf({ address: one, port })),
  );
}

/** All loopback addresses lead to one machine, and are not told apart. */
function nameOf({ address, port }: Place): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  return `${isLoopbackAddress(plain) ? 'loopback' : plain}:${port}`;
}
