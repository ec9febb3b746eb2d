/** The certificate that came with a call, and its connection. */
import type { Detail } from '../../admin/index.js';
import { Row } from '../kv.js';

interface Facts {
  readonly subject: string;
  readonly organizationIdentifier?: string | null;
  readonly issuer?: string;
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly roles?: readonly { readonly name: string }[];
  readonly fingerprint256?: string;
}

const ABSENT = { absent: 'None was presented.', 'not-observed': 'It was not observed.' } as const;

export function CertificateCard({ exchange }: { exchange: Detail }) {
  const { certificate, connection } = exchange.call;
  const tls = connection.tls as { version?: string; cipher?: string } | null | undefined | string;
  return (
    <details class="card" open>
      <summary>Certificate and connection</summary>
      <dl class="kv">
        {typeof certificate === 'string' ? (
          <Row term="Certificate">{ABSENT[certificate]}</Row>
        ) : (
          <Certificate facts={certificate as Facts} tpp={exchange.tpp} />
        )}
        <Row term="From">
          {connection.address}, {exchange.listener} listener
        </Row>
        <Row term="TLS">
          {tls == null
            ? 'plain HTTP'
            : typeof tls === 'string'
              ? 'not observed'
              : `${tls.version}, ${tls.cipher}`}
        </Row>
      </dl>
    </details>
  );
}

function Certificate({ facts, tpp }: { readonly facts: Facts; readonly tpp: string | null }) {
  const { subject, issuer, notBefore, notAfter, roles = [], fingerprint256 } = facts;
  return (
    <>
      <Row term="TPP">{tpp ?? 'not known'}</Row>
      <Row term="Roles">{roles.map(({ name }) => name).join(', ') || 'none'}</Row>
      <Row term="Subject">{subject}</Row>
      {issuer === undefined ? null : <Row term="Issuer">{issuer}</Row>}
      <Row term="Valid">
        {notBefore?.slice(0, 10)} to {notAfter?.slice(0, 10)}
      </Row>
      <Row term="SHA-256">
        <span class="mono">{fingerprint256}</span>
      </Row>
    </>
  );
}
