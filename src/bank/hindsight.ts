/** What was known as a recording went on: its exchanges taught it, and steps of its world changed it as they do live. */
import type { Exchange, Fingerprint, NoteSettings, StepNote } from '../exchange/index.js';
import { advance, type LedgerState } from '../ledger/index.js';
import { type Dialect, dialectOf } from '../spec/index.js';
import { applyStep, MOST_SNAPSHOTS, tidySnapshots, type WorldStep } from './snapshots.js';
import { applyFacts, createWorld } from './world.js';

export interface Hindsight {
  readonly ledger: LedgerState;
  /** `dialect`: by which it was judged, if another one. */
  readonly learn: (exchange: Exchange, dialect?: Dialect) => void;
  readonly befall: (step: StepNote) => void;
}

export function createHindsight(fingerprint: Fingerprint, dialect = dialectOf()): Hindsight {
  const world = createWorld();
  const isPossible = (step: WorldStep): boolean => {
    const { snapshots } = world;
    if (step.step === 'take') return snapshots.has(step.name) || snapshots.size < MOST_SNAPSHOTS;
    return step.step !== 'restore' || snapshots.has(step.name);
  };
  const forget = (): void => {
    world.snapshots.clear();
    applyStep(world, { step: 'reset' });
    world.ledger.isPartial = true;
  };
  return {
    get ledger() {
      return world.ledger;
    },
    learn: (exchange, by = dialect) => {
      if (exchange.withheld === undefined)
        applyFacts(world, advance(world.ledger, exchange, fingerprint, by));
    },
    befall: (note) => {
      const step = stepOf(note);
      if (isPossible(step)) applyStep(world, step);
      // What was known at a snapshot that is not recorded, nobody can tell; nor of more of them than there can be.
      else forget();
      tidySnapshots(world);
    },
  };
}

function stepOf({ at, kind, settings }: StepNote): WorldStep {
  if (kind === 'started') return { step: 'reset' };
  const { action, name: given } = settings as NoteSettings<'bank'>;
  const name = String(given);
  if (action === 'snapshot') return { step: 'take', name, at, clock: {} };
  if (action === 'reset') return { step: 'reset' };
  return { step: action === 'drop' ? 'drop' : 'restore', name };
}
