/** Signs checkpoints: the key is a file readable by its owner only and never in the store; the witness delivers them. */
import {
  createQueue,
  createStamper,
  createWitness,
  openSigner,
  publisherTo,
  type Queue,
  type Sign,
  type Signed,
  type Witness,
} from '../../evidence/index.js';
import { isInMemory, type Store, type StoredChains } from '../../store/index.js';
import { evidenceKeyOf } from '../certificates/evidence-key.js';
import type { Config } from '../config/config.js';
import { errorFacts, type SystemParts } from '../system/system-parts.js';
import { createFailureLog } from './failure-logs.js';

/**
 * The given key, or that of the folder `dir`, which is made at the first start with its public half beside it. null for
 * a store in memory, and where the folder cannot be written: then nothing is signed, which the log says.
 * @throws SandgateError where the given file holds no key that can sign
 */
export async function openEvidenceKey(
  config: Pick<Config, 'evidenceKey' | 'store'>,
  dir: string,
  { log }: Pick<SystemParts, 'log'>,
): Promise<Sign | null> {
  if (isInMemory(config.store)) return null;
  let key: Awaited<ReturnType<typeof evidenceKeyOf>>;
  try {
    key = await evidenceKeyOf(config, dir);
  } catch (error) {
    if (config.evidenceKey !== undefined) throw error;
    log.warn(
      errorFacts(error),
      'The recording is not signed, because the key for it could not be created. Give one with --evidence-key.',
    );
    return null;
  }
  return openSigner(key.pem, key.file);
}

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
