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
import { errorFacts } from '../system/log.js';
import type { SystemParts } from '../system/system-parts.js';
import { createFailureLog } from './bank-log.js';

export function openWitness(
  { checkpointTo, timestampUrl }: Pick<Config, 'checkpointTo' | 'timestampUrl'>,
  { clock, timer, log, chance }: Pick<SystemParts, 'clock' | 'timer' | 'log' | 'chance'>,
  store: Pick<Store, 'append'> & { readonly chains: Pick<StoredChains, 'takeUnsigned'> },
  sign: Sign,
): Witness {
  const warnOf = (text: string) => {
    const warn = createFailureLog({ log, clock }, text);
    return (error: unknown): void => {
      // What others do not take is nothing that happened in this program's code.
      const { stack: _, ...facts } = errorFacts(error);
      warn(facts);
    };
  };
  const queues: Queue<Signed>[] = [];
  if (checkpointTo !== undefined) {
    const publish = publisherTo(checkpointTo);
    const text = `A checkpoint could not be delivered to ${checkpointTo}; it is in the store.`;
    queues.push(createQueue(({ statement }) => publish(statement), warnOf(text)));
  }
  if (timestampUrl !== undefined) {
    const stamp = createStamper({ url: timestampUrl.href, store, clock, chance });
    queues.push(
      createQueue(stamp, warnOf(`A checkpoint could not be time-stamped by ${timestampUrl.href}.`)),
    );
  }
  const witness = createWitness({
    store,
    sign,
    clock,
    timer,
    onCheckpoint: (checkpoint) => {
      for (const queue of queues) queue.add(checkpoint);
    },
    onProblem: warnOf('A checkpoint could not be stored.'),
  });
  return {
    ...witness,
    close: async () => {
      await witness.close();
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
