/** Redacts a record (an exchange with its verdicts and findings) before it is stored. */
import {
  type Exchange,
  type Fingerprint,
  openRedaction,
  type Pseudonyms,
  placeFrom,
  pseudonymise,
  redactWith,
  sweep,
} from '../exchange/index.js';
import type { LedgerChange } from '../ledger/index.js';
import type { Finding, Judged } from '../rules/index.js';
import type { RecordedExchange } from '../store/index.js';

/**
 * Doing it a second time changes nothing more. With `pseudonyms` people are not to be recognised either. `redaction` is
 * that of the beginning of the same call, where it was recorded: what was redacted then is not redacted again.
 */
export function redactRecord(
  exchange: Exchange,
  { verdicts, findings }: Pick<Judged, 'verdicts' | 'findings'>,
  fingerprint: Fingerprint,
  pseudonyms?: Pseudonyms,
  redaction = openRedaction(fingerprint),
): RecordedExchange {
  const redacted = redactWith(redaction, exchange);
  const other = pseudonyms === undefined ? undefined : pseudonymise(redacted, pseudonyms);
  const kept = other?.exchange ?? redacted;
  if (findings.length === 0 || (redaction.met.size === 0 && other === undefined))
    return { exchange: kept, verdicts, findings };
  const clean = (text: string): string => {
    const swept = sweep(redaction, text);
    return other === undefined ? swept : other.sweep(swept);
  };
  return { exchange: kept, verdicts, findings: findings.map((finding) => cleanFinding(finding, clean)) };
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
export function redactChange(change: LedgerChange, pseudonyms?: Pseudonyms): LedgerChange {
  if (pseudonyms === undefined) return change;
  const text = JSON.stringify(change);
  const other = pseudonyms.ibansIn(text);
  return other === text ? change : (JSON.parse(other) as LedgerChange);
}
