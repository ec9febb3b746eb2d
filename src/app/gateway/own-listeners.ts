/** Where the listeners of the gateways on a store are reached: nothing that a TPP chose the address of is sent there. */
import { networkInterfaces } from 'node:os';
import { isLoopbackAddress } from '../../spec/index.js';
import type { Awaitable } from '../../store/index.js';
import type { Apply, HeaderPart } from './headers.js';

/** As a socket is bound, or connected. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

export interface OwnListeners extends HeaderPart {
  /** This gateway listens there: tells all others. */
  readonly begin: (bound: readonly Place[]) => Awaitable<void>;
  /** It listens no longer. */
  readonly end: () => Awaitable<void>;
  /** Whether a connection has ended at a listener of any of the gateways. */
  readonly isOne: (place: Place) => Promise<boolean>;
}

export interface OwnListenersParts {
  /** No other gateway on the store has it while this one runs; the next one that has it puts its listeners in their place. */
  readonly lane: () => number;
  /** Makes the change for all gateways. */
  readonly share: (apply: Apply) => Awaitable<void>;
  /** Resolves when that counts here which other gateways have shared. */
  readonly catchUp: () => Promise<void>;
}

/** Names of places by lane. */
type Told = Readonly<Record<string, readonly string[]>>;

export function createOwnListeners({ lane, share, catchUp }: OwnListenersParts): OwnListeners {
  let bound: readonly Place[] = [];
  let told: Told = {};

  const tell = (places: readonly string[]) =>
    share(() => {
      const before = told;
      told = { ...told, [lane()]: places };
      return () => {
        told = before;
      };
    });

  return {
    under: 'all',
    read: () => told,
    adopt: (value) => {
      told = value as Told;
    },
    begin: (places) => {
      bound = places;
      return tell(namesOf(places));
    },
    end: () => tell([]),
    isOne: async (place) => {
      const name = nameOf(place);
      if (namesOf(bound).includes(name)) return true;
      await catchUp();
      return Object.values(told).some((names) => names.includes(name));
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
