/** The testing layer, which a TPP's tests import: a gateway in their own process that answers or replays. */
import { openReplay } from './replay-session.js';
import { openGateway } from './start-gateway.js';
import type { Gateway, GatewayOptions, ReplayOptions } from './types.js';

export type * from './bank-types.js';
export type * from './session-types.js';
export type * from './types.js';

/**
 * Starts a gateway. Each has its own ports, store, ledger and clock, so any number may run side by side.
 * @throws SandgateError for options that cannot be meant
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  return (await openGateway(options, null)).gateway;
}

/**
 * Starts a gateway that answers from a cassette (or a HAR), or that records one: it is written at `close()`, unless
 * nothing was called.
 * @throws SandgateError where the mode cannot be followed, the file cannot be read, or its folder not be written
 */
export function replaySession(file: string, options: ReplayOptions = {}): Promise<Gateway> {
  return openReplay(file, options);
}
