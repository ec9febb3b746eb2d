/** A driver takes a PSU through a journey of the application and of the bank, and says where that ended. */
import type { ScaScenario } from '../../spec/index.js';
import type { Journey } from '../plan.js';
import type { Values } from '../request.js';

/** The PSU of a journey, and how its SCA ends; `leaves`: at the bank's first page it goes away. */
export interface Walker {
  readonly psu: { readonly id: string; readonly login: string; readonly password: string };
  readonly outcome: ScaScenario;
  readonly leaves: boolean;
}

export interface Walk extends Walker {
  readonly journey: Journey;
  readonly values: Values;
  /** Aborted when the time of the action is over. */
  readonly signal: AbortSignal;
}

/** The place where a walk ended, and what stood there. */
export interface WalkEnd {
  readonly url: string;
  /** null: there was no answer. */
  readonly status: number | null;
  readonly text: string;
  /** Why it could not go on, in words; null where it ended at a page. */
  readonly problem: string | null;
  /** PNG in base64. */
  readonly picture?: string;
}

export interface Driver {
  readonly walk: (walk: Walk) => Promise<WalkEnd>;
  readonly close: () => Promise<void>;
}
