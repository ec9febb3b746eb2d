/** Findings that are let pass, with those that an operator adds while the gateway runs. */
import type { WaiversPort } from '../../admin/index.js';
import { checkWaivers, RULES, type Waiver } from '../../rules/index.js';
import { SandgateError } from '../../spec/index.js';
import { type Awaitable, after } from '../../store/index.js';

export interface WaiversParts {
  readonly start: readonly Waiver[];
  /** YYYY-MM-DD. */
  readonly today: () => string;
  /** Adds it for all gateways or for none; see `Headers.share`. */
  readonly share: (apply: () => () => void) => Awaitable<void>;
  /** What is let pass is another now. */
  readonly renew: () => void;
  /** Told of all of them where one was added here. */
  readonly onAdded: (all: readonly Waiver[]) => void;
}

export interface Waivers extends WaiversPort {
  readonly current: () => readonly Waiver[];
  /** As another gateway has them. */
  readonly adopt: (all: readonly Waiver[]) => void;
}

/** Each is looked at for each call. */
const MOST = 100;

export function createWaivers({ start, today, share, renew, onAdded }: WaiversParts): Waivers {
  let waivers = start;
  const adopt = (all: readonly Waiver[]): void => {
    waivers = all;
    renew();
  };
  return {
    current: () => waivers,
    // What has ended meanwhile would be a mistake.
    adopt: (all) => adopt(all.filter(({ until }) => until >= today())),
    add: (waiver) => {
      checkWaivers(RULES, [waiver], today());
      const apply = (): (() => void) => {
        const before = waivers;
        if (before.length >= MOST) throw new SandgateError('waiver.many', { most: MOST });
        adopt([...before, waiver]);
        return () => adopt(before);
      };
      return after(share(apply), () => {
        onAdded(waivers);
        return waivers;
      });
    },
  };
}
