/** A digest of the rule catalogue: reports of the same one can be compared. */
import { hash } from 'node:crypto';
import type { Rule } from '../rules/index.js';

/** SHA-256, hex, over ids, severities and statements, in the order of the catalogue. */
export function catalogueDigest(rules: readonly Rule[]): string {
  const rows = rules.map(({ id, severity, statement }) => [
    id,
    severity.sandbox,
    severity.production,
    statement,
  ]);
  return hash('sha256', JSON.stringify(rows), 'hex');
}
