/** One run of a recording: what it is given, and what it has so far. */
import { type Exchange, type Fingerprint, redactExchange } from '../../exchange/index.js';
import type { Recognise } from '../../spec/index.js';
import type { SystemParts } from '../system/system-parts.js';
import type { AskPerson } from './by-person.js';
import type { Twin } from './learn-noise.js';
import type { NoiseOf } from './noise.js';
import type { OperatorAction, OperatorReport } from './operator-actions.js';
import type { RerunCall } from './rerun-call.js';
import type { Lender, RunState } from './run-state.js';
import type { Sender } from './sender.js';
import type { FileRows, RecordingSurvey } from './survey.js';
import type { RerunTarget } from './target.js';

export interface RunParts {
  readonly records: () => FileRows;
  readonly actions: readonly OperatorAction[];
  readonly survey: RecordingSurvey;
  readonly segment: string;
  readonly target: RerunTarget;
  readonly system: SystemParts;
  readonly noise: NoiseOf;
  /** By position: whether a call is compared, sent for others, or left out. */
  readonly use: (index: number) => 'compare' | 'send' | 'leave';
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly writes: boolean;
  /** Who walks through the authorisations; absent: nobody. */
  readonly askPerson?: AskPerson | undefined;
  /** Gives tokens that this run does not get by itself. */
  readonly lender?: Lender | undefined;
  /** Whether what is compared, and changes nothing, is sent twice, so that noise can be learned. */
  readonly twice: boolean;
  readonly onCall?: (number: number) => void;
}

export interface Run extends RunParts {
  readonly recognise: Recognise;
  readonly state: RunState;
  readonly sender: Sender;
  /** Of this run only: nothing that is shown holds a secret. */
  readonly fingerprint: Fingerprint;
  readonly operators: OperatorReport;
  readonly twins: Twin[];
  requests: number;
  /** How far the recording's clock was ahead at its first call, in ms. */
  aheadAtStart?: number;
}

export function factsOf(run: Run, exchange: Exchange, index: number): Omit<RerunCall, 'outcome'> {
  const { call, answer, elapsed } = redactExchange(exchange, run.fingerprint);
  return {
    number: index + 1,
    exchange: call.id,
    operation: call.operation,
    method: call.request.method,
    path: call.request.path,
    was: answer?.status ?? null,
    now: null,
    differences: [],
    took: { was: elapsed.total, now: 0 },
  };
}
