/**
 * Typical calls of a TPP that is right, in the dialect of each shipped bank, written from the facts that its profile
 * names: values of our own, and answers with the bank's deviations where its clients meet them in each call.
 */
import { createHash } from 'node:crypto';

export interface Call {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer?: string;
}

type Media = 'json' | 'xml' | 'multipart';

/** What differs between banks for a client. */
interface Row {
  readonly origin: string;
  readonly ais: string;
  readonly pis?: string;
  /** apart: the authorisation is started by a POST; password: by one that holds the password. */
  readonly sca: 'implicit' | 'apart' | 'password' | 'redirect' | 'oauth' | 'decoupled';
  /** The link of a creation that leads on. */
  readonly link: string;
  readonly links?: 'absolute' | 'below' | 'texts';
  readonly lacks?: readonly ('self' | 'scaStatus' | 'request-id' | 'location')[];
  readonly creation?: Readonly<Record<string, string>>;
  readonly all?: Readonly<Record<string, string>>;
  readonly accounts?: { readonly list: string; readonly transactions: string };
  readonly query?: string;
  readonly token?: string;
  readonly authorize?: string;
  readonly discovery?: string;
  /** OAuth comes first: the scope that is asked for, and the spelling of response_type. */
  readonly first?: { readonly scope: string; readonly responseType: string };
  /** What is paid with: service, product and form of the body. */
  readonly pays?: readonly (readonly [service: string, product: string, media: Media])[];
  readonly consents?: false;
  readonly password?: string;
  readonly report?: 'json' | 'xml' | 'text';
  readonly debtor?: false;
  /** The creation of a consent has no link but the one that leads on. */
  readonly bareConsents?: true;
  /** There is one method, which is chosen by the bank. */
  readonly oneMethod?: true;
  /** The bank's own code of a month or a week. */
  readonly frequency?: string;
  /** Rules whose mistakes are none here. */
  readonly free?: readonly string[];
  readonly signed?: true;
}

const SINGLE = ['payments', 'sepa-credit-transfers', 'json'] as const;
const PERIODIC = ['periodic-payments', 'sepa-credit-transfers', 'json'] as const;
const PAIN = ['payments', 'pain.001-sepa-credit-transfers', 'xml'] as const;
const PSU = { 'PSU-ID': 'psu-17' } as const;
const RETURN = { 'TPP-Redirect-URI': 'https://tpp.example/back' } as const;
const PSU_IP = { 'PSU-IP-Address': '192.0.2.7' } as const;
const EMBEDDED = { ...PSU, ...PSU_IP, 'TPP-Redirect-Preferred': 'false' } as const;
const AGENT = { 'User-Agent': 'tpp/1.0' } as const;
const BEARER = { Authorization: 'Bearer a-token-of-the-psu' } as const;
const FAMILY = {
  sca: 'oauth',
  link: 'scaOAuth',
  creation: { ...PSU_IP, ...RETURN },
  token: '/berlingroup/v1/token',
  discovery:
    '/berlingroup/.well-known/openid-configuration?authorizationId=11111111-2222-4333-8444-555555555555',
  authorize: '/berlingroup/authorization/authorize/11111111-2222-4333-8444-555555555555',
} as const;

