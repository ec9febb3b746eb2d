/** The part of the gateway that the dashboard may see. */
import type { Lookup, Store } from '../../store/index.js';
import type { BudgetsPort, SettingsPort } from '../api/ports.js';
import type { ReadinessCheck } from '../health.js';
import type { PageFiles } from '../page/files.js';
import type { PageAbout, PagePort } from '../page/port.js';

export interface DashboardPort {
  readonly store: Pick<Store, 'sessions' | 'find'>;
  readonly search: Lookup['search'];
  /** The session that is recorded into by calls that name none. */
  readonly session: () => string;
  /** The live page; without it, or where it was not built, pages have no script. */
  readonly page?: PagePort;
}

/** With what other parts of the admin listener have anyway. */
export interface DashboardParts extends Omit<DashboardPort, 'page'> {
  readonly live: { readonly files: PageFiles; readonly about: () => PageAbout } | null;
  readonly checks: readonly ReadinessCheck[];
  readonly settings: SettingsPort | undefined;
  readonly budgets: BudgetsPort | undefined;
}
