/** Object identifiers of certificates, and the names they go by. */

export const OID = {
  commonName: '2.5.4.3',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  certificateIssuer: '2.5.29.29',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  qcStatements: '1.3.6.1.5.5.7.1.3',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  qcCompliance: '0.4.0.1862.1.1',
  qcLimit: '0.4.0.1862.1.2',
  qcSscd: '0.4.0.1862.1.4',
  qcPds: '0.4.0.1862.1.5',
  qcType: '0.4.0.1862.1.6',
  qcLegislation: '0.4.0.1862.1.7',
  psd2: '0.4.0.19495.2',
  /** QCP-w-psd2 of ETSI TS 119 495. */
  policyWebPsd2: '0.4.0.19495.3.1',
} as const;

/** Roles by OID (ETSI TS 119 495 5.1), with those that its later versions add. */
export const ROLES = {
  '0.4.0.19495.1.0': 'Unspecified',
  '0.4.0.19495.1.1': 'PSP_AS',
  '0.4.0.19495.1.2': 'PSP_PI',
  '0.4.0.19495.1.3': 'PSP_AI',
  '0.4.0.19495.1.4': 'PSP_IC',
  '0.4.0.19495.1.5': 'PSP_CB',
  '0.4.0.19495.1.6': 'PSP_PA',
  '0.4.0.19495.1.51': 'VOP_RS',
  '0.4.0.19495.1.52': 'VOP_VS',
} as const satisfies Record<string, string>;

export type RoleName = (typeof ROLES)[keyof typeof ROLES];

const oidsOf = <Name extends string>(names: Readonly<Record<string, Name>>) =>
  Object.fromEntries(Object.entries(names).map(([oid, name]) => [name, oid])) as Readonly<
    Record<Name, string>
  >;

export const ROLE_OIDS = oidsOf<RoleName>(ROLES);

/** QcType by OID (ETSI EN 319 412-5 4.2.3). */
export const QC_TYPES = {
  '0.4.0.1862.1.6.1': 'esign',
  '0.4.0.1862.1.6.2': 'eseal',
  '0.4.0.1862.1.6.3': 'web',
} as const satisfies Record<string, string>;

export type QcTypeName = (typeof QC_TYPES)[keyof typeof QC_TYPES];

export const QC_TYPE_OIDS = oidsOf<QcTypeName>(QC_TYPES);

/** Attribute types of names, as a subject line writes them. */
export const ATTRIBUTES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.15': 'businessCategory',
  '2.5.4.17': 'postalCode',
  '2.5.4.42': 'givenName',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '1.3.6.1.4.1.311.60.2.1.1': 'jurisdictionL',
  '1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionST',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionC',
};

/** Bits of keyUsage in their order (RFC 5280 4.2.1.3). */
export const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;

export type KeyUsageName = (typeof KEY_USAGES)[number];

export const EXTENDED_KEY_USAGES = {
  '2.5.29.37.0': 'anyExtendedKeyUsage',
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'OCSPSigning',
} as const satisfies Record<string, string>;

export type ExtendedKeyUsageName = (typeof EXTENDED_KEY_USAGES)[keyof typeof EXTENDED_KEY_USAGES];

export const EXTENDED_KEY_USAGE_OIDS = oidsOf<ExtendedKeyUsageName>(EXTENDED_KEY_USAGES);

export interface SignatureAlgorithm {
  readonly name: string;
  /** The name in node:crypto; null if the key itself fixes it. */
  readonly hash: string | null;
}

/** Signature algorithms without parameters of their own; RSASSA-PSS names its hash in its parameters. */
export const SIGNATURE_ALGORITHMS: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.2': { name: 'md2WithRSAEncryption', hash: 'md2' },
  '1.2.840.113549.1.1.4': { name: 'md5WithRSAEncryption', hash: 'md5' },
  '1.2.840.113549.1.1.5': { name: 'sha1WithRSAEncryption', hash: 'sha1' },
  '1.3.14.3.2.29': { name: 'sha1WithRSAEncryption', hash: 'sha1' },
  '1.2.840.113549.1.1.14': { name: 'sha224WithRSAEncryption', hash: 'sha224' },
  '1.2.840.113549.1.1.11': { name: 'sha256WithRSAEncryption', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { name: 'sha384WithRSAEncryption', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { name: 'sha512WithRSAEncryption', hash: 'sha512' },
  '1.2.840.10045.4.1': { name: 'ecdsa-with-SHA1', hash: 'sha1' },
  '1.2.840.10045.4.3.1': { name: 'ecdsa-with-SHA224', hash: 'sha224' },
  '1.2.840.10045.4.3.2': { name: 'ecdsa-with-SHA256', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { name: 'ecdsa-with-SHA384', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { name: 'ecdsa-with-SHA512', hash: 'sha512' },
  '1.2.840.10040.4.3': { name: 'dsa-with-SHA1', hash: 'sha1' },
  '2.16.840.1.101.3.4.3.2': { name: 'dsa-with-SHA256', hash: 'sha256' },
  '1.3.101.112': { name: 'ED25519', hash: null },
  '1.3.101.113': { name: 'ED448', hash: null },
};

export const RSASSA_PSS = '1.2.840.113549.1.1.10';

export const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** National competent authorities by their published code, as test certificates name them (ETSI TS 119 495 annex). */
export const NCA_NAMES: Readonly<Record<string, string>> = {
  'AT-FMA': 'Austria Financial Market Authority',
  'BE-NBB': 'National Bank of Belgium',
  'BG-BNB': 'Bulgarian National Bank',
  'CY-CBC': 'Central Bank of Cyprus',
  'CZ-CNB': 'Czech National Bank',
  'DE-BAFIN': 'Federal Financial Supervisory Authority',
  'DK-DFSA': 'Danish Financial Supervisory Authority',
  'EE-FI': 'Estonia Financial Supervisory Authority',
  'ES-BE': 'Bank of Spain',
  'FI-FINFSA': 'Finnish Financial Supervisory Authority',
  'FR-ACPR': 'Prudential Supervisory and Resolution Authority',
  'GB-FCA': 'Financial Conduct Authority',
  'GR-BOG': 'Bank of Greece',
  'HR-CNB': 'Croatian National Bank',
  'HU-CBH': 'Central Bank of Hungary',
  'IE-CBI': 'Central Bank of Ireland',
  'IS-FME': 'Financial Supervisory Authority Iceland',
  'IT-BI': 'Bank of Italy',
  'LI-FMA': 'Financial Market Authority Liechtenstein',
  'LT-BL': 'Bank of Lithuania',
  'LU-CSSF': 'Commission for the Supervision of Financial Sector',
  'LV-FCMC': 'Financial and Capital Markets Commission',
  'MT-MFSA': 'Malta Financial Services Authority',
  'NL-DNB': 'The Netherlands Bank',
  'NO-FSA': 'The Financial Supervisory Authority of Norway',
  'PL-PFSA': 'Polish Financial Supervision Authority',
  'PT-BP': 'Bank of Portugal',
  'RO-NBR': 'National Bank of Romania',
  'SE-FINA': 'Swedish Financial Supervision Authority',
  'SI-BS': 'Bank of Slovenia',
  'SK-NBS': 'National Bank of Slovakia',
};
