/** Builders of test values with fixed defaults; every argument is optional. */
import type { CertificateFacts, CertificateObservation } from '../src/certificate/index.js';
import {
  type Answer,
  type Body,
  type Call,
  closeCall,
  createFingerprint,
  type Exchange,
  type HeaderList,
  openAnswer,
  openCall,
} from '../src/exchange/index.js';
import type { JudgeOptions, Profile } from '../src/rules/index.js';
import {
  type BankProfile,
  bankProfile,
  type Dialect,
  dialectOf,
  OPERATIONS,
  type OperationId,
} from '../src/spec/index.js';

/** 2026-06-15 10:00 UTC. */
export const NOW = Date.UTC(2026, 5, 15, 10, 0, 0);
export const REQUEST_ID = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
export const TPP = 'PSDBE-NBB-0123456789';
export const OTHER_TPP = 'PSDDE-BAFIN-987654';
export const fingerprint = createFingerprint(new Uint8Array(32).fill(7));

/** A profile that says what the parts say, and nothing else. */
export const aProfile = (
  parts: { [K in keyof BankProfile]?: BankProfile[K] | undefined } = {},
): BankProfile =>
  bankProfile.parse({
    ...{ name: 'test', title: 'Test bank', standard: 'Berlin Group 1.3.8' },
    sources: [{ where: 'this test', tells: 'everything' }],
    ...parts,
  });

export function aCertificate(overrides: Partial<CertificateFacts> = {}): CertificateFacts {
  return {
    fingerprint256: 'ab'.repeat(32),
    serialNumber: '01',
    subject: `CN=tpp.example, O=Test TPP, organizationIdentifier=${TPP}, C=BE`,
    issuer: 'CN=Sandgate Test CA',
    organizationIdentifier: organisation(TPP),
    organization: 'Test TPP',
    commonName: 'tpp.example',
    dnsNames: ['tpp.example'],
    qcCompliance: true,
    qcType: ['web'],
    qcSscd: false,
    qcPds: [],
    qcLimit: null,
    qcLegislation: [],
    qcStatements: ['0.4.0.1862.1.1', '0.4.0.1862.1.6', '0.4.0.19495.2'],
    encoding: 'standard',
    roles: [
      { oid: '0.4.0.19495.1.2', name: 'PSP_PI', role: 'PSP_PI' },
      { oid: '0.4.0.19495.1.3', name: 'PSP_AI', role: 'PSP_AI' },
      { oid: '0.4.0.19495.1.4', name: 'PSP_IC', role: 'PSP_IC' },
    ],
    ncaName: 'National Bank of Belgium',
    ncaId: 'BE-NBB',
    policies: ['0.4.0.19495.3.1'],
    signatureAlgorithm: 'sha256WithRSAEncryption',
    keyUsage: ['digitalSignature'],
    extendedKeyUsage: ['clientAuth', 'serverAuth'],
    notBefore: new Date(NOW - 30 * 86_400_000).toISOString(),
    notAfter: new Date(NOW + 300 * 86_400_000).toISOString(),
    keyType: 'rsa',
    keySize: 2048,
    curve: null,
    chain: { trusted: true, reason: 'Signed by Sandgate Test CA.', path: ['CN=Sandgate Test CA'] },
    revocation: { status: 'good' },
    problems: [],
    ...overrides,
  };
}

/** The facts of an organizationIdentifier of the form PSDcc-NCA-number. */
export function organisation(text: string): CertificateFacts['organizationIdentifier'] {
  const parts = /^PSD([A-Z]{2})-([A-Z]{2,8})-(.+)$/.exec(text);
  if (parts === null) return { text, scheme: null, country: null, authority: null, number: null };
  return {
    text,
    scheme: 'PSD',
    country: parts[1] ?? null,
    authority: parts[2] ?? null,
    number: parts[3] ?? null,
  };
}

export interface CallParts {
  operation?: OperationId;
  method?: string;
  /** Path and query; made of the operation's path and `params` where absent. */
  target?: string;
  params?: Record<string, string>;
  query?: string;
  /** Put over the defaults; undefined takes a default away. */
  headers?: Record<string, string | undefined>;
  /** Headers just as they are, instead of defaults and `headers`. */
  headerList?: HeaderList;
  /** A string as it is, anything else as JSON. */
  body?: unknown;
  form?: Record<string, string>;
  certificate?: CertificateObservation;
  at?: number;
  id?: string;
  listener?: Call['listener'];
  connection?: Call['connection'];
  /** The bank whose paths it follows. */
  dialect?: Dialect;
}

