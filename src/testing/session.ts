/** What a gateway has recorded, as a test looks at it. */
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

export interface Session {
  readonly name: string;
  /** In the order of recording. */
  readonly exchanges: readonly SessionExchange[];
  /** Of all exchanges, in the same order. */
  readonly findings: readonly SessionFinding[];
  /** Rules that are not judged here, by profile or by override. */
  readonly switchedOff: readonly string[];
}

export function openSession(
  name: string,
  records: Iterable<RecordedExchange>,
  judge: Judge,
  overrides: SeverityOverrides,
): Session {
  const exchanges: SessionExchange[] = [];
  const findings: SessionFinding[] = [];
  for (const { exchange, ...judged } of records) {
    exchanges.push({ ...exchange, ...judged });
    for (const finding of judged.findings) findings.push(locate(finding, exchange));
  }
  const { profile } = judge.options;
  const switchedOff = RULES.filter((rule) => effectiveSeverity(rule, profile, overrides) === 'off');
  return { name, exchanges, findings, switchedOff: switchedOff.map(({ id }) => id) };
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
