/** The calls of the soak test: what TPPs do all day, right and wrong. */

export interface Mix {
  /** The bytes of the next call. */
  readonly next: () => string;
  /** Looks at an answer for what later calls need. */
  readonly learn: (body: string) => void;
}

interface Call {
  readonly line: string;
  readonly headers?: readonly string[];
  readonly json?: unknown;
  readonly form?: string;
}

const V1 = '/stdgroup/v1';
const ACCOUNT = [
  'Authorization: Bearer {token}',
  'Consent-Id: VALID_CONSENT_ID',
  'PSU-IP-Address: 192.0.2.1',
];
const CREATION = ['PSU-IP-Address: 192.0.2.1', 'TPP-Redirect-URI: https://tpp.example/back'];

const TOKEN: Call = {
  line: `POST ${V1}/token`,
  form: 'grant_type=authorization_code&client_id=VALID_CLIENT_ID&code=AIS_VALID_CODE&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};

const CALLS: readonly Call[] = [
  { line: `GET ${V1}/accounts`, headers: ACCOUNT },
  { line: `GET ${V1}/accounts`, headers: ACCOUNT },
  { line: `GET ${V1}/consents/VALID_CONSENT_ID` },
  { line: `GET ${V1}/consents/VALID_CONSENT_ID/status` },
  {
    line: `POST ${V1}/consents`,
    headers: CREATION,
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: '{soon}',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  },
  {
    line: `POST ${V1}/payments/sepa-credit-transfers`,
    headers: CREATION,
    json: {
      instructedAmount: { currency: 'EUR', amount: '123.50' },
      debtorAccount: { iban: 'BE14983120441783' },
      creditorAccount: { iban: 'BE86986509812450' },
      creditorName: 'Jane Doe',
    },
  },
  { line: `GET ${V1}/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT/status` },
  {
    line: `POST ${V1}/funds-confirmations`,
    json: { account: { iban: 'BE67983610020587' }, instructedAmount: { currency: 'EUR', amount: '1.00' } },
  },
  {
    line: `GET /stdgroup/.well-known/openid-configuration?authorizationId=22222222-2222-2222-2222-222222222222`,
  },
  // What goes wrong: a misspelt path, a wrong body, a body that is too large to be read.
  { line: `GET ${V1}/acounts`, headers: ACCOUNT },
  { line: `POST ${V1}/consents`, headers: CREATION, json: { access: 'all' } },
  { line: `POST ${V1}/consents`, headers: CREATION, json: { padding: 'x'.repeat(20_000) } },
];
/** Tokens of the sandbox live for five minutes. */
const TOKEN_EVERY = 500;
const DAY_MS = 86_400_000;

export function createMix(uuid: () => string): Mix {
  const soon = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10);
  let token = 'none-yet';
  let count = 0;
  return {
    next: () => {
      const call = count % TOKEN_EVERY === 0 ? TOKEN : CALLS[count % CALLS.length];
      count += 1;
      return render(call ?? TOKEN, uuid())
        .replace('{token}', token)
        .replace('{soon}', soon);
    },
    learn: (body) => {
      const found = /"access_token":"([^"]+)"/.exec(body)?.[1];
      if (found !== undefined) token = found;
    },
  };
}

function render({ line, headers = [], json, form }: Call, id: string): string {
  const body = form ?? (json === undefined ? '' : JSON.stringify(json));
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  // `{soon}` is as long as the date that it becomes: six characters and four more.
  const length = Buffer.byteLength(body) + (body.includes('{soon}') ? 4 : 0);
  const ofBody = body === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${length}`];
  const head = [`${line} HTTP/1.1`, 'Host: localhost', `X-Request-ID: ${id}`, ...headers, ...ofBody];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