export const ROWS: Readonly<Record<string, Row>> = {
  adorsys: {
    origin: 'https://xs2a.modelbank.example',
    ais: '/v1',
    sca: 'implicit',
    link: 'updatePsuAuthentication',
    creation: EMBEDDED,
    pays: [
      SINGLE,
      PERIODIC,
      ['payments', 'instant-sepa-credit-transfers', 'json'],
      ['bulk-payments', 'pain.001-sepa-credit-transfers', 'xml'],
    ],
  },
  comdirect: { origin: 'https://xs2a.comdirect.example', ais: '/berlingroup/v1', ...FAMILY },
  commerzbank: { origin: 'https://psd2.commerzbank.example', ais: '/berlingroup/v1', ...FAMILY },
  consorsbank: {
    origin: 'https://xs2a.consorsbank.example',
    ais: '/v1',
    sca: 'redirect',
    link: 'scaRedirect',
    creation: { ...PSU_IP, ...RETURN },
  },
  dab: {
    origin: 'https://xs2a.dab.example',
    ais: '/v1',
    sca: 'redirect',
    link: 'scaRedirect',
    creation: { ...PSU_IP, ...RETURN },
  },
  'deutsche-bank': {
    origin: 'https://xs2a.db.example',
    ais: '/ais/DE/DB/v1',
    pis: '/pis/DE/DB/v1',
    sca: 'implicit',
    link: 'startAuthorisationWithEncryptedPsuAuthentication',
    creation: { ...EMBEDDED, ...RETURN, 'PSU-ID-Type': 'DE_ONLB_DB' },
    all: { Date: 'Mon, 15 Jun 2026 08:00:00 GMT' },
    password: 'encryptedPassword',
    pays: [SINGLE, PERIODIC],
  },
  dkb: {
    origin: 'https://api.dkb.example',
    ais: '/psd2sandbox/1.3.6/v1',
    sca: 'implicit',
    link: 'updatePsuAuthentication',
    creation: EMBEDDED,
    all: { 'PSD2-AUTHORIZATION': 'Bearer a-token-of-a-log-in' },
    pays: [SINGLE, PERIODIC],
  },
  fiducia: {
    origin: 'https://xs2a.fiducia.example',
    ais: '/xs2a/bg13/v1',
    sca: 'password',
    link: 'startAuthorisationWithPsuAuthentication',
    links: 'below',
    lacks: ['self', 'scaStatus'],
    creation: { ...PSU, ...PSU_IP },
    signed: true,
    pays: [PAIN, ['periodic-payments', 'pain.001-sepa-credit-transfers', 'multipart']],
  },
  ing: {
    origin: 'https://api.ing.example',
    ais: '',
    pis: '/v1',
    sca: 'redirect',
    link: 'scaRedirect',
    links: 'texts',
    lacks: ['scaStatus', 'request-id', 'location'],
    consents: false,
    accounts: { list: '/v3/accounts', transactions: '/v2/accounts/{id}/transactions' },
    query: 'dateFrom=2026-05-16&dateTo=2026-06-15&limit=10',
    creation: { ...PSU_IP, ...RETURN },
    all: { ...BEARER, Date: 'Mon, 15 Jun 2026 08:00:00 GMT' },
    frequency: 'WEEK',
    debtor: false,
    signed: true,
    pays: [SINGLE, PERIODIC],
  },
  keytrade: { origin: 'https://psd2.keytrade.example', ais: '/berlingroup/v1', ...FAMILY },
  n26: {
    origin: 'https://xs2a.n26.example',
    ais: '/v1/berlin-group/v1',
    sca: 'decoupled',
    first: { scope: 'DEDICATED_AISP', responseType: 'CODE' },
    authorize: '/oauth2/authorize',
    token: '/oauth2/token?role=DEDICATED_AISP',
    link: 'status',
    bareConsents: true,
    all: { ...BEARER, ...AGENT },
    query: 'dateFrom=2026-05-16&dateTo=2026-06-15&bookingStatus=booked',
    frequency: 'MNTH',
    debtor: false,
    pays: [SINGLE, PERIODIC, ['payments', 'instant-sepa-credit-transfers', 'json']],
  },
  obp: {
    origin: 'https://api.obp.example',
    ais: '/berlin-group/v1.3',
    sca: 'apart',
    link: 'startAuthorisation',
    creation: PSU_IP,
    all: BEARER,
    free: ['accounts/token-present'],
  },
  olb: {
    origin: 'https://xs2a.olb.example',
    ais: '/xs2a/OLB/v1',
    sca: 'redirect',
    link: 'scaRedirect',
    creation: { ...PSU_IP, ...RETURN },
  },
  sandgate: {
    origin: 'https://bank.example',
    ais: '/stdgroup/v1',
    ...FAMILY,
    token: '/stdgroup/v1/token',
    discovery:
      '/stdgroup/.well-known/openid-configuration?authorizationId=11111111-2222-4333-8444-555555555555',
    authorize: '/stdgroup/authorization/authorize/11111111-2222-4333-8444-555555555555',
  },
  santander: {
    origin: 'https://api.santander.example',
    ais: '/scb-openapis/sx/v1',
    sca: 'oauth',
    link: 'scaOAuth',
    links: 'below',
    lacks: ['scaStatus', 'request-id', 'location'],
    creation: { ...PSU_IP, ...RETURN },
    all: BEARER,
    token: '/scb-openapis/sx/v1/oauth_matls/token',
    discovery: '/scb-openapis/sx/.well-known/oauth-authorization-server',
    query: 'bookingStatus=booked&withBalance=true',
  },
  seeliger: {
    origin: 'https://banking.seeliger.example',
    ais: '/v1',
    sca: 'redirect',
    link: 'scaRedirect',
    creation: { ...PSU_IP, ...RETURN },
  },
  sparda: {
    origin: 'https://api.sparda.example',
    ais: '/v1',
    sca: 'redirect',
    link: 'scaRedirect',
    creation: { ...PSU, ...PSU_IP, ...RETURN },
    all: BEARER,
    free: ['accounts/token-present'],
    pays: [SINGLE, PERIODIC],
  },
  sparkasse: {
    origin: 'https://xs2a.sparkasse.example',
    ais: '/fixs2a-env/xs2a-api/12345678/v1',
    sca: 'password',
    link: 'startAuthorisationWithPsuAuthentication',
    creation: { ...EMBEDDED, ...RETURN },
    report: 'xml',
    pays: [SINGLE, PAIN],
  },
  triodos: {
    origin: 'https://xs2a.triodos.example',
    ais: '/xs2a-bg/nl/v1',
    sca: 'redirect',
    link: 'scaOAuth',
    creation: { ...PSU_IP, ...RETURN },
    all: BEARER,
    signed: true,
  },
  unicredit: {
    origin: 'https://api.unicredit.example',
    ais: '/hydrogen/v1',
    sca: 'apart',
    link: 'startAuthorisation',
    oneMethod: true,
    lacks: ['self', 'scaStatus'],
    creation: { ...PSU, ...PSU_IP, ...RETURN, 'PSU-ID-Type': 'HVB_ONLINEBANKING' },
    pays: [SINGLE, PERIODIC],
  },
  verlag: {
    origin: 'https://xs2a.verlag.example',
    ais: '/xbank/v1',
    sca: 'password',
    link: 'startAuthorisationWithPsuAuthentication',
    creation: { ...EMBEDDED, ...RETURN },
    report: 'text',
    pays: [SINGLE, PAIN, PERIODIC],
  },
  wso2: {
    origin: 'https://gateway.wso2.example',
    ais: '/xs2a/v1',
    sca: 'redirect',
    link: 'scaOAuth',
    creation: { ...PSU_IP, ...RETURN },
    all: BEARER,
  },
};

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-for-these-calls';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const STATE = 'Zk3uV9mYx2Qp7RtW';
const CLIENT = 'PSDDE-BAFIN-123456';
const ACCOUNT = { iban: 'BE14983120441783', currency: 'EUR' };
const AUTHORISATION = '11111111-2222-4333-8444-555555555555';
const METHOD = { authenticationMethodId: 'method-1', authenticationType: 'SMS_OTP', name: 'by SMS' };

