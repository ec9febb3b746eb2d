/** Complete valid journeys of a TPP, call by call, as data: what the mutations change in one place. */
import type { Profile } from '../../src/rules/index.js';

/**
 * One call of a journey. `{name}` in any text stands for what an earlier answer gave (`keeps`), or for what the runner
 * knows: `{api}`, `{psu}`, `{client}`, `{state}`, `{verifier}`, `{challenge}`, those with a `2` of a second flow,
 * `{uuid}` (a new one each time), `{lastid}` and `{lastidCapitals}` (the X-Request-ID before), `{day+90}` (a date, counted from today). A
 * call that lacks such a value is not made: its client is stuck.
 */
export interface Step {
  readonly name: string;
  /** GET where absent. */
  readonly method?: string;
  readonly url: string;
  /** Of the PSU's browser: without certificate, on the PSU listener. */
  readonly browser?: true;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>>;
  /**
   * What the client keeps of the answer: a path into its JSON, with a `/` behind it the last part of the address that
   * stands there; or `location` and a query parameter of it.
   */
  readonly keeps?: Readonly<Record<string, string>>;
}

export interface Journey {
  readonly scaLink: 'discovery' | 'direct';
  readonly steps: readonly Step[];
  /** Values that a client knows beforehand, where they differ between sandbox and production. */
  readonly knows?: Readonly<Record<Profile, Readonly<Record<string, string>>>>;
}

const V1 = '{api}/stdgroup/v1';
const REDIRECT_URI = 'https://tpp.example/back?from=bank';

const id = { 'X-Request-ID': '{uuid}' } as const;
const creation = (explicit: 'true' | 'false') =>
  ({
    ...id,
    'PSU-IP-Address': '192.0.2.7',
    'TPP-Redirect-URI': REDIRECT_URI,
    'TPP-Explicit-Authorisation-Preferred': explicit,
  }) as const;

const CONSENT_BODY = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '{day+90}',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
} as const;

const TRANSFER = {
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  debtorAccount: { iban: 'BE14983120441783' },
  creditorAccount: { iban: 'BE86986509812450' },
  creditorName: 'Jane Doe',
  endToEndIdentification: 'INV-2026-000123',
  requestedExecutionDate: '{day+2}',
} as const;

const CROSS_BORDER = {
  ...TRANSFER,
  instructedAmount: { currency: 'USD', amount: '850.00' },
  creditorAccount: { bban: '000123456789' },
  creditorAgent: 'SDGTUS33',
} as const;

const DISCOVER: Step = {
  name: 'read discovery',
  url: '{link}',
  keeps: { authorize: 'authorization_endpoint', token: 'token_endpoint' },
};

/** The three calls of the browser: the page, the information on the chosen outcome, the way back. */
function authorise(scope: string): Step[] {
  const query = {
    scope,
    client_id: '{client}',
    state: '{state}',
    redirect_uri: REDIRECT_URI,
    code_challenge: '{challenge}',
    code_challenge_method: 'S256',
    response_type: 'code',
  };
  return [
    { name: 'authorize', browser: true, url: '{authorize}', query },
    { name: 'choose', browser: true, url: '{authorize}', query: { ...query, choice: 'SCA_OK' } },
    {
      name: 'return',
      browser: true,
      url: '{authorize}',
      query: { ...query, scenario: 'SCA_OK' },
      keeps: { code: 'location code' },
    },
  ];
}

const EXCHANGE: Step = {
  name: 'exchange code',
  method: 'POST',
  url: `${V1}/token`,
  form: {
    grant_type: 'authorization_code',
    client_id: '{client}',
    code: '{code}',
    code_verifier: '{verifier}',
    redirect_uri: REDIRECT_URI,
  },
  keeps: { access: 'access_token', refresh: 'refresh_token' },
};

const refresh = (number: number): Step => ({
  name: number === 1 ? 'refresh' : 'refresh again',
  method: 'POST',
  url: `${V1}/token`,
  form: {
    grant_type: 'refresh_token',
    client_id: '{client}',
    refresh_token: number === 1 ? '{refresh}' : '{refresh2}',
  },
  keeps: { [`access${number + 1}`]: 'access_token', [`refresh${number + 1}`]: 'refresh_token' },
});

const bearer = (token: string, consent: string) => ({
  ...id,
  Authorization: `Bearer {${token}}`,
  'Consent-Id': consent,
});

