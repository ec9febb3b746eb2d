/** Opens the witness that signs checkpoints, and delivers them as configured. */
import {
  createQueue,
  createStamper,
  createWitness,
  publisherTo,
  type Queue,
  type Sign,
  type Signed,
  type Witness,
} from '../../evidence/index.js';
import type { Store, StoredChains } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { errorFacts, type Log } from '../system/log.js';
import type { SystemParts } from '../system/system-parts.js';

export function openWitness(
  { checkpointTo, timestampUrl }: Pick<Config, 'checkpointTo' | 'timestampUrl'>,
  { clock, timer, log, chance }: Pick<SystemParts, 'clock' | 'timer' | 'log' | 'chance'>,
  store: Pick<Store, 'append'> & { readonly chains: Pick<StoredChains, 'takeUnsigned'> },
  sign: Sign,
): Witness {
  const tell = createTeller(log, clock);
  const queues: Queue<Signed>[] = [];
  if (checkpointTo !== undefined) {
    const publish = publisherTo(checkpointTo);
    const text = `A checkpoint could not be delivered to ${checkpointTo}; it is in the store.`;
    queues.push(
      createQueue(
        ({ statement }) => publish(statement),
        (error) => tell(error, text),
      ),
    );
  }
  if (timestampUrl !== undefined) {
    const stamp = createStamper({ url: timestampUrl.href, store, clock, chance });
    const text = `A checkpoint could not be time-stamped by ${timestampUrl.href}.`;
    queues.push(createQueue(stamp, (error) => tell(error, text)));
  }
  const witness = createWitness({
    store,
    sign,
    clock,
    timer,
    onCheckpoint: (checkpoint) => {
      for (const queue of queues) queue.add(checkpoint);
    },
    onProblem: (error) => tell(error, 'A checkpoint could not be stored.'),
  });
  return {
    grew: witness.grew,
    now: witness.now,
    close: async () => {
      await witness.close();
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

const TELL_EVERY_MS = 60_000;

/** One line a text and minute, however often it happens. */
function createTeller(log: Log, clock: () => number): (error: unknown, text: string) => void {
  const told = new Map<string, { at: number; untold: number }>();
  return (error, text) => {
    const last = told.get(text);
    if (last !== undefined && clock() - last.at < TELL_EVERY_MS) {
      last.untold += 1;
      return;
    }
    told.set(text, { at: clock(), untold: 0 });
    // What others do not take is nothing that happened in this program's code.
    const { stack: _, ...facts } = errorFacts(error);
    log.warn({ ...facts, before: last?.untold ?? 0 }, text);
  };
}
