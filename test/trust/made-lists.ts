/** Trusted lists made for tests: the list of lists, its pivots and national ones, signed by keys of their own. */
import { createHash, sign } from 'node:crypto';
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import type { IssuingAuthority } from '../../src/certificate/index.js';
import { NOW } from '../builders.js';
import { anAuthority, DAY } from '../certificate/made.js';

const SCHEMA = 'http://uri.etsi.org/TrstSvc/TrustedList';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** Self-signed, as those of national lists may be. */
export const signer = (name: string): IssuingAuthority => anAuthority(name);

const day = (offset: number): string => new Date(NOW + offset * DAY).toISOString().replace('.000Z', 'Z');
const base64 = (authority: IssuingAuthority): string => Buffer.from(authority.der).toString('base64');
const identity = (authority: IssuingAuthority): string =>
  `<ServiceDigitalIdentity><DigitalId><X509Certificate>${base64(authority)}</X509Certificate></DigitalId></ServiceDigitalIdentity>`;

interface Scheme {
  readonly country?: string;
  readonly version?: string;
  readonly sequence?: number;
  /** Days from the time of the builders. */
  readonly issued?: number;
  readonly nextUpdate?: number | null;
  readonly uris?: readonly string[];
}

export interface PointerOrder {
  readonly country: string;
  readonly signers: readonly IssuingAuthority[];
  readonly url?: string;
}

export interface ServiceOrder {
  readonly authority: IssuingAuthority;
  readonly name?: string;
  /** Newest first: [status, days since, what for]. */
  readonly periods?: readonly (readonly [string, number, readonly string[]])[];
  readonly type?: string;
}

const WEB = 'ForWebSiteAuthentication';

function scheme(order: Scheme, type: string, pointers: string): string {
  const { country = 'BE', version = '5', sequence = 7, issued = -10, nextUpdate = 100, uris = [] } = order;
  const next = nextUpdate === null ? '' : `<dateTime>${day(nextUpdate)}</dateTime>`;
  const addresses = uris.map((uri) => `<URI xml:lang="en">${uri}</URI>`).join('');
  return `<SchemeInformation><TSLVersionIdentifier>${version}</TSLVersionIdentifier><TSLSequenceNumber>${sequence}</TSLSequenceNumber>
<TSLType>${SCHEMA}/TSLType/${type}</TSLType><SchemeInformationURI>${addresses}</SchemeInformationURI>
<SchemeTerritory>${country}</SchemeTerritory>${pointers}
<ListIssueDateTime>${day(issued)}</ListIssueDateTime><NextUpdate>${next}</NextUpdate></SchemeInformation>`;
}

const whole = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" xmlns:t="http://uri.etsi.org/02231/v2/additionaltypes#" Id="list" TSLTag="http://uri.etsi.org/19612/TSLTag">\n${content}\n</TrustServiceStatusList>`;

const pointer = (order: PointerOrder, type: string): string =>
  `<OtherTSLPointer><ServiceDigitalIdentities>${order.signers.map(identity).join('')}</ServiceDigitalIdentities><TSLLocation>${order.url ?? `https://lists.example/${order.country}.xml`}</TSLLocation><AdditionalInformation><OtherInformation><TSLType>${SCHEMA}/TSLType/${type}</TSLType></OtherInformation><OtherInformation><SchemeTerritory>${order.country}</SchemeTerritory></OtherInformation><OtherInformation><t:MimeType>application/vnd.etsi.tsl+xml</t:MimeType></OtherInformation></AdditionalInformation></OtherTSLPointer>`;

/** `own`: who may sign the next edition. */
export function aListOfLists(
  own: readonly IssuingAuthority[],
  pointers: readonly PointerOrder[],
  order: Scheme = {},
): string {
  const all = [
    pointer({ country: 'EU', signers: own }, 'EUlistofthelists'),
    ...pointers.map((one) => pointer(one, 'EUgeneric')),
  ];
  const text = `<PointersToOtherTSL>${all.join('')}</PointersToOtherTSL>`;
  return whole(scheme({ country: 'EU', sequence: 300, ...order }, 'EUlistofthelists', text));
}

