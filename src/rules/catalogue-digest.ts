/** A digest of the rule catalogue: what was judged by the same one can be compared. */
import { hash } from 'node:crypto';
import { RULES } from './catalogue.js';

/** SHA-256, hex, over ids, severities and statements, in the order of the catalogue. */
export function catalogueDigest(): string {
  const rows = RULES.map(({ id, severity, statement }) => [
    id,
    severity.sandbox,
    severity.production,
    statement,
  ]);
  return hash('sha256', JSON.stringify(rows), 'hex');
}
