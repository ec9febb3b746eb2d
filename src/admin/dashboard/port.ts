/** The part of the gateway that the dashboard may see. */
import type { Lookup, Store } from '../../store/index.js';
import type { BudgetsPort } from '../budgets.js';
import type { ReadinessCheck } from '../health.js';
import type { SettingsPort } from '../settings.js';

export interface DashboardPort {
  readonly store: Pick<Store, 'sessions' | 'find'>;
  readonly search: Lookup['search'];
  /** The session that is recorded into by calls that name none. */
  readonly session: () => string;
}

/** With what other parts of the admin listener have anyway. */
export interface DashboardParts extends DashboardPort {
  readonly checks: readonly ReadinessCheck[];
  readonly settings: SettingsPort | undefined;
  readonly budgets: BudgetsPort | undefined;
}