export const CONSENT = {
  access: { accounts: [ACCOUNT], balances: [ACCOUNT], transactions: [ACCOUNT] },
  recurringIndicator: true,
  validUntil: '2026-08-01',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const paymentOf = (row: Row, service: string) => ({
  ...(row.debtor === false ? {} : { debtorAccount: ACCOUNT }),
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  creditorAccount: { iban: 'BE86986509812450' },
  creditorName: 'Jane Doe',
  ...(service === 'periodic-payments'
    ? { startDate: '2026-07-01', frequency: row.frequency ?? 'Monthly', dayOfExecution: '1' }
    : {}),
});

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
export const PAIN_001 =
  `${XML}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn><GrpHdr>` +
  '<MsgId>M-1</MsgId><CreDtTm>2026-06-15T08:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>12.50</CtrlSum>' +
  '<InitgPty><Nm>TPP</Nm></InitgPty></GrpHdr><PmtInf><PmtInfId>P-1</PmtInfId><PmtMtd>TRF</PmtMtd>' +
  '<ReqdExctnDt>2026-06-16</ReqdExctnDt><Dbtr><Nm>John Doe</Nm></Dbtr><DbtrAcct><Id><IBAN>BE14983120441783</IBAN></Id>' +
  '</DbtrAcct><CdtTrfTxInf><PmtId><EndToEndId>E-1</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt>' +
  '<Cdtr><Nm>Jane Doe</Nm></Cdtr><CdtrAcct><Id><IBAN>BE86986509812450</IBAN></Id></CdtrAcct></CdtTrfTxInf></PmtInf>' +
  '</CstmrCdtTrfInitn></Document>';
const PAIN_002 =
  `${XML}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><OrgnlGrpInfAndSts>` +
  '<GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>';
const STANDING_ORDER = {
  startDate: '2026-07-01',
  executionRule: 'following',
  frequency: 'Monthly',
  dayOfExecution: '1',
};
const part = (name: string, type: string, text: string): string =>
  `--parts\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
const MULTIPART = `${part('xml_sct', 'application/xml', PAIN_001)}${part(
  'json_standingorderType',
  'application/json',
  JSON.stringify(STANDING_ORDER),
)}--parts--\r\n`;

const REPORTS = {
  json: ['application/json', undefined],
  xml: ['application/xml', `${XML}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"/>`],
  text: ['text/plain', ':20:STARTUMS\r\n:25:98312044/1783\r\n'],
} as const;

