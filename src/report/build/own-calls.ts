/** Calls that the gateway sent itself, for its operator: no TPP is judged by them. */
import { RULES, type Rule } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import type { EvidenceSource } from '../source.js';
import type { Collector } from './collector.js';
import { doubtOf } from './injected.js';

const isOwn = ({ exchange }: RecordedExchange): boolean => exchange.call.connection.sender !== undefined;

/** Gives an exchange with what it says of the bank alone, where no TPP called. */
export function createJudgedOf(ownRules: readonly Rule[]) {
  const ofBank = new Set(
    [...RULES, ...ownRules].filter(({ judges }) => judges === 'aspsp').map(({ id }) => id),
  );
  return (record: RecordedExchange): RecordedExchange => {
    if (!isOwn(record)) return record;
    const verdicts = Object.fromEntries(Object.entries(record.verdicts).filter(([rule]) => ofBank.has(rule)));
    const findings = record.findings.filter(({ judges }) => judges === 'aspsp');
    return { ...record, verdicts, findings };
  };
}

export function countOwn(): Collector<number> {
  let count = 0;
  return {
    take: ({ record }) => {
      if (isOwn(record)) count += 1;
    },
    finish: () => count,
  };
}

export function ownNotes(count: number, evidence: EvidenceSource): string[] {
  if (count === 0) return [];
  const were = counted(count, 'call was', 'calls were');
  return [
    `${were} sent by Sandgate itself, for its operator. No TPP is judged by them; the numbers of calls have them, and the list of calls marks them.${doubtOf(evidence, 'call')}`,
  ];
}
