/** Redacts a record (an exchange with its verdicts and findings) before it is stored. */

import { type Pseudonyms, placeFrom, pseudonymise, type Redacted } from '../exchange/index.js';
import type { Finding, Judged } from '../rules/index.js';
import type { KeptChange, RecordedExchange } from '../store/index.js';

/** Doing it a second time changes nothing more. With `pseudonyms` people are not to be recognised either. */
export function redactRecord(
  redacted: Redacted,
  { verdicts, findings }: Pick<Judged, 'verdicts' | 'findings'>,
  pseudonyms?: Pseudonyms,
): RecordedExchange {
  const other = pseudonyms === undefined ? null : pseudonymise(redacted.exchange, pseudonyms);
  const exchange = other?.exchange ?? redacted.exchange;
  if (findings.length === 0 || (redacted.redactCopies === null && other === null))
    return { exchange, verdicts, findings };
  const clean = (text: string): string => {
    const without = redacted.redactCopies?.(text) ?? text;
    return other?.pseudonymiseText(without) ?? without;
  };
  return { exchange, verdicts, findings: findings.map((finding) => cleanFinding(finding, clean)) };
}

function cleanFinding(finding: Finding, clean: (text: string) => string): Finding {
  return {
    ...finding,
    place: placeFrom(clean(finding.place)),
    expected: clean(finding.expected),
    ...(finding.actual === undefined ? {} : { actual: clean(finding.actual) }),
  };
}

/** A fact holds no secret, and no person but where a bank makes account numbers its account ids. */
export function redactChange(change: KeptChange, pseudonyms?: Pseudonyms): KeptChange {
  if (pseudonyms === undefined) return change;
  const text = JSON.stringify(change);
  const other = pseudonyms.ibansIn(text);
  return other === text ? change : (JSON.parse(other) as KeptChange);
}
