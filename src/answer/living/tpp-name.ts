/** The name of the organisation that calls, as its certificate has it: a PSU is asked by it. */
import type { Call } from '../../exchange/index.js';

/** null where no certificate says it. */
export function tppNameOf({ certificate }: Call): string | null {
  return typeof certificate === 'string' ? null : certificate.organization;
}
