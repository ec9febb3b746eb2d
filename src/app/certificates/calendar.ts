/** Finds the certificates for the calendar: of the gateway, of its CAs, for the bank, of TPPs in the store. */
import { setImmediate } from 'node:timers/promises';
import {
  type Authority,
  type CalendarEntry,
  type CertificateFacts,
  inspectCertificate,
  isForClients,
  parsePemFile,
  revocationOf,
  TRUSTS_NOBODY,
  type Trust,
} from '../../certificate/index.js';
import type { Exchange } from '../../exchange/index.js';
import type { SessionInfo, Store } from '../../store/index.js';

/** Newest first: the calendar is about who calls today. */
const MOST_SESSIONS = 50;
const MOST_EXCHANGES = 2_000;
/** Exchanges, some ms of work; calls are answered in between. */
const A_TURN = 50;

export function serverEntry(serverPem: string): CalendarEntry[] {
  return parsePemFile(Buffer.from(serverPem))
    .slice(0, 1)
    .map((der) => {
      const {
        subject,
        fingerprint256: fingerprint,
        notBefore,
        notAfter,
      } = inspectCertificate(der, [], TRUSTS_NOBODY, 0);
      return {
        use: 'server',
        what: 'the server certificate',
        organisation: null,
        subject,
        fingerprint,
        notBefore,
        notAfter,
        problems: [],
      };
    });
}

/** One of a trusted list is looked after by those who publish the list. */
export const anchorEntries = ({ anchors }: Trust): CalendarEntry[] =>
  anchors.map(({ subject, fingerprint, notBefore, notAfter }: Authority) => ({
    ...{ use: 'ca', what: `the CA ${subject}`, organisation: null, subject, fingerprint, problems: [] },
    notBefore: new Date(notBefore).toISOString(),
    notAfter: new Date(notAfter).toISOString(),
  }));

interface Shown {
  readonly subject: string;
  readonly fingerprint: string;
  readonly notAfter: string;
}

/** Certificates for the bank, by whom they are for. */
export const bankEntries = (shown: Readonly<Record<string, Shown | null>>): CalendarEntry[] =>
  Object.entries(shown).flatMap(([name, one]) => {
    if (one === null) return [];
    const { subject, fingerprint, notAfter } = one;
    const what = `the certificate for the bank (${name})`;
    return [
      {
        use: 'bank',
        what,
        organisation: null,
        subject,
        fingerprint,
        notBefore: null,
        notAfter,
        problems: [],
      },
    ];
  });

/** `now`: epoch ms. */
export function tppEntry(facts: CertificateFacts, trust: Trust, now: number): CalendarEntry {
  const { subject, notBefore, notAfter, fingerprint256: fingerprint, chain, serialNumber } = facts;
  const isRevoked =
    facts.revocation.status === 'revoked' ||
    trust.anchors.some(
      (issuer) =>
        issuer.subject === facts.issuer &&
        revocationOf(serialNumber, issuer, trust.crls, now).status === 'revoked',
    );
  const problems = [
    ...(chain.trusted ? [] : ['No trusted CA stands behind it.']),
    ...(isRevoked ? ['It is revoked.'] : []),
    ...(isForClients(facts) ? [] : ['It lacks clientAuth: a bank with strict TLS ends the handshake.']),
  ];
  const organisation = facts.organizationIdentifier?.text ?? null;
  return {
    use: 'tpp',
    what: 'a certificate of a TPP',
    organisation,
    subject,
    fingerprint,
    notBefore,
    notAfter,
    problems,
  };
}

/** Each once, as it was seen last. */
export async function seenIn(store: Pick<Store, 'sessions' | 'read'>): Promise<CertificateFacts[]> {
  const seen = new Map<string, CertificateFacts>();
  for await (const { call } of newestOf(store, await store.sessions())) {
    const { certificate } = call;
    if (typeof certificate !== 'string' && !seen.has(certificate.fingerprint256))
      seen.set(certificate.fingerprint256, certificate);
  }
  return [...seen.values()];
}

/** Reads the newest sessions back from their ends, at most `limit` of each. */
export async function* newestOf(
  store: Pick<Store, 'read'>,
  sessions: readonly Pick<SessionInfo, 'name'>[],
  limit = MOST_EXCHANGES,
): AsyncGenerator<Exchange> {
  let read = 0;
  for (const { name } of sessions.toReversed().slice(0, MOST_SESSIONS))
    for await (const { exchange } of store.read(name, {
      ...{ backwards: true, limit },
      onUnreadable: () => {},
    })) {
      yield exchange;
      if (++read % A_TURN === 0) await setImmediate();
    }
}