function period(
  element: string,
  [status, since, purposes]: readonly [string, number, readonly string[]],
  more: string,
): string {
  const extensions = purposes.map(
    (purpose) =>
      `<Extension Critical="true"><AdditionalServiceInformation><URI xml:lang="en">${SCHEMA}/SvcInfoExt/${purpose}</URI></AdditionalServiceInformation></Extension>`,
  );
  return `<${element}>${more}<ServiceStatus>${SCHEMA}/Svcstatus/${status}</ServiceStatus><StatusStartingTime>${day(since)}</StatusStartingTime><ServiceInformationExtensions>${extensions.join('')}</ServiceInformationExtensions></${element}>`;
}

function service({ authority, name = 'Test QWACs', periods, type = 'CA/QC' }: ServiceOrder): string {
  const [now = ['granted', -300, [WEB]] as const, ...before] = periods ?? [];
  const more = `<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier><ServiceName><Name xml:lang="fr">Nom</Name><Name xml:lang="en">${name}</Name></ServiceName>${identity(authority)}`;
  const history = before.map((one) => period('ServiceHistoryInstance', one, '')).join('');
  return `<TSPService>${period('ServiceInformation', now, more)}<ServiceHistory>${history}</ServiceHistory></TSPService>`;
}

export function aNationalList(services: readonly ServiceOrder[], order: Scheme = {}): string {
  const provider = `<TrustServiceProvider><TSPInformation><TSPName><Name xml:lang="en">Test Trust Services</Name></TSPName></TSPInformation><TSPServices>${services.map(service).join('')}</TSPServices></TrustServiceProvider>`;
  return whole(
    `${scheme(order, 'EUgeneric', '')}<TrustServiceProviderList>${provider}</TrustServiceProviderList>`,
  );
}

const ECDSA = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';
class EcdsaSha256 implements SignatureAlgorithm {
  getAlgorithmName = () => ECDSA;
  getSignature = (text: unknown, key: unknown) =>
    sign('sha256', Buffer.from(String(text)), { key: String(key), dsaEncoding: 'ieee-p1363' }).toString(
      'base64',
    );
  verifySignature = () => false;
}

interface Signing {
  /** What the first reference covers; the root by default. */
  readonly covers?: string;
  readonly byId?: boolean;
  readonly transforms?: readonly string[];
  /** Leaves the signed properties of XAdES out. */
  readonly isBare?: true;
  /** Named by the signed properties in place of the signer. */
  readonly names?: IssuingAuthority;
}

export function signed(xml: string, by: IssuingAuthority, parts: Signing = {}): string {
  const { covers = '/*', byId = false, transforms = [ENVELOPED, EXCLUSIVE], isBare, names = by } = parts;
  const digest = createHash('sha256').update(names.der).digest('base64');
  const properties = `<xades:QualifyingProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" Target="#signature"><xades:SignedProperties Id="properties"><xades:SignedSignatureProperties><xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="${SHA256}"/><ds:DigestValue xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${digest}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2></xades:SignedSignatureProperties></xades:SignedProperties></xades:QualifyingProperties>`;
  const signing = new SignedXml({
    privateKey: by.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicCert: by.pem,
    canonicalizationAlgorithm: EXCLUSIVE,
    signatureAlgorithm: ECDSA,
    ...(isBare ? {} : { objects: [{ content: properties }] }),
  });
  signing.SignatureAlgorithms[ECDSA] = EcdsaSha256;
  signing.addReference({
    xpath: covers,
    transforms: [...transforms],
    digestAlgorithm: SHA256,
    isEmptyUri: !byId,
  });
  if (!isBare)
    signing.addReference({
      xpath: "//*[local-name()='SignedProperties']",
      transforms: [EXCLUSIVE],
      digestAlgorithm: SHA256,
    });
  signing.computeSignature(xml, { prefix: 'ds', location: { reference: '/*', action: 'append' } });
  return signing.getSignedXml();
}
