/** Reads a trusted list, or the list of lists, of ETSI TS 119 612: version 5 or 6, signed over the whole of it. */
import { hash, type X509Certificate } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import type { ListedService, ListPurpose } from '../certificate/index.js';
import { elementAt, elementsIn, openSignedXml, textAt } from '../xml/index.js';

/** The largest real lists have 6 MB; one of 10 MB takes 2 s and 500 MB to verify. */
export const MOST_LIST_BYTES = 16_777_216;
const DEEPEST = 50;
const MOST_SERVICES = 5_000;
const NAMESPACE = 'http://uri.etsi.org/02231/v2#';
const VERSIONS = ['5', '6'];
const XML_LIST = 'application/vnd.etsi.tsl+xml';
const ISSUES_QUALIFIED = 'http://uri.etsi.org/TrstSvc/Svctype/CA/QC';
const ADDITIONAL = 'http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/';
/** By the last part of an address below `ADDITIONAL`: of the service, and of the certificates that meet its criteria. */
const PURPOSES: Readonly<Record<string, ListPurpose>> = {
  ForWebSiteAuthentication: 'web',
  QCForWSA: 'web',
  ForeSeals: 'eseal',
  QCForESeal: 'eseal',
};

export interface Pointer {
  readonly country: string;
  readonly url: string;
  readonly isListOfLists: boolean;
  /** SHA-256 of the certificates that may sign the list, hex. */
  readonly signers: readonly string[];
}

export interface ReadList {
  readonly country: string;
  readonly isListOfLists: boolean;
  readonly sequence: number;
  /** Epoch ms. */
  readonly issued: number;
  /** null: the list is closed. */
  readonly nextUpdate: number | null;
  /** SHA-256 of the file, hex. */
  readonly digest: string;
  readonly signer: X509Certificate;
  readonly signerDigest: string;
  readonly pointers: readonly Pointer[];
  /** Addresses of earlier editions that name other signers, newest first. */
  readonly pivots: readonly string[];
  readonly services: readonly ListedService[];
}

export interface UnreadList {
  readonly why: string;
  /** The country that it claims to be of. */
  readonly country: string | null;
}

export const TOO_LARGE: UnreadList = {
  why: `it is larger than ${MOST_LIST_BYTES / 1_048_576} MiB`,
  country: null,
};
const CLAIM = /<(?:[\w.-]{1,30}:)?SchemeTerritory>\s{0,9}([A-Z]{2})\s{0,9}</;

/** The list; or why it is refused. Whether its signer may sign it is for the list of lists to say. */
export function readList(bytes: Uint8Array): ReadList | UnreadList {
  if (bytes.length === 0) return { why: 'it is empty', country: null };
  if (bytes.length > MOST_LIST_BYTES) return TOO_LARGE;
  let text: string;
  try {
    // Takes a byte order mark away.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { why: 'it is not UTF-8', country: null };
  }
  const read = readText(text, hash('sha256', bytes, 'hex'));
  return typeof read === 'string' ? { why: read, country: CLAIM.exec(text)?.[1] ?? null } : read;
}

