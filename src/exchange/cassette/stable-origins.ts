/** Where listeners were in a run, written the same from run to run, though their ports change. */
import type { OwnListener } from '../exchange.js';

/** Of each listener; several where several gateways recorded. The bank behind them stays where it is. */
export type RunOrigins = { readonly [L in OwnListener]?: string | readonly string[] } & {
  readonly bank?: readonly string[];
};

/** Those that a cassette names instead. */
const STABLE = { api: 'https://localhost:8443', psu: 'https://localhost:8444' } as const;
const LISTENERS = ['api', 'psu'] as const;

function originsOf(origins: RunOrigins, listener: OwnListener): readonly string[] {
  const given = origins[listener] ?? [];
  return typeof given === 'string' ? [given] : given;
}

/** Of the listeners that there were. */
export function stableOrigins(origins: RunOrigins = {}): Partial<Record<OwnListener, string>> {
  const used = LISTENERS.filter((listener) => originsOf(origins, listener).length > 0);
  return Object.fromEntries(used.map((listener) => [listener, STABLE[listener]]));
}

/** As Host names them, of the run and stable. */
export function hostsOf(origins: RunOrigins = {}): string[] {
  const stable = Object.values(stableOrigins(origins));
  const all = [...LISTENERS.flatMap((listener) => originsOf(origins, listener)), ...stable];
  return all.map((origin) => origin.replace(/^https?:\/\//, ''));
}

/** Writes the origins of the run as the stable ones, plain and percent-encoded. */
export function createStabiliser(origins: RunOrigins = {}): (text: string) => string {
  const swaps = LISTENERS.flatMap((listener) =>
    originsOf(origins, listener)
      .filter((origin) => origin !== STABLE[listener])
      .flatMap(
        (origin) =>
          [
            [exactly(origin), STABLE[listener]],
            [exactly(encodeURIComponent(origin)), encodeURIComponent(STABLE[listener])],
          ] as const,
      ),
  );
  return (text) => swaps.reduce((stable, [pattern, by]) => stable.replace(pattern, by), text);
}

/** The text where no digit of a longer port follows. */
function exactly(text: string): RegExp {
  return new RegExp(`${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\d)`, 'g');
}