const PARAMS: Record<string, string> = {
  segment: 'stdgroup',
  consentId: 'VALID_CONSENT_ID',
  accountId: 'ACCOUNT_ID',
  paymentService: 'payments',
  paymentProduct: 'sepa-credit-transfers',
  paymentId: 'PAYMENT_ID_RCVD_SCT',
  authorisationId: '11111111-1111-1111-1111-111111111111',
};

function aBody(text: string): Body {
  return { text, size: Buffer.byteLength(text) };
}

export function aCall(parts: CallParts = {}): Call {
  const { operation = 'consents.read', dialect = dialectOf() } = parts;
  const row = OPERATIONS[operation];
  const path = dialect.pathOf(operation, { ...PARAMS, ...parts.params });
  const target = parts.target ?? `${path}${parts.query === undefined ? '' : `?${parts.query}`}`;
  const method = parts.method ?? row.method;
  let text: string | null = null;
  let type: string | undefined;
  if (parts.form !== undefined)
    [text, type] = [new URLSearchParams(parts.form).toString(), 'application/x-www-form-urlencoded'];
  else if (typeof parts.body === 'string') [text, type] = [parts.body, 'application/json'];
  else if (parts.body !== undefined) [text, type] = [JSON.stringify(parts.body), 'application/json'];
  const fields: Record<string, string | undefined> = {
    host: 'localhost:8443',
    ...(row.requestId ? { 'X-Request-ID': REQUEST_ID } : {}),
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...parts.headers,
  };
  const headers =
    parts.headerList ??
    Object.entries(fields).flatMap(([k, v]) => (v === undefined ? [] : [[k, v] as const]));
  const psu = row.listener === 'psu';
  return openCall(
    {
      id: parts.id ?? '00000000001',
      session: 'test',
      at: parts.at ?? NOW,
      listener: parts.listener ?? row.listener,
      // A file that says nothing of certificates says nothing of TLS; our PSU listener asks for no certificate.
      connection: parts.connection ?? {
        address: '127.0.0.1',
        tls:
          parts.certificate === 'not-observed'
            ? 'not-observed'
            : { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', resumed: false },
      },
      certificate: parts.certificate ?? (psu ? 'not-observed' : aCertificate()),
      method,
      target,
      headers,
      body: text === null ? null : aBody(text),
    },
    dialect.recognise(method, target.split('?', 1)[0] as string),
  );
}

export interface AnswerParts {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  source?: Answer['source'];
}

export function anAnswer(parts: AnswerParts = {}): Answer {
  const text =
    parts.body === undefined
      ? null
      : typeof parts.body === 'string'
        ? parts.body
        : JSON.stringify(parts.body);
  const headers = { ...(text === null ? {} : { 'Content-Type': 'application/json' }), ...parts.headers };
  return openAnswer({
    source: parts.source ?? 'emulator',
    status: parts.status ?? 200,
    headers: Object.entries(headers),
    body: text === null ? null : aBody(text),
  });
}

export function anExchange(parts: { call?: CallParts; answer?: AnswerParts | null } = {}): Exchange {
  const answer = parts.answer === null ? null : anAnswer(parts.answer);
  return closeCall(aCall(parts.call), answer, { total: 2, answerer: 1 });
}

/** A handshake that failed, as it is recorded. */
export function aFailedConnection({
  session = 'test',
  ...parts
}: Pick<CallParts, 'id' | 'at'> & { session?: string } = {}): Exchange {
  const call = aCall({ ...parts, method: '', target: '', headerList: [], certificate: 'not-observed' });
  const none = { session, operation: null, params: {}, nearest: undefined };
  const fault = { kind: 'handshake', message: 'The TLS handshake failed.' } as const;
  return closeCall(call.with(none), null, { total: 0, answerer: 0 }, fault);
}

export function judgeOptions(profile: Profile = 'sandbox'): JudgeOptions {
  return {
    profile,
    dailyWindow: { kind: 'calendar-day', timeZone: 'Europe/Brussels' },
    blockedOrganisations: new Set(),
    notificationHostAllowed: (host) => host === 'localhost' || host.startsWith('127.') || host === '[::1]',
    bankOrigins: new Set(['https://localhost:8443', 'https://localhost:8444']),
    dialect: dialectOf(),
  };
}

/** Of a recorder whose store nobody looks after. */
export const unwatched = { timer: { after: () => () => {} }, onDown: () => {}, onUp: () => {} };
