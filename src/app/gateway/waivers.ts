/** Findings that are let pass, with those that an operator adds while the gateway runs. */
import type { WaiversPort } from '../../admin/index.js';
import { checkWaivers, RULES, type Waiver } from '../../rules/index.js';
import { SandgateError } from '../../spec/index.js';

export interface WaiversParts {
  readonly start: readonly Waiver[];
  /** YYYY-MM-DD. */
  readonly today: () => string;
  readonly onChange: (all: readonly Waiver[]) => void;
}

/** Each is looked at for each call. */
const MOST = 100;

export function createWaivers({ start, today, onChange }: WaiversParts): WaiversPort {
  let waivers = start;
  return {
    current: () => waivers,
    add: (waiver) => {
      checkWaivers(RULES, [waiver], today());
      if (waivers.length >= MOST) throw new SandgateError('waiver.many', { most: MOST });
      waivers = [...waivers, waiver];
      onChange(waivers);
      return waivers;
    },
  };
}