function readAccounts(consent: string): Step[] {
  const headers = bearer('access', consent);
  return [
    { name: 'list accounts', url: `${V1}/accounts`, headers, keeps: { account: 'accounts.0.resourceId' } },
    {
      name: 'read account',
      url: `${V1}/accounts/{account}`,
      headers: { ...headers, 'PSU-IP-Address': '2001:db8::17' },
      query: { withBalance: 'true' },
    },
    { name: 'read balances', url: `${V1}/accounts/{account}/balances`, headers },
    {
      name: 'read transactions',
      url: `${V1}/accounts/{account}/transactions`,
      headers,
      query: { dateFrom: '{day-90}', dateTo: '{day}', bookingStatus: 'booked' },
    },
  ];
}

const createConsent = (explicit: 'true' | 'false', validUntil = '{day+90}'): Step => ({
  name: 'create consent',
  method: 'POST',
  url: `${V1}/consents`,
  headers: creation(explicit),
  json: { ...CONSENT_BODY, validUntil },
  keeps: {
    consent: 'consentId',
    self: '_links.self.href',
    link: '_links.scaOAuth.href',
    flow: '_links.scaStatus.href /',
  },
});

const consentReads: readonly Step[] = [
  { name: 'read consent status', url: '{self}/status', headers: id },
  { name: 'read consent', url: '{self}', headers: id },
  {
    name: 'list authorisations',
    url: '{self}/authorisations',
    headers: id,
    keeps: { authorisation: 'authorisationIds.0' },
  },
  { name: 'read authorisation', url: '{self}/authorisations/{authorisation}', headers: id },
];

const afterwards = (consent: string): Step[] => [
  refresh(1),
  refresh(2),
  { name: 'list accounts again', url: `${V1}/accounts`, headers: bearer('access3', consent) },
];

const deleteConsent: Step = { name: 'delete consent', method: 'DELETE', url: '{self}', headers: id };

const ais = (validUntil?: string): Step[] => [
  createConsent('false', validUntil),
  DISCOVER,
  ...authorise('AIS:{consent}'),
  EXCHANGE,
  // The sandbox shows its own end of the consent: whoever read it need not hold to the one that was asked for.
  ...(validUntil === undefined ? consentReads : []),
  ...readAccounts('{consent}'),
  ...afterwards('{consent}'),
  deleteConsent,
];

/** In the sandbox the document tells which id to authorise, whatever the creation gave (§Authentication 3). */
const aisExplicit: readonly Step[] = [
  createConsent('true'),
  { name: 'read consent status', url: '{self}/status', headers: id },
  {
    name: 'create authorisation',
    method: 'POST',
    url: '{self}/authorisations',
    headers: id,
    json: {},
    keeps: { link: '_links.scaOAuth.href' },
  },
  DISCOVER,
  ...authorise('AIS:{granted}'),
  EXCHANGE,
  ...readAccounts('{granted}'),
  ...afterwards('{granted}'),
];

const PAYMENT = `${V1}/payments/{product}/{payment}`;

const createPayment = (
  product: string,
  explicit: 'true' | 'false',
  body = TRANSFER as Step['json'],
): Step => ({
  name: 'create payment',
  method: 'POST',
  url: `${V1}/payments/${product}`,
  headers: creation(explicit),
  ...(body === undefined ? {} : { json: body }),
  keeps: { payment: 'paymentId', link: '_links.scaOAuth.href' },
});

const paymentReads: readonly Step[] = [
  { name: 'read payment status', url: `${PAYMENT}/status`, headers: { ...id, 'Consent-Id': '{payment}' } },
  { name: 'read payment status again', url: `${PAYMENT}/status`, headers: id },
  { name: 'read payment', url: PAYMENT, headers: id },
  {
    name: 'list authorisations',
    url: `${PAYMENT}/authorisations`,
    headers: id,
    keeps: { authorisation: 'authorisationIds.0' },
  },
  { name: 'read authorisation', url: `${PAYMENT}/authorisations/{authorisation}`, headers: id },
];

const cancellation: readonly Step[] = [
  { name: 'cancel payment', method: 'DELETE', url: PAYMENT, headers: id },
  {
    name: 'list cancellation authorisations',
    url: `${PAYMENT}/cancellation-authorisations`,
    headers: id,
    keeps: { cancellation: 'authorisationIds.0' },
  },
  {
    name: 'read cancellation authorisation',
    url: `${PAYMENT}/cancellation-authorisations/{cancellation}`,
    headers: id,
  },
];

