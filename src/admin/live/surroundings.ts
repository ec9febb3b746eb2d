/** What the journeys of a session are shown by, as it is now. */
import type { Surroundings } from '../journeys/lane.js';
import type { Views } from './views.js';

export const surroundingsOf = ({ port, isPartial }: Views, session: string): Surroundings => ({
  ledger: port.ledgerOf(session),
  bank: port.bankOf(session),
  now: port.now(session),
  spanAt: port.spanAt(),
  isPartial: isPartial(session),
});
