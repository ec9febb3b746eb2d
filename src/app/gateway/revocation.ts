/** How the gateway asks OCSP responders, by its settings and those of the bank. */
import { setTimeout as pause } from 'node:timers/promises';
import { type OcspVerdict, ocspText } from '../../certificate/index.js';
import { createInsist } from '../../gateway/index.js';
import { createAllowList } from '../../outgoing/index.js';
import { createResponses, type OcspResponses } from '../../revocation/index.js';
import type { Config } from '../config/config.js';
import type { SystemParts } from '../system/system-parts.js';

/** How long the first call of a certificate waits. */
const PATIENCE_MS = 3_000;
const NONCE_BYTES = 16;

const modeOf = ({ revocation, bankProfile }: Config) => revocation ?? bankProfile?.revocation ?? 'off';

/** undefined: no responder is asked. */
export function openResponses(
  config: Config,
  { chance, log }: SystemParts,
  count: (verdict: OcspVerdict) => void,
): OcspResponses | undefined {
  if (modeOf(config) === 'off') return undefined;
  // Any name, if it leads to public addresses.
  const { addressAllowed } = createAllowList(['*', ...(config.ocspAllow ?? [])], '--ocsp-allow');
  return createResponses({
    own: config.ocspUrl,
    addressAllowed,
    nonce: () => chance.bytes(NONCE_BYTES),
    onVerdict: (verdict, { fingerprint256 }, isNew) => {
      count(verdict);
      if (!isNew) return;
      const level = verdict === 'good' ? 'info' : 'warn';
      log[level]({ certificate: fingerprint256 }, `Of a client certificate ${ocspText(verdict)}.`);
    },
  });
}

/** null: no call waits. */
export const insistOf = (
  config: Config,
  responses: OcspResponses | undefined,
  sealOf: Parameters<typeof createInsist>[0]['sealOf'],
) =>
  modeOf(config) !== 'hard' || responses === undefined
    ? null
    : createInsist({
        answered: responses.answered,
        patience: () => pause(PATIENCE_MS, undefined, { ref: false }),
        sealOf,
      });
