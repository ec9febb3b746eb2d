/** Test certificates for the calls of a recording: each is sent with the one that says what its own said. */
import type { CertificateFacts, CertificateObservation } from '../../certificate/index.js';
import { readPair } from '../certificates/files.js';
import {
  type ListedCertificate,
  listCertificates,
  TEST_CERTIFICATE_NAMES,
} from '../certificates/test-certificates.js';
import type { Identity } from './sender.js';

const USUAL = 'tpp';

export async function openTestIdentities(
  dir: string,
  now: number,
): Promise<(certificate: CertificateObservation, at: number) => Identity | null> {
  const listed = (await listCertificates(dir, now)).filter(
    ({ name, hasKey }) => hasKey && (TEST_CERTIFICATE_NAMES as readonly string[]).includes(name),
  );
  const identities = new Map<string, Identity>();
  for (const { name, facts } of listed) {
    const pair = await readPair(dir, name);
    if (pair !== null)
      identities.set(name, { name, organisation: facts.organizationIdentifier?.text ?? null, ...pair });
  }
  return (certificate, at) => {
    if (certificate === 'absent') return null;
    const name = certificate === 'not-observed' ? USUAL : nearest(certificate, at, listed, now);
    return identities.get(name) ?? identities.get(USUAL) ?? null;
  };
}

function nearest(
  facts: CertificateFacts,
  at: number,
  listed: readonly ListedCertificate[],
  now: number,
): string {
  const same = listed.find((one) => one.facts.fingerprint256 === facts.fingerprint256);
  if (same !== undefined) return same.name;
  if (facts.revocation.status === 'revoked') return 'bad-revoked';
  if (!facts.chain.trusted) return 'bad-untrusted';
  const wanted = [says(facts, at, true), says(facts, at, false)];
  for (const [i, text] of wanted.entries()) {
    const fitting = listed.find(
      ({ name, facts: own }) =>
        name !== 'bad-revoked' && name !== 'bad-untrusted' && says(own, now, i === 0) === text,
    );
    if (fitting !== undefined) return fitting.name;
  }
  return USUAL;
}

/** What a bank goes by; the organisation too, where it is asked for. */
function says(facts: CertificateFacts, at: number, withOrganisation: boolean): string {
  const roles = facts.roles.map(({ oid }) => oid).sort();
  const life =
    at < Date.parse(facts.notBefore) ? 'early' : at > Date.parse(facts.notAfter) ? 'expired' : 'valid';
  const organisation = withOrganisation ? (facts.organizationIdentifier?.text ?? '') : '';
  return [life, organisation, facts.qcType.join(), facts.encoding === 'absent', ...roles].join(' ');
}
