/** What is shown of a session as a whole: journeys, what rules found, certificates in use, what needs attention. */
import { type Brief, graver, worstOf } from '../exchanges/index.js';
import type { Lanes } from '../journeys/lanes.js';
import type { Seen } from './seen.js';

export interface Found {
  /** In how many exchanges. */
  count: number;
  /** null where each was let pass. */
  worst: Brief['worst'];
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

/** Of all exchanges, however many come. */
export interface Figures {
  readonly rules: ReadonlyMap<string, Found>;
  readonly certificates: ReadonlyMap<string, UsedCertificate>;
  /** Failed handshakes by their cause. */
  readonly handshakes: ReadonlyMap<string, Trouble>;
  /** Of the newest call to the bank, where that got no answer. */
  readonly bankDown: () => Trouble | null;
  readonly count: (seen: Seen) => void;
}

export interface SessionView extends Omit<Figures, 'count'> {
  readonly lanes: Lanes;
}

const MOST_CERTIFICATES = 200;
const MOST_CAUSES = 20;

export function createFigures(): Figures {
  const rules = new Map<string, Found>();
  const certificates = new Map<string, UsedCertificate>();
  const handshakes = new Map<string, Trouble>();
  let bankDown: Trouble | null = null;

  const findRules = ({ findings, exchange }: Seen): void => {
    if (findings.length === 0) return;
    for (const finding of findings) {
      const { rule } = finding;
      const known = rules.get(rule);
      const count = known?.exchange === exchange ? known.count : (known?.count ?? 0) + 1;
      rules.set(rule, { count, worst: graver(known?.worst ?? null, worstOf([finding])), exchange });
    }
  };
  const useCertificate = ({ certificate, tpp, at, exchange }: Seen): void => {
    if (typeof certificate === 'string') return;
    const { fingerprint256: fingerprint, subject, notAfter } = certificate;
    const known = certificates.get(fingerprint);
    if (known !== undefined) {
      known.exchanges += 1;
      known.last = at;
      known.exchange = exchange;
    } else if (certificates.size < MOST_CERTIFICATES)
      certificates.set(fingerprint, {
        fingerprint,
        subject,
        notAfter,
        tpp,
        exchanges: 1,
        last: at,
        exchange,
      });
  };
  const failHandshake = ({ handshake, at, exchange }: Seen): void => {
    if (handshake === null) return;
    // How many were only counted stands behind the cause.
    const cause = handshake.slice(0, handshake.indexOf('.') + 1);
    const known = handshakes.get(cause);
    if (known !== undefined) Object.assign(known, { count: known.count + 1, at, exchange });
    else if (handshakes.size < MOST_CAUSES) handshakes.set(cause, { text: cause, count: 1, at, exchange });
  };

  return {
    rules,
    certificates,
    handshakes,
    bankDown: () => bankDown,
    count: (seen) => {
      const { at, exchange, bank } = seen;
      findRules(seen);
      useCertificate(seen);
      failHandshake(seen);
      if (bank !== null)
        bankDown = bank.answered
          ? null
          : { text: bank.text, count: (bankDown?.count ?? 0) + 1, at, exchange };
    },
  };
}
