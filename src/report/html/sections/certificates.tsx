/** The certificates that were shown: how long they last, who vouches for them, and what they may be used for. */
import type { Report } from '../../model.js';
import { ToRule } from '../links.js';
import {
  type Fact,
  Facts,
  Name,
  Nothing,
  Omitted,
  Picture,
  Recorded,
  Section,
  Severity,
  Wide,
} from '../parts.js';
import { Table } from '../table.js';
import { counted, day, span, visible } from '../text.js';

type Certificates = Report['certificates'];
type Certificate = Certificates['list'][number];

export function CertificatesSection({ certificates }: { certificates: Certificates }) {
  const { list, omitted, absent, notObserved } = certificates;
  const lead = [
    counted(list.length + omitted, 'certificate'),
    ...(absent > 0 ? [`${counted(absent, 'exchange')} came without one`] : []),
    ...(notObserved > 0 ? [`${counted(notObserved, 'exchange')} without a record of one`] : []),
  ].join('; ');
  return (
    <Section id="certificates" title="Certificates" lead={`${lead}.`}>
      {list.length === 0 ? <Nothing>No certificate was recorded.</Nothing> : null}
      {list.map((certificate, i) => (
        <CertificateArticle key={certificate.fingerprint} certificate={certificate} number={i} />
      ))}
      <Omitted count={omitted} what="certificate" />
    </Section>
  );
}

function CertificateArticle({ certificate, number }: { certificate: Certificate; number: number }) {
  const id = `certificate-${number}`;
  return (
    <article class="certificate" aria-labelledby={id}>
      <h3 id={id}>{visible(certificate.subject)}</h3>
      <Wide label={`Validity of certificate ${number + 1}`}>
        <Validity id={`validity-${number}`} certificate={certificate} />
      </Wide>
      <Facts facts={factsOf(certificate)} wide />
      <Roles certificate={certificate} />
      {certificate.findings.length === 0 ? null : (
        <ul class="plain">
          {certificate.findings.map(({ rule, severity, count }) => (
            <li key={rule}>
              <Severity severity={severity} /> <ToRule rule={rule} />, {counted(count, 'finding')}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function factsOf(one: Certificate): readonly Fact[] {
  return [
    ['Issuer', visible(one.issuer)],
    [
      'Ends',
      one.daysLeft < 0
        ? `${counted(-one.daysLeft, 'day')} before its last use`
        : `${counted(one.daysLeft, 'day')} after its last use`,
    ],
    ['Used', `${span(one.first, one.last)}, ${counted(one.exchanges, 'exchange')}`],
    ['Chain', `${one.chain.trusted ? 'trusted' : 'not trusted'}: ${visible(one.chain.reason)}`],
    ['Path', one.chain.path.map(visible).join(' → ') || '–'],
    ['Revocation', visible(one.revocation)],
    ...(one.register === undefined ? [] : [['Register', visible(one.register)] as const]),
    ['Key', visible(one.key)],
    ['Serial number', <Recorded key="serial" text={one.serialNumber} />],
    ['Fingerprint', <Name key="fingerprint">{visible(one.fingerprint)}</Name>],
  ];
}

function Roles({ certificate: { rolesHeld, rolesUsed, rolesMissing } }: { certificate: Certificate }) {
  const roles = [...new Set([...rolesHeld, ...rolesUsed, ...rolesMissing])];
  if (roles.length === 0) return <p class="nothing">It holds no PSD2 role, and none was used.</p>;
  return (
    <Table
      caption="Roles used against roles held"
      look="narrow"
      rows={roles}
      columns={[
        ['Role', visible, 'head'],
        [
          'Held',
          (role) => {
            if (rolesHeld.includes(role)) return 'held';
            return rolesMissing.includes(role) ? <strong class="over">missing</strong> : '–';
          },
        ],
        ['Used', (role) => (rolesUsed.includes(role) ? 'used' : '–')],
      ]}
    />
  );
}

const WIDTH = 780;
const LINE = 14;

function Validity({ id, certificate }: { id: string; certificate: Certificate }) {
  const { notBefore, notAfter, first, last } = certificate;
  const ends = [notBefore, notAfter, first, last].map((iso) => Date.parse(iso));
  const from = Math.min(...ends);
  const whole = Math.max(...ends) - from || 1;
  const x = (iso: string) => 6 + ((Date.parse(iso) - from) / whole) * (WIDTH - 12);
  return (
    <Picture
      id={id}
      title="Validity and use"
      description={`Valid from ${day(notBefore)} to ${day(notAfter)}; used from ${day(first)} to ${day(last)}.`}
      width={WIDTH}
      height={44}
    >
      <line class="validity" x1={x(notBefore)} x2={x(notAfter)} y1={LINE} y2={LINE} />
      <rect
        class="mark"
        x={x(first) - 3}
        y={LINE - 7}
        width={Math.max(6, x(last) - x(first) + 6)}
        height={14}
        rx={3}
      />
      <text class="axis" x={x(notBefore)} y={38}>
        {day(notBefore)}
      </text>
      <text class="axis end" x={x(notAfter)} y={38}>
        {day(notAfter)}
      </text>
    </Picture>
  );
}
