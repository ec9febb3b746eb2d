/** Recognises values that naturally differ from run to run, by their form. */
import { isFingerprint } from '../redaction/fingerprint.js';

export type ValueKind = 'token' | 'uuid' | 'date' | 'date-time';

/** null for all other texts. */
export function kindOf(text: string): ValueKind | null {
  if (isFingerprint(text) || /^[0-9a-f]{32,}$/i.test(text)) return 'token';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'uuid';
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'date';
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})?$/.test(text)) return 'date-time';
  return null;
}
