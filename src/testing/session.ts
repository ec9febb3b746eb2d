/** The recording of a gateway, for a test to look at. */
import type { Exchange } from '../exchange/index.js';
import {
  effectiveSeverity,
  type Finding,
  type Judge,
  RULES,
  type SeverityOverrides,
} from '../rules/index.js';
import type { RecordedExchange } from '../store/index.js';
import type { ReplayCoverage, Session, SessionExchange, SessionFinding } from './session-types.js';

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