const pis = (product: string, body?: Step['json']): Step[] => [
  createPayment(product, 'false', body),
  DISCOVER,
  ...authorise('PIS:{payment}'),
  EXCHANGE,
  ...paymentReads,
  ...cancellation,
];

const pisExplicit: readonly Step[] = [
  createPayment('sepa-credit-transfers', 'true'),
  {
    name: 'create authorisation',
    method: 'POST',
    url: `${PAYMENT}/authorisations`,
    headers: id,
    keeps: { link: '_links.scaOAuth.href' },
  },
  DISCOVER,
  ...authorise('PIS:{payment}'),
  EXCHANGE,
  ...paymentReads,
  ...cancellation,
];

const funds: Step = {
  name: 'confirm funds',
  method: 'POST',
  url: `${V1}/funds-confirmations`,
  headers: id,
  json: {
    account: { iban: 'BE67983610020587' },
    instructedAmount: { currency: 'EUR', amount: '123.50' },
  },
};

const simulate: Step = {
  name: 'simulate notification',
  method: 'POST',
  url: '{api}/internal/stdgroup/authorization/v1/tpp/notify',
  json: { paymentId: 'PAYMENT_ID_RCVD_SCT', tppNotificationUri: '{receiver}/notify', status: 'ACSC' },
};

/** A payment behind the consent, by the same TPP, with a state and a challenge of its own. */
const paymentAfterwards: readonly Step[] = pis('sepa-credit-transfers')
  .slice(0, 6)
  .map((step) => ({
    ...step,
    name: `${step.name} of the payment`,
    ...(step.query === undefined
      ? {}
      : { query: { ...step.query, state: '{state2}', code_challenge: '{challenge2}' } }),
    ...(step.form === undefined ? {} : { form: { ...step.form, code_verifier: '{verifier2}' } }),
  }));

/** The link of a direct creation is the authorize address itself. */
const direct = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => {
    if (step === DISCOVER) return [];
    return step.browser === true ? [{ ...step, url: '{link}' }] : [step];
  });

/** The same step of a TPP to which the PSU comes back elsewhere. */
export const returningTo = (step: Step, redirectUri: string): Step =>
  JSON.parse(JSON.stringify(step).replaceAll(REDIRECT_URI, redirectUri)) as Step;
const returningToApp = (step: Step): Step => returningTo(step, 'com.tpp.app://callback?from=bank');

const both = (values: Readonly<Record<string, string>>) => ({ sandbox: values, production: values });
const sepa = both({ product: 'sepa-credit-transfers' });

export const JOURNEYS = {
  ais: { scaLink: 'discovery', steps: ais() },
  'ais direct': { scaLink: 'direct', steps: direct(ais()) },
  'ais explicit': {
    scaLink: 'discovery',
    steps: aisExplicit,
    knows: { sandbox: { granted: 'VALID_CONSENT_ID' }, production: { granted: '{consent}' } },
  },
  /** Its consent ends with the day after tomorrow. */
  'ais short': { scaLink: 'discovery', steps: ais('{day+2}') },
  pis: { scaLink: 'discovery', steps: pis('sepa-credit-transfers'), knows: sepa },
  'pis direct': { scaLink: 'direct', steps: direct(pis('sepa-credit-transfers')), knows: sepa },
  /** The PSU comes back to an app by its own scheme. */
  'pis app': { scaLink: 'discovery', steps: pis('sepa-credit-transfers').map(returningToApp), knows: sepa },
  'pis explicit': { scaLink: 'discovery', steps: pisExplicit, knows: sepa },
  'ais, then pis': { scaLink: 'discovery', steps: [...ais(), ...paymentAfterwards], knows: sepa },
  /** Created under one spelling of the product, read under the other. */
  'cross-border': {
    scaLink: 'discovery',
    steps: pis('cross-border-payments', CROSS_BORDER),
    knows: both({ product: 'cross-border-credit-transfers' }),
  },
  piis: { scaLink: 'discovery', steps: [funds] },
  notification: { scaLink: 'discovery', steps: [simulate] },
} as const satisfies Record<string, Journey>;

export type JourneyName = keyof typeof JOURNEYS;
export const JOURNEY_NAMES = Object.keys(JOURNEYS) as JourneyName[];
