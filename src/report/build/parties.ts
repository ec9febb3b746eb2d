/** Who took part: the TPPs and their certificates. */
import { type CertificateFacts, daysLeft, keyText, revocationText } from '../../certificate/index.js';
import { operationRow } from '../../spec/index.js';
import type { Caps, Report } from '../model.js';
import { order, type Seen } from './collector.js';
import { type BankOf, collectCounterparts } from './counterparts.js';

type CertificateRow = Report['certificates']['list'][number];
type SeenCertificate = ReturnType<typeof openCertificate>;
type SeenTpp = ReturnType<typeof openTpp>;

const openCertificate = (facts: CertificateFacts, { record: { exchange }, at }: Seen) => ({
  facts,
  tpp: exchange.call.tpp,
  exchanges: 0,
  first: at,
  last: at,
  lastAt: exchange.call.at,
  used: new Set<string>(),
  findings: new Map<string, CertificateRow['findings'][number]>(),
});

const openTpp = (facts: CertificateFacts, { at }: Seen) => ({
  facts,
  exchanges: 0,
  first: at,
  last: at,
  certificates: new Map<string, CertificateFacts>(),
});

export function collectParties(caps: Caps, bankOf: BankOf) {
  const tpps = new Map<string, SeenTpp>();
  const certificates = new Map<string, SeenCertificate>();
  const counts = { omitted: 0, absent: 0, notObserved: 0 };
  const others = { psu: 0, notListed: 0, gateway: 0 };
  const omitted = new Set<string>();
  const against = collectCounterparts(bankOf);
  return {
    take(seen: Seen): void {
      against.take(seen);
      const { call } = seen.record.exchange;
      if (call.direction === 'to-tpp') {
        others.gateway++;
        return;
      }
      if (call.listener !== 'api') {
        others.psu++;
        return;
      }
      if (call.certificate === 'absent') counts.absent++;
      else if (call.certificate === 'not-observed') counts.notObserved++;
      else {
        const { fingerprint256 } = call.certificate;
        if (certificates.has(fingerprint256) || certificates.size < caps.rows)
          takeCertificate(certificates, call.certificate, seen);
        else if (omitted.size < MOST_OMITTED) omitted.add(fingerprint256);
        if (!takeTpp(tpps, call.certificate, seen, caps)) others.notListed++;
      }
    },
    finish: () => ({
      tpps: [...tpps].map(([id, tpp]) => tppRow(id, tpp)).sort((a, b) => order(a.id, b.id)),
      otherCallers: { ...others, noCertificate: counts.absent, notObserved: counts.notObserved },
      against: against.finish(),
      certificates: {
        list: [...certificates.values()].map(certificateRow),
        ...counts,
        omitted: omitted.size,
      },
    }),
  };
}

const MOST_OMITTED = 10_000;

function takeCertificate(known: Map<string, SeenCertificate>, facts: CertificateFacts, seen: Seen): void {
  const { record, at, marks } = seen;
  const { call } = record.exchange;
  const row = known.get(facts.fingerprint256) ?? openCertificate(facts, seen);
  known.set(facts.fingerprint256, row);
  row.exchanges++;
  row.last = at;
  row.lastAt = call.at;
  const role = call.operation === null ? 'none' : operationRow(call.operation).role;
  if (role !== 'none' && role !== 'any') row.used.add(role);
  for (const { rule, severity } of marks) {
    if (!rule.startsWith('certificate/')) continue;
    const found = row.findings.get(rule) ?? { rule, severity, count: 0 };
    found.count++;
    row.findings.set(rule, found);
  }
}

function takeTpp(known: Map<string, SeenTpp>, facts: CertificateFacts, seen: Seen, caps: Caps): boolean {
  const { tpp } = seen.record.exchange.call;
  if (tpp === null || (!known.has(tpp) && known.size >= caps.rows)) return false;
  const row = known.get(tpp) ?? openTpp(facts, seen);
  known.set(tpp, row);
  row.exchanges++;
  row.last = seen.at;
  if (row.certificates.size < caps.rows) row.certificates.set(facts.fingerprint256, facts);
  return true;
}

const rolesOf = ({ roles }: CertificateFacts): string[] => [
  ...new Set(roles.map(({ role, name }) => role ?? name)),
];

function tppRow(
  id: string,
  { facts, certificates, exchanges, first, last }: SeenTpp,
): Report['tpps'][number] {
  return {
    id,
    name: facts.organization ?? facts.commonName ?? null,
    country: facts.organizationIdentifier?.country ?? null,
    roles: rolesOf(facts),
    nca: { id: facts.ncaId ?? null, name: facts.ncaName ?? null },
    certificates: [...certificates.values()].map(({ fingerprint256, notBefore, notAfter }) => ({
      fingerprint: fingerprint256,
      notBefore: isoTime(notBefore),
      notAfter: isoTime(notAfter),
    })),
    exchanges,
    first,
    last,
  };
}

function certificateRow(row: SeenCertificate): CertificateRow {
  const { facts, used } = row;
  const held = rolesOf(facts);
  return {
    fingerprint: facts.fingerprint256,
    subject: facts.subject,
    issuer: facts.issuer,
    serialNumber: facts.serialNumber,
    tpp: row.tpp,
    key: keyText(facts),
    use: useOf(facts),
    notBefore: isoTime(facts.notBefore),
    notAfter: isoTime(facts.notAfter),
    daysLeft: daysLeft(facts.notAfter, row.lastAt),
    chain: { ...facts.chain, path: [...facts.chain.path] },
    revocation: revocationText(facts),
    ...(facts.register === undefined ? {} : { register: facts.register }),
    rolesHeld: held,
    rolesUsed: [...used].sort(order),
    rolesMissing: [...used].filter((role) => !held.includes(role)).sort(order),
    exchanges: row.exchanges,
    first: row.first,
    last: row.last,
    findings: [...row.findings.values()].sort((a, b) => order(a.rule, b.rule)),
  };
}

const useOf = ({ qcType }: CertificateFacts): CertificateRow['use'] =>
  qcType.includes('web') ? 'QWAC' : qcType.includes('eseal') ? 'QSealC' : 'other';

/** A cassette may be written by hand. */
const isoTime = (text: string): string => {
  const time = Date.parse(text);
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
};
