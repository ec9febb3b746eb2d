/** What several gateways of one machine need once: made and locked by whoever starts them, before they start. */
import { SandgateError } from '../../spec/index.js';
import { isInMemory, SLOTS } from '../../store/index.js';
import { ensureCertificates } from '../certificates/ensure.js';
import { configuredTime } from '../clock/clock-settings.js';
import type { Config } from '../config/config.js';
import { openConfigured } from '../config/open-configured.js';
import { allSourcesOf } from '../config/values.js';
import type { SystemParts } from '../system/system-parts.js';
import { openEvidenceKey } from './evidence.js';

/**
 * Certificates, the evidence key, the store with its schema. What it gives holds a store that one group alone can serve,
 * until it is called. Throws a SandgateError as `startSandgate` does.
 */
export async function openGroup(
  config: Config,
  system: SystemParts,
  onProgress?: (text: string) => void,
): Promise<() => Promise<void>> {
  checkWorkers(config);
  const now = system.clock();
  const { dir } = await ensureCertificates(config.certs, now, onProgress, configuredTime(config, now));
  await openEvidenceKey(config, dir, system);
  const store = await openConfigured(config);
  const close = async (): Promise<void> => store.close();
  try {
    // Where others may serve besides, each process says so by itself.
    if ((await store.serve()).isShared) await close();
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

/** A store in memory, and a recording that is replayed, are of one process. */
function checkWorkers(config: Config): void {
  if (config.workers > SLOTS) throw new SandgateError('config.many-workers', { most: SLOTS });
  if (isInMemory(config.store)) throw new SandgateError('config.workers-memory', {});
  if (allSourcesOf(config).has('replay')) throw new SandgateError('config.workers-replay', {});
}