function readText(text: string, digest: string): ReadList | string {
  const signed = openSignedXml(text, DEEPEST);
  if (typeof signed === 'string') return signed;
  const { root, signer } = signed;
  if (root.localName !== 'TrustServiceStatusList' || root.namespaceURI !== NAMESPACE)
    return 'it is no trusted list';
  const scheme = elementAt(root, 'SchemeInformation');
  const version = textAt(scheme, 'TSLVersionIdentifier') ?? 'unknown';
  if (!VERSIONS.includes(version)) return `its version is ${version.slice(0, 10)}, not 5 or 6`;
  const country = textAt(scheme, 'SchemeTerritory') ?? '';
  const sequence = Number(textAt(scheme, 'TSLSequenceNumber'));
  const issued = timeIn(scheme, 'ListIssueDateTime');
  if (!/^[A-Z]{2}$/.test(country) || !Number.isSafeInteger(sequence) || issued === null)
    return 'its country, number or date of issue cannot be read';
  const services = elementsIn(elementAt(root, 'TrustServiceProviderList'), 'TrustServiceProvider').flatMap(
    servicesOf,
  );
  if (services.length > MOST_SERVICES) return `it has more than ${MOST_SERVICES} services`;
  return {
    country,
    isListOfLists: textAt(scheme, 'TSLType')?.endsWith('/EUlistofthelists') === true,
    sequence,
    issued,
    nextUpdate: timeIn(scheme, 'NextUpdate/dateTime'),
    digest,
    signer,
    signerDigest: hash('sha256', signer.raw, 'hex'),
    pointers: elementsIn(elementAt(scheme, 'PointersToOtherTSL'), 'OtherTSLPointer').flatMap(pointerOf),
    pivots: elementsIn(elementAt(scheme, 'SchemeInformationURI'), 'URI')
      .map((uri) => uri.textContent?.trim() ?? '')
      .filter((uri) => /pivot[^/]*\.xml$/i.test(uri)),
    services,
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function timeIn(parent: Element | undefined, path: string): number | null {
  const text = textAt(parent, path) ?? '';
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

function certificatesIn(identity: Element | undefined): Buffer[] {
  return elementsIn(identity, 'DigitalId').flatMap((one) => {
    const text = textAt(one, 'X509Certificate');
    return text === undefined ? [] : [Buffer.from(text, 'base64')];
  });
}

function pointerOf(pointer: Element): Pointer[] {
  const facts = elementsIn(elementAt(pointer, 'AdditionalInformation'), 'OtherInformation');
  const fact = (name: string) => facts.flatMap((one) => textAt(one, name) ?? [])[0] ?? '';
  if (fact('MimeType') !== XML_LIST) return [];
  const identities = elementsIn(elementAt(pointer, 'ServiceDigitalIdentities'), 'ServiceDigitalIdentity');
  return [
    {
      country: fact('SchemeTerritory'),
      url: textAt(pointer, 'TSLLocation') ?? '',
      isListOfLists: fact('TSLType').endsWith('/EUlistofthelists'),
      signers: identities.flatMap(certificatesIn).map((der) => hash('sha256', der, 'hex')),
    },
  ];
}

/** English where it is there. */
function nameIn(parent: Element | undefined): string {
  const names = elementsIn(parent, 'Name');
  const english = names.find((name) => name.getAttribute('xml:lang')?.toLowerCase() === 'en');
  return (english ?? names[0])?.textContent?.trim().replace(/\s+/g, ' ').slice(0, 200) ?? '';
}

/** The services of a provider that issue qualified certificates for web sites or seals, now or before. */
function servicesOf(provider: Element): ListedService[] {
  const name = nameIn(elementAt(provider, 'TSPInformation/TSPName'));
  return elementsIn(elementAt(provider, 'TSPServices'), 'TSPService').flatMap((one) => {
    const now = elementAt(one, 'ServiceInformation');
    if (textAt(now, 'ServiceTypeIdentifier') !== ISSUES_QUALIFIED) return [];
    const before = elementsIn(elementAt(one, 'ServiceHistory'), 'ServiceHistoryInstance');
    const periods = [now, ...before].flatMap(periodOf);
    const certificates = certificatesIn(elementAt(now, 'ServiceDigitalIdentity'));
    if (certificates.length === 0 || periods.every(({ purposes }) => purposes.length === 0)) return [];
    return [
      {
        provider: name,
        name: nameIn(elementAt(now, 'ServiceName')),
        certificates: certificates.map((der) => der.toString('base64')),
        periods,
      },
    ];
  });
}

function periodOf(instance: Element | undefined): ListedService['periods'] {
  const since = timeIn(instance, 'StatusStartingTime');
  const status = textAt(instance, 'ServiceStatus')?.split('/').at(-1)?.slice(0, 60);
  if (since === null || status === undefined) return [];
  const extensions = elementsIn(elementAt(instance, 'ServiceInformationExtensions'), 'Extension');
  const uris = extensions.flatMap((extension) => [
    ...elementsIn(extension, 'AdditionalServiceInformation').map((one) => textAt(one, 'URI') ?? ''),
    ...elementsIn(elementAt(extension, 'Qualifications'), 'QualificationElement').flatMap((element) =>
      elementsIn(elementAt(element, 'Qualifiers'), 'Qualifier').map((one) => one.getAttribute('uri') ?? ''),
    ),
  ]);
  const purposes = uris.flatMap((uri) =>
    uri.startsWith(ADDITIONAL) ? (PURPOSES[uri.slice(ADDITIONAL.length)] ?? []) : [],
  );
  return [{ since: new Date(since).toISOString(), status, purposes: [...new Set(purposes)] }];
}