export function callsOf(row: Row): Call[] {
  const calls: Call[] = [];
  let number = 0;
  const say = (
    name: string,
    method: string,
    path: string,
    of: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly type?: string;
      readonly body?: unknown;
      readonly status?: number;
      readonly answer?: unknown;
      readonly answerType?: string;
      readonly location?: string;
    } = {},
  ): void => {
    number += 1;
    const isOAuth = name.startsWith('oauth');
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const { headers = {}, type = 'application/json', body, status = 200, answer, location } = of;
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    calls.push({
      name,
      method,
      url: row.origin + path,
      headers: {
        ...(isOAuth ? AGENT : { 'X-Request-ID': id, ...row.all }),
        ...headers,
        ...(text === undefined ? {} : { 'Content-Type': type }),
      },
      ...(text === undefined ? {} : { body: text }),
      status,
      answerHeaders: {
        ...(isOAuth || row.lacks?.includes('request-id') === true ? {} : { 'X-Request-ID': id }),
        ...(isOAuth ? { 'Cache-Control': 'no-store', Pragma: 'no-cache' } : {}),
        ...(location === undefined ? {} : { Location: location }),
        ...(answer === undefined ? {} : { 'Content-Type': of.answerType ?? 'application/json' }),
      },
      ...(answer === undefined
        ? {}
        : { answer: typeof answer === 'string' ? answer : JSON.stringify(answer) }),
    });
  };
  const linkTo = (path: string, isText = row.links === 'texts'): unknown => {
    const base = /^(.*)\/v1/.exec(row.ais)?.[1] ?? '';
    if (isText) return row.origin + path;
    return { href: row.links === 'below' ? path.slice(base.length) : row.origin + path };
  };
  const created = (resource: string) => {
    const sca =
      row.sca === 'apart' || row.sca === 'password'
        ? `${resource}/authorisations`
        : `${resource}/authorisations/${AUTHORISATION}`;
    const ahead = { scaRedirect: '/sca', scaOAuth: row.discovery ?? '/sca', status: `${resource}/status` };
    const on = ahead[row.link as keyof typeof ahead] ?? sca;
    if (row.bareConsents === true && resource.includes('/consents/')) return { [row.link]: linkTo(on) };
    return {
      [row.link]: linkTo(on),
      ...(row.lacks?.includes('self') === true
        ? {}
        : { self: linkTo(resource), status: linkTo(`${resource}/status`) }),
      ...(row.lacks?.includes('scaStatus') === true || sca.endsWith('authorisations')
        ? {}
        : { scaStatus: linkTo(sca) }),
    };
  };
  const authorise = (resource: string, scope: string): void => {
    const all = `${resource}/authorisations`;
    const one = `${all}/${AUTHORISATION}`;
    const links = (name?: string) => ({
      _links: { ...(name === undefined ? {} : { [name]: linkTo(one) }), scaStatus: linkTo(one) },
    });
    const put = (body: unknown, answer: unknown) =>
      say('sca', 'PUT', one, { headers: row.creation?.['PSU-ID'] === undefined ? {} : PSU, body, answer });
    const password = { psuData: { [row.password ?? 'password']: 'a-secret-of-the-psu' } };
    const chosen = {
      chosenScaMethod: METHOD,
      challengeData: { otpMaxLength: 6 },
      ...links('authoriseTransaction'),
    };
    const authenticated =
      row.oneMethod === true
        ? { scaStatus: 'started', ...chosen }
        : { scaStatus: 'psuAuthenticated', scaMethods: [METHOD], ...links('selectAuthenticationMethod') };
    if (row.sca === 'oauth') authoriseByOAuth(scope);
    if (row.sca === 'oauth' || row.sca === 'redirect' || row.sca === 'decoupled') return;
    if (row.sca === 'password')
      say('start authorisation', 'POST', all, {
        headers: PSU,
        body: password,
        status: 201,
        answer: { authorisationId: AUTHORISATION, ...authenticated },
      });
    if (row.sca === 'apart')
      say('start authorisation', 'POST', all, {
        headers: PSU,
        body: {},
        status: 201,
        answer: {
          authorisationId: AUTHORISATION,
          scaStatus: 'received',
          ...links('updatePsuAuthentication'),
        },
      });
    if (row.sca !== 'password') put(password, authenticated);
    if (row.oneMethod !== true)
      put(
        { authenticationMethodId: METHOD.authenticationMethodId },
        { scaStatus: 'scaMethodSelected', ...chosen },
      );
    put({ scaAuthenticationData: '123456' }, { scaStatus: 'finalised', ...links() });
    say('read authorisation', 'GET', one, { answer: { scaStatus: 'finalised' } });
  };
  const authoriseByOAuth = (scope: string): void => {
    const { discovery = '', authorize = '', token = '', first } = row;
    if (discovery !== '')
      say('oauth discovery', 'GET', discovery, {
        answer: {
          issuer: row.origin,
          authorization_endpoint: row.origin + (row.authorize ?? '/authorize'),
          token_endpoint: row.origin + token,
          userinfo_endpoint: `${row.origin}/userinfo`,
          response_types_supported: ['code'],
          grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
          subject_types_supported: ['public'],
          scopes_supported: ['account', 'payment'],
          code_challenge_methods_supported: ['S256'],
        },
      });
    const query = new URLSearchParams({
      response_type: first?.responseType ?? 'code',
      client_id: CLIENT,
      scope,
      state: `${STATE}${number}`,
      redirect_uri: RETURN['TPP-Redirect-URI'],
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    if (authorize !== '')
      say('oauth authorize', 'GET', `${authorize}?${query}`, {
        status: 302,
        location: `${RETURN['TPP-Redirect-URI']}?code=a-code-${number}&state=${STATE}${number}`,
      });
    say('oauth token', 'POST', token, {
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: `a-code-${number - 1}`,
        client_id: CLIENT,
        redirect_uri: RETURN['TPP-Redirect-URI'],
        code_verifier: VERIFIER,
      }).toString(),
      answer: {
        access_token: `a-token-for-${scope}`,
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: `to-refresh-${scope}`,
        scope,
      },
    });
  };
  const located = (resource: string) =>
    row.lacks?.includes('location') === true
      ? {}
      : {
          location:
            row.links === 'below'
              ? resource.slice((/^(.*)\/v1/.exec(row.ais)?.[1] ?? '').length)
              : row.origin + resource,
        };

  if (row.first !== undefined) authoriseByOAuth(row.first.scope);
  if (row.consents !== false) {
    const consent = `${row.ais}/consents/c-1`;
    say('create consent', 'POST', `${row.ais}/consents`, {
      headers: row.creation ?? {},
      body: CONSENT,
      status: 201,
      answer: { consentStatus: 'received', consentId: 'c-1', _links: created(consent) },
      ...located(consent),
    });
    authorise(consent, 'AIS:c-1');
    say('read consent status', 'GET', `${consent}/status`, { answer: { consentStatus: 'valid' } });
  }
  const access = {
    ...(row.consents === false ? {} : { 'Consent-ID': 'c-1' }),
    ...(row.sca === 'oauth' ? { Authorization: 'Bearer a-token-for-AIS:c-1' } : {}),
  };
  const { list = `${row.ais}/accounts`, transactions = `${row.ais}/accounts/{id}/transactions` } =
    row.accounts ?? {};
  say('list accounts', 'GET', list, {
    headers: access,
    answer: {
      accounts: [
        { resourceId: 'a-1', ...ACCOUNT, _links: { balances: linkTo(`${list}/a-1/balances`, false) } },
      ],
    },
  });
  say('read balances', 'GET', `${list}/a-1/balances`, {
    headers: access,
    answer: {
      account: ACCOUNT,
      balances: [
        {
          balanceAmount: { currency: 'EUR', amount: '100.25' },
          balanceType: 'closingBooked',
          referenceDate: '2026-06-14',
        },
      ],
    },
  });
  const [
    reportType,
    report = {
      account: ACCOUNT,
      transactions: {
        booked: [],
        ...(row.accounts === undefined ? { _links: { account: linkTo(`${list}/a-1`) } } : {}),
      },
    },
  ] = REPORTS[row.report ?? 'json'];
  say(
    'read transactions',
    'GET',
    `${transactions.replace('{id}', 'a-1')}?${row.query ?? 'dateFrom=2026-05-16&dateTo=2026-06-15&bookingStatus=booked'}`,
    {
      headers: { ...access, Accept: reportType },
      answer: report,
      answerType: reportType,
    },
  );
  if (row.consents !== false) say('delete consent', 'DELETE', `${row.ais}/consents/c-1`, { status: 204 });

  for (const [index, [service, product, media]] of (row.pays ?? [SINGLE]).entries()) {
    const payment = `${row.pis ?? row.ais}/${service}/${product}/p-${index}`;
    const [type, body] = {
      json: ['application/json', paymentOf(row, service)],
      xml: ['application/xml', PAIN_001],
      multipart: ['multipart/form-data; boundary=parts', MULTIPART],
    }[media] as [string, unknown];
    say('create payment', 'POST', payment.slice(0, payment.lastIndexOf('/')), {
      headers: row.creation ?? {},
      type,
      body,
      status: 201,
      answer: { transactionStatus: 'RCVD', paymentId: `p-${index}`, _links: created(payment) },
      ...located(payment),
    });
    authorise(payment, `PIS:p-${index}`);
    const isXml = media !== 'json' && row.signed === true;
    say('read payment status', 'GET', `${payment}/status`, {
      headers: { Accept: isXml ? 'application/xml' : 'application/json' },
      answer: isXml ? PAIN_002 : { transactionStatus: 'ACCP' },
      answerType: isXml ? 'application/xml' : 'application/json',
    });
  }
  return calls;
}
