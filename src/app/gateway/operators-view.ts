/** Lets operators see what another gateway was told a moment ago. */
import { COMMON_PARTITION } from '../../bank/index.js';
import type { Recorder } from '../../recorder/index.js';
import type { StoredWorlds } from '../../store/index.js';
import type { RunningWorld } from './worlds.js';

/**
 * What it gives resolves when that counts here which any gateway shared before (`Headers.share`); where the store fails,
 * what is known counts.
 */
export function createOperatorsView({
  store,
  recorder,
  common,
}: {
  readonly store: { readonly worlds: Pick<StoredWorlds, 'epoch'> };
  readonly recorder: Pick<Recorder, 'catchUp' | 'problem'>;
  readonly common: Pick<RunningWorld, 'name' | 'known'>;
}): () => Promise<void> {
  const { name, known } = common;
  const catchUp = async (): Promise<void> => {
    // What waits to be kept is taken back for nothing less than that another gateway changed something; or that this one
    // did, where the store has committed it and has not said so yet: that costs judging anew, once.
    if (known != null && (await store.worlds.epoch(name)) > known.state.epoch)
      await recorder.catchUp(name, COMMON_PARTITION);
  };
  const gathered = gather(() => catchUp().catch(() => {}));
  // A store that fails may not answer for long.
  return async () => void (known != null && recorder.problem() === null && (await gathered()));
}

/** Callers who ask while it runs share the next run, which begins after they asked. */
function gather(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    running = run().finally(() => {
      if (next === null) running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.then(begin);
    return next;
  };
}
