/** Who answers, how strictly, and in which form: what can be changed while the gateway runs; each change is noted in its sessions. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { checkWaivers, type Judge, type Profile, RULES, type Rule, type Waiver } from '../../rules/index.js';
import { SandgateError } from '../../spec/index.js';
import { type Awaitable, after } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { stances } from '../config/stances.js';
import { readWanted, SCA_LINKS, STANCES, values } from '../config/values.js';
import type { Apply } from './headers.js';

type Switched = Pick<Config, 'source' | 'stance' | 'stances' | 'profile' | 'bank' | 'scaLink'>;
export type Positions = Switched & { readonly stances: NonNullable<Switched['stances']> };

export type Switches = ReturnType<typeof createSwitches>;

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

/** `share` makes a change for all gateways or for none, `onChange` is given what is different then. */
export function createSwitches({
  start,
  problemOf,
  share,
  onChange,
}: {
  readonly start: Switched;
  /** Why this cannot be switched to. */
  readonly problemOf: (wanted: Positions) => SandgateError | null;
  readonly share: (apply: Apply) => Awaitable<void>;
  readonly onChange: (changed: Partial<Positions>) => void;
}) {
  const { source, stance, stances: some = [], profile, bank, scaLink } = start;
  let positions: Positions = { source, stance, stances: some, profile, bank, scaLink };
  return {
    current: (): Positions => positions,
    wanted: wantedSchema,
    /** All of it or nothing. @throws SandgateError for what cannot be meant */
    change: (given: unknown): Awaitable<Positions> => {
      const asked = readWanted(wantedSchema, given);
      // What differs shows when it is shared: another gateway may have switched meanwhile.
      let changed: Partial<Positions> = {};
      const apply: Apply = () => {
        const before = positions;
        changed = differences(before, asked);
        if (Object.keys(changed).length === 0) return null;
        const wanted = { ...before, ...changed };
        const isElsewhere = changed.source !== undefined || changed.bank !== undefined;
        const problem = isElsewhere ? problemOf(wanted) : null;
        if (problem !== null) throw problem;
        positions = wanted;
        return () => {
          positions = before;
        };
      };
      return after(share(apply), () => {
        if (Object.keys(changed).length > 0) onChange(changed);
        return positions;
      });
    },
    adopt: (shared: Positions): void => {
      positions = shared;
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

/** `create` is asked for each profile once, until `renew` says that judges are made of something else. */
export function createSwitchedJudge(
  create: (profile: Profile) => Judge,
  profile: () => Profile,
): Judge & { readonly renew: () => void } {
  const judges = new Map<Profile, Judge>();
  const current = (): Judge => {
    const wanted = profile();
    const known = judges.get(wanted) ?? create(wanted);
    judges.set(wanted, known);
    return known;
  };
  current();
  return {
    renew: () => judges.clear(),
    get options() {
      return current().options;
    },
    get window() {
      return current().window;
    },
    judgeCall: (call, ledger) => current().judgeCall(call, ledger),
    judgeExchange: (exchange, ledger, before) => current().judgeExchange(exchange, ledger, before),
  };
}

/** A waiver is looked at for each call. */
const MOST = 100;

/** Findings that are waived, with those that an operator adds while the gateway runs. */
export function createWaivers({
  start,
  today,
  own,
  share,
  renew,
  onAdded,
}: {
  readonly start: readonly Waiver[];
  readonly today: () => string;
  readonly own: () => readonly Rule[];
  readonly share: (apply: Apply) => Awaitable<void>;
  readonly renew: () => void;
  readonly onAdded: (all: readonly Waiver[]) => void;
}) {
  let configured = start;
  /** With those that an operator has added. */
  const under = (next: readonly Waiver[]): readonly Waiver[] => {
    const isAdded = (one: Waiver): boolean => !configured.some((known) => isDeepStrictEqual(known, one));
    return [...next, ...waivers.filter((one) => isAdded(one) && one.until >= today())];
  };
  let waivers = start;
  const adopt = (all: readonly Waiver[]): void => {
    waivers = all;
    renew();
  };
  return {
    current: (): readonly Waiver[] => waivers,
    /** As another gateway has them; what has ended meanwhile would be a mistake. */
    adopt: (all: readonly Waiver[]): void => adopt(all.filter(({ until }) => until >= today())),
    under,
    configure: (next: readonly Waiver[]): void => {
      const all = under(next);
      configured = next;
      adopt(all);
    },
    add: (waiver: Waiver): Awaitable<readonly Waiver[]> => {
      checkWaivers([...RULES, ...own()], [waiver], today());
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
