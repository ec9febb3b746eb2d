/** Redacts a record (an exchange with its verdicts and findings) before it is stored. */

import type { FactChange } from '../bank/index.js';
import {
  type Fingerprint,
  type Pseudonyms,
  placeFrom,
  pseudonymise,
  type Redacted,
  redactValue,
} from '../exchange/index.js';
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
  if (findings.length === 0) return { exchange, verdicts, findings };
  const clean = (text: string): string => {
    const without = redacted.redactWords(text);
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

/** Facts with texts of a TPP's or a bank's own; all others hold ids, times and fingerprints. */
const WITH_TEXTS: ReadonlySet<string> = new Set<FactChange['family']>([
  'consents',
  'payments',
  'authorisations',
  'authorizes',
  'usedOnce',
  'links',
  'bankConsents',
  'bankAuthorisations',
  'bankPayments',
  'bankBodies',
  'bankCodes',
]);

/** A fact may hold an address with a secret in it, and persons where a bank makes account numbers its account ids. */
export function redactChange(
  change: KeptChange,
  fingerprint: Fingerprint,
  pseudonyms?: Pseudonyms,
): KeptChange {
  const redacted =
    'family' in change && WITH_TEXTS.has(change.family) ? redactFact(change, fingerprint) : change;
  if (pseudonyms === undefined) return redacted;
  const text = JSON.stringify(redacted);
  const other = pseudonyms.ibansIn(text);
  return other === text ? redacted : (JSON.parse(other) as KeptChange);
}

function redactFact<C extends FactChange>(change: C, fingerprint: Fingerprint): C {
  const fact = redactValue(change.fact, fingerprint);
  return fact === change.fact ? change : { ...change, fact };
}
