/** A certificate as a tree of its parts, each with the place by which rules name it. */
import { keyText, revocationText, validityText } from './card.js';
import type { CertificateFacts } from './facts.js';

export interface CertificateNode {
  readonly term: string;
  readonly text: string;
  /** Findings name it behind `certificate`; null: no rule is about this part. */
  readonly place: string | null;
  readonly parts: readonly CertificateNode[];
}

/** Parts that a certificate does not have are left out, unless a rule asks for them. */
type Given = CertificateNode | false;

function node(term: string, text: string, place: string | null = null, parts: readonly Given[] = []) {
  return { term, text, place, parts: parts.filter((part) => part !== false) };
}
const ifThere = (term: string, text: string | null, place: string | null = null): Given =>
  text !== null && text !== '' && node(term, text, place);
const listed = (items: readonly string[] | null, none = 'none'): string => items?.join(', ') || none;

/** `now`, in epoch ms: how much of its validity is left then. */
export function certificateTree(facts: CertificateFacts, now: number): readonly CertificateNode[] {
  const { qcType, qcStatements = [], chain, problems } = facts;
  return [
    node('Subject', facts.subject, null, [
      ifThere('Organisation', facts.organization),
      ifThere('Common name', facts.commonName),
      identifierNode(facts),
      ifThere('DNS names', facts.dnsNames.join(', ')),
    ]),
    node('Issuer', facts.issuer),
    node('Serial number', `${facts.serialNumber}: ${revocationText(facts)}`, 'serial number'),
    node('Validity', validityText(facts, now), 'validity'),
    node(
      'PSD2 statement',
      facts.encoding === 'standard' ? 'encoded as ETSI TS 119 495 says' : facts.encoding,
      'PSD2 QCStatement',
      [
        node(
          'Roles',
          listed(facts.roles.map(({ oid, role }) => role ?? oid)),
          'roles',
          facts.roles.map(({ oid, role, name }) =>
            node(role ?? 'unknown', `${name} (${oid})`, `role ${oid}`),
          ),
        ),
        node('NCA', facts.ncaName ?? 'none', 'nCAName'),
        node('NCA id', facts.ncaId ?? 'none', 'nCAId'),
      ],
    ),
    node('QC statements', listed(qcStatements), 'QCStatements', [
      node('Qualified', facts.qcCompliance ? 'yes' : 'no', 'QcCompliance'),
      node('Type', qcType.length === 1 && qcType[0] === 'web' ? 'web (QWAC)' : listed(qcType), 'QcType'),
      node(
        'Disclosure statements',
        listed(facts.qcPds.map(({ url, language }) => `${url} (${language})`)),
        'QcPDS',
      ),
      facts.qcSscd && node('Key', 'in a secure signature creation device'),
      ifThere('Legislation', facts.qcLegislation.join(', ')),
      facts.qcLimit !== null &&
        node('Limit', `${facts.qcLimit.amount}E${facts.qcLimit.exponent} ${facts.qcLimit.currency}`),
    ]),
    node('Public key', keyText(facts), 'public key'),
    node('Signature', facts.signatureAlgorithm, 'signature algorithm'),
    node('Key usage', listed(facts.keyUsage, 'not restricted'), 'key usage'),
    node('Extended key usage', listed(facts.extendedKeyUsage, 'not restricted'), 'extended key usage'),
    ...(facts.policies.length === 0 ? [] : [node('Policies', listed(facts.policies))]),
    node(
      'Chain',
      chain.reason,
      'chain',
      chain.path.map((subject, i) => node(`CA ${i + 1}`, subject)),
    ),
    ...(facts.register === undefined ? [] : [node('Register', facts.register)]),
    node('Fingerprint', facts.fingerprint256),
    ...problems.map((problem) => node('Problem', problem)),
  ];
}

function identifierNode({ organizationIdentifier: id }: CertificateFacts): CertificateNode {
  return node('organizationIdentifier', id?.text ?? 'none', 'organizationIdentifier', [
    ifThere('Scheme', id?.scheme ?? null),
    ifThere('Country', id?.country ?? null),
    ifThere('Authority', id?.authority ?? null),
    ifThere('Number', id?.number ?? null),
  ]);
}
