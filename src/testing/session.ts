/** The recording of a gateway, for a test to look at. */
import type { Exchange } from '../exchange/index.js';
import {
  effectiveSeverity,
  type Finding,
  type Judge,
  RULES,
  type SeverityOverrides,
  type Verdicts,
} from '../rules/index.js';
import type { OperationId } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';

/** A call and its answer, with what was judged of them. Secrets stand as fingerprints. */
export interface SessionExchange extends Exchange {
  readonly verdicts: Verdicts;
  readonly findings: readonly Finding[];
}

/** A finding, and the exchange that it is from. */
export interface SessionFinding extends Finding {
  readonly exchange: string;
  readonly operation: OperationId | null;
  readonly method: string;
  readonly path: string;
  /** null where no answer was given. */
  readonly status: number | null;
}

/** What became of the recording that answers. */
export interface ReplayCoverage {
  /** What the user called it. */
  readonly recording: string;
  /** How many days later than the recording this run is. */
  readonly daysShifted: number;
  readonly used: readonly CoveredExchange[];
  readonly unused: readonly CoveredExchange[];
  /** Recorded clients that nothing told apart, a sentence for each group: the recorded order decided who is who. */
  readonly undecided: readonly string[];
  /** Calls that it has no answer to; `handedOn` to the next source of the chain, or explained in a 404. */
  readonly missed: readonly {
    readonly exchange: string;
    readonly method: string;
    readonly path: string;
    readonly text: string;
    readonly handedOn: boolean;
  }[];
}

export interface CoveredExchange {
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface Session {
  readonly name: string;
  /** In the order of recording. */
  readonly exchanges: readonly SessionExchange[];
  /** Of all exchanges, in the same order. */
  readonly findings: readonly SessionFinding[];
  /** Rules that are not judged here, by profile or by override. */
  readonly switchedOff: readonly string[];
  /** null where nothing is replayed. */
  readonly replay: ReplayCoverage | null;
  /** The cassette that is written when the gateway closes; null where none is. */
  readonly recordsTo: string | null;
}

export interface SessionParts {
  readonly name: string;
  readonly records: Iterable<RecordedExchange>;
  readonly judge: Judge;
  readonly overrides: SeverityOverrides;
  readonly replay: ReplayCoverage | null;
  readonly recordsTo: string | null;
}

export function openSession({ records, judge, overrides, ...rest }: SessionParts): Session {
  const exchanges: SessionExchange[] = [];
  const findings: SessionFinding[] = [];
  for (const { exchange, verdicts, findings: found } of records) {
    exchanges.push({ ...exchange, verdicts, findings: found });
    for (const finding of found) findings.push(locate(finding, exchange));
  }
  const { profile } = judge.options;
  const switchedOff = RULES.filter((rule) => effectiveSeverity(rule, profile, overrides) === 'off');
  return { ...rest, exchanges, findings, switchedOff: switchedOff.map(({ id }) => id) };
}

function locate(finding: Finding, { call, answer }: Exchange): SessionFinding {
  return {
    ...finding,
    exchange: call.id,
    operation: call.operation,
    method: call.request.method,
    path: call.request.path,
    status: answer?.status ?? null,
  };
}
