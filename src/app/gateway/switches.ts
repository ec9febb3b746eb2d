/** Who answers, how strictly, and in which form: what can be changed while the gateway runs; each change is noted in its sessions. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { SandgateError } from '../../spec/index.js';
import { type Awaitable, after } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { stances } from '../config/stances.js';
import { readWanted, SCA_LINKS, STANCES, values } from '../config/values.js';
import type { Apply } from './headers.js';

type Switched = Pick<Config, 'source' | 'stance' | 'stances' | 'profile' | 'bank' | 'scaLink'>;
export type Positions = Switched & { readonly stances: NonNullable<Switched['stances']> };

export interface Switches {
  readonly current: () => Positions;
  /** Of what `change` takes. */
  readonly wanted: z.ZodType;
  /** All of it or nothing; throws a SandgateError for what cannot be meant. */
  readonly change: (wanted: unknown) => Awaitable<Positions>;
  /** As another gateway has put them. */
  readonly adopt: (positions: Positions) => void;
}

export interface SwitchesParts {
  readonly start: Switched;
  /** Why a source cannot be switched to; null where it can. */
  readonly problemOf: (source: string) => SandgateError | null;
  /** Makes the change for all gateways or for none. */
  readonly share: (apply: Apply) => Awaitable<void>;
  /** Told what is different now. */
  readonly onChange: (changed: Partial<Positions>) => void;
}

export const PROFILES = ['sandbox', 'production'] as const;
export const BANKS = ['sandbox', 'living'] as const;

const wantedSchema = z.strictObject(
  {
    source: values.sources.optional(),
    stance: values.oneOf(STANCES).optional(),
    stances: stances.optional(),
    profile: values.oneOf(PROFILES).optional(),
    bank: values.oneOf(BANKS).optional(),
    scaLink: values.oneOf(SCA_LINKS).optional(),
  },
  { error: 'only bank, source, stance, stances, profile and scaLink can be changed' },
);

export function createSwitches({ start, problemOf, share, onChange }: SwitchesParts): Switches {
  const { source, stance, stances: some = [], profile, bank, scaLink } = start;
  let positions: Positions = { source, stance, stances: some, profile, bank, scaLink };
  return {
    current: () => positions,
    wanted: wantedSchema,
    change: (wanted) => {
      const asked = readWanted(wantedSchema, wanted);
      // What differs shows when it is shared: another gateway may have switched meanwhile.
      let changed: Partial<Positions> = {};
      const apply: Apply = () => {
        const before = positions;
        changed = differences(before, asked);
        const problem = changed.source === undefined ? null : problemOf(changed.source);
        if (problem !== null) throw problem;
        if (Object.keys(changed).length === 0) return null;
        positions = { ...before, ...changed };
        return () => {
          positions = before;
        };
      };
      return after(share(apply), () => {
        if (Object.keys(changed).length > 0) onChange(changed);
        return positions;
      });
    },
    adopt: (wanted) => {
      positions = wanted;
    },
  };
}

function differences(before: Positions, wanted: z.infer<typeof wantedSchema>): Partial<Positions> {
  const entries = Object.entries(wanted) as [keyof Positions, unknown][];
  const changed = entries.filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name]),
  );
  return Object.fromEntries(changed) as Partial<Positions>;
}
