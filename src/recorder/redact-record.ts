/** The door to the store: an exchange, and what is said of it, as they may be kept. */
import { type Exchange, type Fingerprint, openRedaction, redactWith, sweep } from '../exchange/index.js';
import type { Finding, Judged } from '../rules/index.js';
import type { RecordedExchange } from '../store/index.js';

/** Redacting a second time changes nothing more. */
export function redactRecord(
  exchange: Exchange,
  { verdicts, findings }: Pick<Judged, 'verdicts' | 'findings'>,
  fingerprint: Fingerprint,
): RecordedExchange {
  const redaction = openRedaction(fingerprint);
  const redacted = redactWith(redaction, exchange);
  if (findings.length === 0 || redaction.met.size === 0) return { exchange: redacted, verdicts, findings };
  const clean = (finding: Finding): Finding => ({
    ...finding,
    place: sweep(redaction, finding.place),
    expected: sweep(redaction, finding.expected),
    ...(finding.actual === undefined ? {} : { actual: sweep(redaction, finding.actual) }),
  });
  return { exchange: redacted, verdicts, findings: findings.map(clean) };
}
