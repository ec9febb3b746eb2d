/** Has a gateway that runs sign what it has recorded, so that a report does not depend on when it signed last. */
import { isFile } from '../app/config/index.js';
import { SandgateError } from '../spec/index.js';
import type { AdminFlags } from './admin-client.js';
import type { CliContext } from './context.js';

/** It signs within some ms; one that hangs is not waited for. */
const ANSWER_MS = 2_000;

/** `name`: of the recording. Where no gateway is named, there need not be one. */
export async function askForCheckpoint(name: string, flags: AdminFlags, context: CliContext): Promise<void> {
  if (isFile(name) && flags.admin === undefined) return;
  const { openAdminClient } = await import('./admin-client.js');
  try {
    const client = openAdminClient(flags, context);
    await client.ask({ method: 'POST', path: '/api/evidence/checkpoint', body: {}, timeout: ANSWER_MS });
  } catch (error) {
    if (!(error instanceof SandgateError) || flags.admin !== undefined || context.signal.aborted) throw error;
  }
}
