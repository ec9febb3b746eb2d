/** What is shown of a session as a whole: journeys, what rules found, certificates in use, what needs attention. */

import type { Lane } from '../journeys/lane.js';
import { createLanes, type Lanes } from '../journeys/lanes.js';
import type { Touch } from '../journeys/touch.js';

export interface Found {
  count: number;
  /** The newest exchange with it. */
  exchange: string;
}

export interface UsedCertificate {
  readonly fingerprint: string;
  readonly subject: string;
  readonly tpp: string | null;
  readonly notAfter: string;
  exchanges: number;
  /** Epoch ms. */
  last: number;
  exchange: string;
}

/** Something that happens again and again, told once. */
export interface Trouble {
  readonly text: string;
  count: number;
  at: number;
  exchange: string;
}

export interface SessionView {
  readonly lanes: Lanes;
  readonly rules: ReadonlyMap<string, Found>;
  readonly certificates: ReadonlyMap<string, UsedCertificate>;
  /** Failed handshakes by their cause. */
  readonly handshakes: ReadonlyMap<string, Trouble>;
  /** Of the newest call to the bank, where that got no answer. */
  readonly bankDown: () => Trouble | null;
  /** The lane that changed, if one did. */
  readonly take: (touch: Touch) => Lane | null;
}

const MOST_CERTIFICATES = 200;
const MOST_CAUSES = 20;

export function createSessionView(): SessionView {
  const lanes = createLanes();
  const rules = new Map<string, Found>();
  const certificates = new Map<string, UsedCertificate>();
  const handshakes = new Map<string, Trouble>();
  let bankDown: Trouble | null = null;

  const useCertificate = ({ certificate, tpp, at, exchange }: Touch): void => {
    if (certificate === null) return;
    const known = certificates.get(certificate.fingerprint);
    if (known !== undefined) Object.assign(known, { exchanges: known.exchanges + 1, last: at, exchange });
    else if (certificates.size < MOST_CERTIFICATES)
      certificates.set(certificate.fingerprint, { ...certificate, tpp, exchanges: 1, last: at, exchange });
  };
  const failHandshake = ({ handshake, at, exchange }: Touch): void => {
    if (handshake === null) return;
    // How many were only counted stands behind the cause.
    const cause = handshake.slice(0, handshake.indexOf('.') + 1);
    const known = handshakes.get(cause);
    if (known !== undefined) Object.assign(known, { count: known.count + 1, at, exchange });
    else if (handshakes.size < MOST_CAUSES) handshakes.set(cause, { text: cause, count: 1, at, exchange });
  };

  return {
    ...{ lanes, rules, certificates, handshakes },
    bankDown: () => bankDown,
    take: (touch) => {
      const { at, exchange, bank } = touch;
      for (const rule of new Set(touch.rules))
        rules.set(rule, { count: (rules.get(rule)?.count ?? 0) + 1, exchange });
      useCertificate(touch);
      failHandshake(touch);
      if (bank !== null)
        bankDown = bank.answered
          ? null
          : { text: bank.text, count: (bankDown?.count ?? 0) + 1, at, exchange };
      return lanes.take(touch);
    },
  };
}
