/** What tells whether others wrote to a world since somebody looked: another stamp each time, by notices of the server. */

export interface Stamps {
  readonly of: (world: string) => number;
  /** Others wrote to it. */
  readonly notice: (world: string) => void;
  /** All have another one: nobody knows what was written. */
  readonly renew: () => void;
}

const MOST = 10_000;

export function createStamps(): Stamps {
  const stamps = new Map<string, number>();
  let last = 0;
  /** The stamp of all worlds that have none of their own. */
  let common = 0;
  const renew = (): void => {
    stamps.clear();
    last += 1;
    common = last;
  };
  return {
    of: (world) => stamps.get(world) ?? common,
    notice: (world) => {
      if (stamps.size > MOST) renew();
      last += 1;
      stamps.set(world, last);
    },
    renew,
  };
}
