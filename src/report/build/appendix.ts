/** Every exchange in order with its verdicts, as many as the cap allows. */
import { counted, plural } from '../../spec/index.js';
import type { AppendixRow, Caps, Report } from '../model.js';
import type { Collector, Seen } from './collector.js';
import { cutPath } from './findings.js';

export function collectAppendix(caps: Caps): Collector<Report['appendix']> {
  const exchanges: AppendixRow[] = [];
  let omitted = 0;
  return {
    take(seen) {
      if (exchanges.length < caps.appendix) exchanges.push(rowOf(seen));
      else omitted++;
    },
    finish: () => ({
      exchanges,
      omitted,
      note:
        omitted === 0
          ? null
          : `The first ${counted(exchanges.length, 'exchange is', 'exchanges are')} listed; ${omitted} more ${plural(omitted, 'was', 'were')} judged and counted, and ${plural(omitted, 'is', 'are')} in the recording.`,
    }),
  };
}

function rowOf({ seq, record, at, status, marks }: Seen): AppendixRow {
  const { call, answer, fault, elapsed, injected } = record.exchange;
  const verdicts = { complied: 0, violated: 0, notObserved: 0 };
  for (const rule in record.verdicts) {
    const verdict = record.verdicts[rule];
    if (verdict === 'complied') verdicts.complied++;
    else if (verdict === 'violated') verdicts.violated++;
    else verdicts.notObserved++;
  }
  return {
    seq,
    id: call.id,
    at,
    tpp: call.tpp,
    sender: call.connection.sender ?? null,
    listener: call.listener,
    operation: call.operation,
    method: call.request.method.slice(0, 40),
    path: cutPath(call.request.path),
    requestId: call.header['x-request-id']?.slice(0, 100) ?? null,
    status,
    source: answer?.source ?? null,
    ms: elapsed.total,
    bankMs: elapsed.answerer,
    firstByteMs: elapsed.firstByte ?? null,
    fault: fault?.kind ?? null,
    injected: injected?.fault ?? null,
    verdicts,
    findings: [...marks],
  };
}
