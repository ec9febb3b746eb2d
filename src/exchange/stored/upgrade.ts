/** Upgrades older stored formats step by step. */
import { SandgateError } from '../../spec/index.js';
import { EXCHANGE_FORMAT } from '../exchange.js';
import type { PackedExchange } from './packed.js';

/** Brings a packed exchange of one format to the next. */
type Step = (packed: PackedExchange) => PackedExchange;

/**
 * `STEPS[n]` leads from format n to n + 1 and never changes again; a sample of every format lies in
 * test/fixtures/format/. Format 1 is the first, so there is no step yet.
 */
const STEPS: Readonly<Record<number, Step>> = {};

export function upgradePacked(packed: PackedExchange): PackedExchange {
  const { format } = packed.shape;
  if (format === EXCHANGE_FORMAT) return packed;
  if (!(format >= 1 && format < EXCHANGE_FORMAT)) {
    throw new SandgateError('recording.newer-format', { format, most: EXCHANGE_FORMAT });
  }
  let upgraded = packed;
  for (let from = format; from < EXCHANGE_FORMAT; from++) {
    const step = STEPS[from];
    if (step === undefined) throw new SandgateError('recording.no-upgrade', { from });
    upgraded = step(upgraded);
  }
  return upgraded;
}
