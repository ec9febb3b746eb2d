/** Recorded journeys sent again: to the same bank, to one that calls everything otherwise, to one that has changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Lender,
  type LentToken,
  loadConfig,
  openBank,
  openEmulator,
  type RerunParts,
  type RerunReport,
  readNoise,
  rerunRecording,
  systemParts,
  type TokenNeed,
  writeNoise,
} from '../../../src/app/index.js';
import {
  closeCall,
  type Exchange,
  type FileRecord,
  openAnswer,
  openCall,
} from '../../../src/exchange/index.js';
import { buildCassette, readRecording } from '../../../src/exchange/recording/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { parseFilter } from '../../../src/store/index.js';
import { DAY_MS, startTestGateway, type TestGateway, testCertificates } from '../../e2e/harness.js';
import { buildHar } from '../../exchange/har/build-har.js';
import {
  type BankOptions,
  CHALLENGES,
  type Change,
  REDIRECT,
  STATE,
  startChangedBank,
  TO_NOON,
  walkJourney,
} from './rerun-bank.js';

let recorder: TestGateway;
let bank: TestGateway;
let records: readonly FileRecord[];

beforeAll(async () => {
  [recorder, bank] = await Promise.all([startTestGateway(), startTestGateway()]);
  for (const gateway of [recorder, bank]) gateway.move(TO_NOON);
  await walkJourney(recorder);
  records = await recorder.records();
});
afterAll(() => Promise.all([recorder.close(), bank.close()]));

const never = new AbortController().signal;
const system = (daysLater = 0) =>
  systemParts(
    'silent',
    () => undefined,
    () => Date.now() + TO_NOON + daysLater * DAY_MS,
  );

async function config(flags: Record<string, unknown> = {}) {
  return loadConfig({ flags: { certs: await testCertificates(), logLevel: 'silent', ...flags } }).config;
}
const toEmulator = async () => openEmulator(await config(), system(), () => undefined);

async function rerun(openTarget: RerunParts['openTarget'], more: Partial<RerunParts> = {}, of = records) {
  return rerunRecording({
    source: { name: 'monday', dialect: dialectOf(), records: () => of },
    ...{ openTarget, system: system() },
    ...{ noise: [], learn: false, sendWrites: true, timeout: 10_000, signal: never },
    ...more,
  });
}

/** Of the authorities that it believes, the last one is ours; reading all others takes as long as the rerun. */
const toBank = (against: string) => async () => {
  const target = await openBank({ against }, await config(), Date.now());
  return { ...target, ca: target.ca.slice(-1) };
};

/** Against a bank that stands before a gateway, and answers as the options say. */
async function rerunAt(options: BankOptions, more: Partial<RerunParts> = {}, of = records) {
  const changed = await startChangedBank(bank, options);
  try {
    return { report: await rerun(toBank(changed.url), more, of), asked: changed.asked };
  } finally {
    await changed.close();
  }
}

const lending = (token: LentToken): Lender => ({ ask: async () => token, authorises: false });

const telling = ({ calls }: RerunReport) =>
  calls.flatMap(({ number, operation, reason, outcome, differences }) => [
    ...differences.filter((one) => one.class !== 'noise').map((one) => ({ number, operation, ...one })),
    ...(outcome === 'skipped' ? [{ number, operation, reason }] : []),
  ]);
const outcomes = ({ calls }: RerunReport) => [...new Set(calls.map(({ outcome }) => outcome))];

/** What another bank calls things. */
const OTHER_NAMES = {
  VALID_CONSENT_ID: 'c-77f0',
  PAYMENT_ID_RCVD_SCT: 'p-4a1b9c',
  ACCOUNT_ID: 'acc-9',
  AIS_VALID_CODE: 'Kx8-code-1',
};
const PAYMENT_PAGE = /\/authorize\/.*scope=PIS/;

describe('an unchanged bank', () => {
  it('has the journey with every kind of call to answer', () => {
    expect(records).toHaveLength(24);
  });

  it('shows no difference: the emulator in the same process', async () => {
    const report = await rerun(toEmulator);
    expect(telling(report)).toEqual([]);
    expect(report.counts).toMatchObject({ same: 24, noise: 0, skipped: 0 });
  });

  it.each([
    ['cassette', () => buildCassette(records, { ...meta(), verdicts: true })],
    ['HAR', () => buildHar(records, { ...meta(), origins: [recorder.urls.api, recorder.urls.psu] })],
  ])('shows none from a %s', async (_, build) => {
    const { records: read } = readRecording(build());
    const report = await rerun(toEmulator, {}, read);
    expect(telling(report)).toEqual([]);
    expect(outcomes(report)).toEqual(['same']);
  });

  it('shows none though it calls consents, payments, accounts, codes and authorisations otherwise', async () => {
    const { report, asked } = await rerunAt({ names: OTHER_NAMES });
    expect(telling(report)).toEqual([]);
    expect(outcomes(report)).toEqual(['same']);
    const sent = asked.map(({ target, body }) => target + body).join('\n');
    for (const name of Object.values(OTHER_NAMES)) expect(sent).toContain(name);
    expect(sent).not.toMatch(/VALID_CONSENT_ID|PAYMENT_ID_RCVD_SCT|ACCOUNT_ID\b|AIS_VALID_CODE/);
  });

  it('shows none more than a year later: all dates move', async () => {
    const { report, asked } = await rerunAt({ names: OTHER_NAMES, daysAhead: 400 }, { system: system(400) });
    expect(telling(report)).toEqual([]);
    expect(outcomes(report)).toEqual(['same']);
    const consent = asked.find(({ target }) => target.endsWith('/consents'));
    const until = new Date(bank.now() + 480 * DAY_MS).toISOString().slice(0, 10);
    expect(JSON.parse(consent?.body ?? '').validUntil).toBe(until);
  });

  it('has dates of another day as noise only', async () => {
    const { report } = await rerunAt({
      change: (answer) => {
        const shifted = JSON.stringify(answer.json ?? null).replace(/"(20\d\d-\d\d)-\d\d"/g, '"$1-17"');
        if (answer.json !== undefined) answer.json = JSON.parse(shifted);
      },
    });
    expect(telling(report)).toEqual([]);
    expect(report.counts.noise).toBeGreaterThan(2);
  });

  it('is sent fresh request ids, states and challenges, and verifiers that fit them', async () => {
    const { asked } = await rerunAt({});
    const sent = asked.map(({ target, body }) => target + body).join('\n');
    for (const challenge of CHALLENGES) expect(sent).not.toContain(challenge);
    expect(sent).not.toContain(STATE);
    expect(sent).not.toContain('fp_');
    const found = (await bank.records()).flatMap(({ exchange, findings }) =>
      findings.map(({ rule }) => `${exchange.call.operation} ${rule}`),
    );
    expect(found.filter((text) => /verifier|challenge|request-id-fresh|state/.test(text))).toEqual([]);
  });
});

const meta = () => ({
  ...{ version: '0', session: 'monday', dialect: dialectOf() },
  origins: { api: recorder.urls.api, psu: recorder.urls.psu } as never,
});

interface Planted {
  readonly name: string;
  /** Pattern of the path whose answer changes. */
  readonly at: RegExp;
  readonly method?: string;
  readonly change: Change;
  readonly finds: readonly { readonly class: string; readonly what: string; readonly place: string }[];
}

const BALANCES = /\/balances$/;
const planted: readonly Planted[] = [
  {
    name: 'a field that is gone',
    at: BALANCES,
    change: ({ json }) => delete json.balances[0].balanceAmount.currency,
    finds: [{ class: 'breaking', what: 'gone', place: 'body balances[].balanceAmount.currency' }],
  },
  {
    name: 'an amount that became a number',
    at: BALANCES,
    change: ({ json }) => {
      json.balances[0].balanceAmount.amount = 12.5;
    },
    finds: [{ class: 'breaking', what: 'type', place: 'body balances[].balanceAmount.amount' }],
  },
  {
    name: 'a list that became an object',
    at: /\/transactions$/,
    change: ({ json }) => {
      json.transactions.booked = { first: json.transactions.booked };
    },
    finds: [{ class: 'breaking', what: 'type', place: 'body transactions.booked' }],
  },
  {
    name: 'a lifetime that became a text',
    at: /\/token$/,
    change: ({ json }) => {
      json.expires_in = String(json.expires_in);
    },
    finds: Array(3).fill({ class: 'breaking', what: 'type', place: 'body expires_in' }),
  },
  {
    name: 'another status of a success',
    at: /\/consents\/VALID_CONSENT_ID$/,
    method: 'DELETE',
    change: (answer) => {
      answer.status = 200;
    },
    finds: [{ class: 'breaking', what: 'status', place: 'status' }],
  },
  {
    name: 'a refusal where there was a success',
    at: /\/funds-confirmations$/,
    change: (answer) => {
      answer.status = 503;
      answer.json = { tppMessages: [{ category: 'ERROR', code: 'SERVICE_UNAVAILABLE' }] };
    },
    finds: [
      { class: 'breaking', what: 'status', place: 'status' },
      { class: 'breaking', what: 'body', place: 'body' },
    ],
  },
  {
    name: 'a header that is gone',
    at: /\/consents$/,
    change: ({ headers }) => delete headers['aspsp-sca-approach'],
    finds: [{ class: 'breaking', what: 'gone', place: 'header aspsp-sca-approach' }],
  },
  {
    name: 'a request id that is echoed no more',
    at: /\/status$/,
    change: ({ headers }) => delete headers['x-request-id'],
    finds: [{ class: 'breaking', what: 'gone', place: 'header x-request-id' }],
  },
  {
    name: 'a request id of another call',
    at: /\/status$/,
    change: ({ headers }) => {
      headers['x-request-id'] = 'always-the-same';
    },
    finds: [{ class: 'value', what: 'value', place: 'header x-request-id' }],
  },
  {
    name: 'a body that is gone',
    at: /\/status$/,
    change: (answer) => {
      answer.json = undefined;
    },
    finds: [{ class: 'breaking', what: 'body', place: 'body' }],
  },
  {
    name: 'a field more',
    at: /\/ACCOUNT_ID$/,
    change: ({ json }) => {
      json.account.displayName = 'Household';
    },
    finds: [{ class: 'additive', what: 'added', place: 'body account.displayName' }],
  },
  {
    name: 'a header more',
    at: /\/token$/,
    change: ({ headers }) => {
      headers['www-authenticate'] = 'Bearer';
    },
    finds: Array(3).fill({ class: 'additive', what: 'added', place: 'header www-authenticate' }),
  },
  {
    name: 'another status of a payment',
    at: /\/status$/,
    change: ({ json }) => {
      json.transactionStatus = 'ACSC';
    },
    finds: [{ class: 'value', what: 'value', place: 'body transactionStatus' }],
  },
  {
    name: 'a truth value turned round',
    at: /\/funds-confirmations$/,
    change: ({ json }) => {
      json.fundsAvailable = false;
    },
    finds: [{ class: 'value', what: 'value', place: 'body fundsAvailable' }],
  },
  {
    name: 'an account more, before all others',
    at: /\/accounts$/,
    change: ({ json }) =>
      json.accounts?.unshift({ resourceId: 'NEW', iban: 'BE14983120441783', currency: 'EUR' }),
    finds: [{ class: 'value', what: 'value', place: 'body accounts' }],
  },
  {
    name: 'a transaction less',
    at: /\/transactions$/,
    change: ({ json }) => json.transactions.booked.splice(3, 1),
    finds: [{ class: 'value', what: 'value', place: 'body transactions.booked' }],
  },
  {
    name: 'a link to another place',
    at: /\/consents$/,
    change: ({ json }) => {
      json._links.status.href = json._links.status.href.replace('/v1/', '/v2/');
    },
    finds: [{ class: 'value', what: 'value', place: 'body _links.status.href' }],
  },
  {
    name: 'a directive of caching that is gone',
    at: /\/token$/,
    change: ({ headers }) => delete headers['cache-control'],
    finds: Array(3).fill({ class: 'breaking', what: 'gone', place: 'header cache-control' }),
  },
  {
    name: 'another page for people',
    at: PAYMENT_PAGE,
    change: (answer) => {
      if (answer.status === 200) answer.headers['content-type'] = 'text/plain';
    },
    finds: Array(2).fill({ class: 'value', what: 'value', place: 'header content-type' }),
  },
];

describe('a changed bank', () => {
  /** Each is of another call, so that one rerun finds them all. */
  const rounds: Planted[][] = [];
  for (const one of planted) {
    const round = rounds.find((others) => others.every(({ at }) => at.source !== one.at.source));
    if (round === undefined) rounds.push([one]);
    else round.push(one);
  }
  const named = rounds.map((round) => [round.map(({ name }) => name).join(', '), round] as const);

  it.each(named)('is found and classed, and nothing else: %s', async (_, round) => {
    const { report } = await rerunAt({
      change: (answer, asked) => {
        const isMeant = ({ at, method = asked.method }: Planted) =>
          (at.test(asked.path) || at.test(asked.target)) && method === asked.method;
        if (answer.status < 400) for (const one of round.filter(isMeant)) one.change(answer, asked);
      },
    });
    const textOf = (one: Planted['finds'][number]) => `${one.place}: ${one.what}, ${one.class}`;
    const found = telling(report).map((one) => ('place' in one ? textOf(one) : one.reason));
    expect(found.sort()).toEqual(round.flatMap(({ finds }) => finds.map(textOf)).sort());
  });

  it('shows all of many changes at once', async () => {
    const { report } = await rerunAt({
      names: OTHER_NAMES,
      change: (answer, { path }) => {
        if (path.endsWith('/balances')) delete answer.json.account;
        if (path.endsWith('/status')) answer.json.fundsAvailable = true;
        if (path.endsWith('/token')) answer.json.expires_in = 60;
      },
    });
    expect(telling(report).map((one) => 'place' in one && [one.class, one.place])).toEqual([
      ...Array(2).fill(['value', 'body expires_in']),
      ['breaking', 'body account'],
      ['value', 'body expires_in'],
      ['additive', 'body fundsAvailable'],
    ]);
    expect(report.counts).toMatchObject({ breaking: 1, additive: 1, value: 3 });
  });

  it('that gives no refresh token any more is not asked for what needs one', async () => {
    const { report } = await rerunAt({
      change: ({ json }, { path }) => {
        if (path.endsWith('/token')) delete json.refresh_token;
      },
    });
    const found = telling(report);
    expect(found[0]).toMatchObject({ number: 7, class: 'breaking', place: 'body refresh_token' });
    expect(found[1]).toMatchObject({
      number: 8,
      reason: expect.stringContaining('call 7 (POST /stdgroup/v1/token)'),
    });
    // The accounts were read with the token of the refresh.
    expect(found.slice(2, 7).map(({ number }) => number)).toEqual([9, 10, 11, 12, 13]);
    expect(report.calls[13]).toMatchObject({ outcome: 'same', now: 401 });
  });

  it('that sends the browser to another host than that of the TPP differs there', async () => {
    const { report } = await rerunAt({
      change: ({ headers }, { target }) => {
        if (PAYMENT_PAGE.test(target) && headers.location)
          headers.location = headers.location.replace('tpp.example', 'thief.example');
      },
    });
    expect(telling(report)).toMatchObject([
      { number: 19, class: 'value', place: 'header location', now: 'https://thief.example/back' },
    ]);
  });

  it('whose redirect says error instead of code breaks there', async () => {
    const { report } = await rerunAt({
      change: ({ headers }, { target }) => {
        if (PAYMENT_PAGE.test(target) && headers.location)
          headers.location = headers.location.replace(/code=[^&]*/, 'error=access_denied');
      },
    });
    expect(telling(report)).toMatchObject([
      { number: 19, class: 'breaking', what: 'gone', place: 'header location ?code' },
      { number: 19, class: 'additive', what: 'added', place: 'header location ?error' },
    ]);
  });
});

describe('a HAR of another program', () => {
  const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const TOKEN = 'a-token-that-stands-clear-in-the-file-0001';
  const V1 = 'https://bank.example/stdgroup/v1';
  const header = (name: string, value: string) => ({ name, value });
  const json = (value: unknown) => ({
    headers: [header('Content-Type', 'application/json'), header('Cache-Control', 'no-store')],
    content: { mimeType: 'application/json', text: JSON.stringify(value) },
  });
  const query = new URLSearchParams({
    scope: 'AIS:VALID_CONSENT_ID',
    client_id: 'VALID_CLIENT_ID',
    state: STATE,
    redirect_uri: REDIRECT,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    response_type: 'code',
    scenario: 'SCA_OK',
  });
  const entries = [
    {
      request: {
        method: 'GET',
        url: `https://auth.bank.example/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222?${query}`,
        headers: [],
      },
      response: {
        status: 302,
        headers: [
          header('Location', `${REDIRECT}?code=AIS_VALID_CODE&state=${STATE}`),
          header('Cache-Control', 'no-store'),
        ],
      },
    },
    {
      request: {
        method: 'POST',
        url: `${V1}/token`,
        headers: [header('Content-Type', 'application/x-www-form-urlencoded')],
        postData: {
          mimeType: 'application/x-www-form-urlencoded',
          text: `grant_type=authorization_code&client_id=VALID_CLIENT_ID&code=AIS_VALID_CODE&code_verifier=${VERIFIER}`,
        },
      },
      response: {
        status: 200,
        ...json({
          ...{ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 },
          ...{ refresh_token: `${TOKEN}-refresh`, scope: 'AIS:VALID_CONSENT_ID' },
        }),
      },
    },
    {
      request: {
        method: 'GET',
        url: `${V1}/accounts/ACCOUNT_ID`,
        headers: [
          header('Authorization', `Bearer ${TOKEN}`),
          header('Consent-Id', 'VALID_CONSENT_ID'),
          header('PSU-IP-Address', '192.0.2.1'),
          header('X-Request-ID', '00000000-0000-4000-8000-00000000f001'),
        ],
      },
      response: { status: 401, ...json({ tppMessages: [{ category: 'ERROR', code: 'TOKEN_EXPIRED' }] }) },
    },
  ].map((entry, i) => ({
    startedDateTime: new Date(Date.UTC(2026, 5, 1, 12, 0, i)).toISOString(),
    ...entry,
  }));

  it('is sent with the verifiers that it shows, and with the tokens of this run', async () => {
    const { records: read } = readRecording(JSON.stringify({ log: { entries } }));
    const changed = await startChangedBank(bank);
    const open = async () => openBank({ against: changed.url, psu: changed.url }, await config(), Date.now());
    const report = await rerun(open, {}, read);
    await changed.close();
    const [authorise, token, account] = changed.asked;
    expect(authorise?.target).toContain(query.get('code_challenge'));
    expect(authorise?.target).not.toContain(STATE);
    expect(token?.body).toContain(VERIFIER);
    expect(account?.target).toBe('/stdgroup/v1/accounts/ACCOUNT_ID');
    // The bank takes the token, which is a new one.
    expect(report.calls.map(({ was, now, outcome }) => [was, now, outcome])).toEqual([
      [302, 302, 'same'],
      [200, 200, 'same'],
      [401, 200, 'breaking'],
    ]);
    expect(JSON.stringify(report)).not.toContain(TOKEN);
  });
});

describe('learning noise', () => {
  /** The bank's mood, told with every balance, and a remark that comes and goes. */
  const moody = (): Change => {
    let n = 0;
    return ({ json }, { path }) => {
      if (!BALANCES.test(path)) return;
      n++;
      for (const balance of json.balances) balance.mood = `mood ${n}`;
      json.balances[0].balanceAmount.amount = `${n}.00`;
      if (n % 2 === 0) json.remark = 'even';
    };
  };
  const noisy = [
    { operation: 'accounts.balances', place: 'body balances[].balanceAmount.amount', differs: 'value' },
    { operation: 'accounts.balances', place: 'body balances[].mood', differs: 'value' },
    { operation: 'accounts.balances', place: 'body remark', differs: 'presence' },
  ].map((place) => ({ ...place, because: 'differed between two runs' }));

  it('finds the places that differ between two runs, and no others', async () => {
    const { report } = await rerunAt({ change: moody() }, { learn: true });
    expect(report.learned).toEqual({ places: noisy, doubts: [] });
    // The recording knows no mood: that it is there now is no noise.
    expect(telling(report)).toMatchObject([{ class: 'additive', place: 'body balances[].mood' }]);
  });

  it('gives a file that makes them noise the next time', async () => {
    const text = writeNoise(noisy as never);
    expect(text).toBe(writeNoise([...noisy].reverse() as never));
    const { report } = await rerunAt({ change: moody() }, { noise: readNoise(text, 'noise.json') });
    expect(telling(report)).toMatchObject([{ class: 'additive', place: 'body balances[].mood' }]);
    expect(report.counts.noise).toBe(0);
  });

  it('takes nothing for noise that ids, tokens and dates explain', async () => {
    const { report } = await rerunAt({ names: OTHER_NAMES }, { learn: true });
    expect(report.learned).toEqual({ places: [], doubts: [] });
    const own = await rerun(toEmulator, { learn: true });
    expect(own.learned).toEqual({ places: [], doubts: [] });
  });

  it('takes another status, another type or another end of an authorisation for none', async () => {
    let [n, m] = [0, 0];
    const { report } = await rerunAt(
      {
        change: (answer, { path }) => {
          if (path.endsWith('/funds-confirmations') && n++ % 2 === 1) answer.status = 503;
          if (path.endsWith('/status')) answer.json.transactionStatus = m++ % 2 === 1 ? 'RCVD' : 7;
        },
      },
      { learn: true },
    );
    expect(report.learned?.places).toEqual([]);
    expect(report.learned?.doubts).toEqual([
      'call 22: body transactionStatus number 7, then string RCVD',
      'call 23: status 200, then 503',
    ]);
  });
});

const isWriting = ({ method, target }: { method: string; target: string }) =>
  (method !== 'GET' && !target.endsWith('/funds-confirmations')) || target.includes('/authorize/');

describe('a bank that may be real', () => {
  it('is sent what reads, and nothing that writes, unless that is asked for', async () => {
    const { report, asked } = await rerunAt({}, { sendWrites: false });
    expect(asked.filter(isWriting)).toEqual([]);
    expect(asked.map(({ method, target }) => `${method} ${target.split('/').at(-1)}`)).toEqual([
      ...['GET VALID_CONSENT_ID', expect.stringContaining('GET openid-configuration')],
      // The one with a token that nobody gave, and was refused with.
      ...[
        'GET accounts',
        'GET PAYMENT_ID_RCVD_SCT',
        'GET status',
        'POST funds-confirmations',
        'GET accounts',
      ],
    ]);
    const held = report.calls.filter(({ reason = '' }) => reason.includes('--send-writes'));
    expect(held.map(({ operation }) => operation)).toEqual([
      ...['consents.create', ...Array(3).fill('oauth.authorize'), 'oauth.token', 'oauth.token'],
      ...['consents.delete', 'payments.create', ...Array(3).fill('oauth.authorize'), 'oauth.token'],
    ]);
    expect(report.counts).toMatchObject({ same: 6, skipped: 18, breaking: 0 });
    // Their tokens would come from the calls that were held back.
    expect(report.calls[10]).toMatchObject({
      outcome: 'skipped',
      reason: 'it needs what call 8 (POST /stdgroup/v1/token) gave in the recording',
    });
  });

  it('is told of beforehand, as a plan of what is sent and what is held back', async () => {
    let told: unknown;
    const sent: number[] = [];
    await rerunAt(
      { change: (_, { path }) => sent.push(path.length) },
      {
        sendWrites: false,
        onPlan: (plan, against) => {
          told = { plan, against, before: sent.length };
        },
      },
    );
    expect(told).toMatchObject({ against: expect.stringMatching(/^https:\/\/localhost/), before: 0 });
    const { plan } = told as { plan: readonly { plan: string }[] };
    expect(plan).toHaveLength(24);
    expect(plan[0]).toMatchObject({
      number: 1,
      method: 'POST',
      path: '/stdgroup/v1/consents',
      plan: 'hold back',
    });
    expect(plan[1]).toEqual({
      number: 2,
      method: 'GET',
      path: '/stdgroup/v1/consents/VALID_CONSENT_ID',
      plan: 'send',
    });
    expect(plan.filter((call) => call.plan === 'hold back')).toHaveLength(12);
  });

  it('is not blamed for not knowing what a write made that was held back', async () => {
    const { report } = await rerunAt(
      {
        change: (answer, { path }) => {
          if (path.endsWith('/status')) answer.status = 404;
        },
      },
      { sendWrites: false },
      records.map((record) => renamed(record, 'PAYMENT_ID_RCVD_SCT', 'b5a6a7b0-0000-4000-8000-000000000001')),
    );
    expect(report.calls[21]).toMatchObject({
      outcome: 'skipped',
      reason: expect.stringMatching(/^it was answered 40[34], and needs what call 16 gave in the recording/),
    });
    expect(report.counts.breaking).toBe(0);
  });

  it('is never sent a write twice to learn noise, and each read only with an id of its own', async () => {
    const { report, asked } = await rerunAt({}, { learn: true });
    expect(asked.filter(isWriting)).toHaveLength(12);
    expect(asked.filter((one) => !isWriting(one))).toHaveLength(24);
    expect(report.requests).toBe(36);
    const rules = (await bank.records()).flatMap(({ findings }) => findings.map(({ rule }) => rule));
    expect(rules).not.toContain('requests/request-id-fresh');
  });

  it('whose connection is cut is told to have got the call twice', async () => {
    let cuts = 0;
    const { report, asked } = await rerunAt({ cut: (path) => path.endsWith('/balances') && cuts++ === 0 });
    expect(asked.filter(({ target }) => target.endsWith('/balances'))).toHaveLength(2);
    const rows = report.calls.filter(({ number }) => number === 11);
    expect(rows).toMatchObject([
      {
        attempt: 1,
        outcome: 'sent',
        now: null,
        reason: expect.stringContaining('cut before it was answered'),
      },
      { attempt: 2, outcome: 'same', now: 200 },
    ]);
    expect(report.calls).toHaveLength(25);
    expect(report.counts).toMatchObject({ same: 24, sent: 1 });
  });

  it.each([
    ['a write', '/sepa-credit-transfers', 15],
    ['a question that is a POST', '/funds-confirmations', 22],
  ])('whose connection is cut at %s is not sent it again', async (_name, end, at) => {
    const { report, asked } = await rerunAt({ cut: (path) => path.endsWith(end) });
    expect(asked.filter(({ target }) => target.endsWith(end))).toHaveLength(1);
    expect(report.calls[at]).toMatchObject({ outcome: 'breaking', reason: 'the connection was cut' });
  });
});

it('reports a request that was recorded twice as two', async () => {
  const twice = records.flatMap((record) =>
    record.exchange.call.operation === 'accounts.balances' ? [record, record] : [record],
  );
  const { report, asked } = await rerunAt({}, {}, twice);
  expect(asked.filter(({ target }) => target.endsWith('/balances'))).toHaveLength(2);
  expect(report.calls.filter(({ operation }) => operation === 'accounts.balances')).toHaveLength(2);
  expect(report.calls).toHaveLength(25);
});

describe('--only', () => {
  it('sends what fits and what that needs, and compares what fits', async () => {
    const { report, asked } = await rerunAt(
      {
        names: OTHER_NAMES,
        change: ({ json }, { path }) => {
          if (path.endsWith('/token')) delete json.expires_in;
        },
      },
      { only: parseFilter('operation:accounts.balances') },
    );
    const { calls, counts } = report;
    expect(calls.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      'consents.create sent',
      'oauth.discovery sent',
      'oauth.authorize sent',
      'oauth.token sent',
      'oauth.token sent',
      'accounts.balances same',
    ]);
    expect(asked).toHaveLength(6);
    expect(counts.breaking).toBe(0);
  });

  it('refuses a filter that nothing fits', async () => {
    const nothing = rerun(toEmulator, { only: parseFilter('status:418') });
    await expect(nothing).rejects.toThrow('No call of monday matches the filter of --only: widen it.');
  });
});

/** What an answer names so is named otherwise, wherever it stands. */
function renamed({ exchange, ...judged }: FileRecord, from: string, to: string): FileRecord {
  const text = (value: string) => value.replaceAll(from, to);
  const body = <T extends { text: string } | null>(one: T): T =>
    one === null ? one : { ...one, text: text(one.text) };
  const { call, answer } = exchange;
  const made = openCall(
    {
      ...call,
      method: call.request.method,
      headers: call.request.headers,
      target: text(call.request.target),
      body: body(call.request.body),
    },
    dialectOf().recognise(call.request.method, text(call.request.path)),
  );
  const opened =
    answer === null
      ? null
      : openAnswer({
          ...answer,
          headers: answer.headers.map(([name, value]) => [name, text(value)]),
          body: body(answer.body),
        });
  return { ...judged, exchange: closeCall(made, opened, exchange.elapsed) };
}

/** The exchange with another target, body or answer; what derives from them is made again. */
function rebuilt(
  { exchange, ...judged }: FileRecord,
  change: { body?: string; answer?: Partial<Parameters<typeof openAnswer>[0]> },
): FileRecord {
  const { call, answer } = exchange;
  const { body = call.request.body?.text } = change;
  const { method, target, headers } = call.request;
  const made = openCall(
    { ...call, method, target, headers, body: body === undefined ? null : { text: body, size: body.length } },
    dialectOf().recognise(method, call.request.path),
  );
  const opened = answer === null ? null : openAnswer({ ...answer, ...change.answer });
  return { ...judged, exchange: closeCall(made, opened, exchange.elapsed) };
}

const isPage = ({ exchange: { call } }: FileRecord) =>
  call.operation === 'oauth.authorize' && !call.request.target.includes('scenario=');

describe('a recording of a bank with pages of its own', () => {
  const CODE = 'fp_AAAAAAAAAAAAAAAAAAAAAA';
  /** The PSU went on to the bank, and came back with a code that only the TPP saw. */
  const atBank = () =>
    records
      .filter((record) => !isPage(record))
      .map((record) => {
        const { call } = record.exchange;
        const text = call.request.body?.text ?? '';
        if (call.operation === 'oauth.authorize')
          return rebuilt(record, {
            answer: { source: 'upstream', headers: [['Location', 'https://auth.bank.example/login?x=1']] },
          });
        return text.includes('code=AIS_VALID_CODE')
          ? rebuilt(record, { body: text.replace('AIS_VALID_CODE', CODE) })
          : record;
      });

  it('is sent up to there; what depends on the pages is left out and counted', async () => {
    const { report, asked } = await rerunAt({}, {}, atBank());
    expect(report.counts).toMatchObject({ breaking: 0, value: 0, same: 8 });
    const reasons = report.calls.flatMap(({ reason, operation }) =>
      reason ? [`${operation}: ${reason}`] : [],
    );
    expect(reasons).toContain(
      'oauth.authorize: call 4 went on to the bank’s own pages, which only a person can complete (--sca manual)',
    );
    expect(reasons).toContain(
      'oauth.token: the recording does not tell where its code came from, and contains only a fingerprint of it',
    );
    expect(reasons).toContain(
      'accounts.balances: it needs what the PSU does there: call 4 went on to the bank’s own pages',
    );
    expect(asked.some(({ target }) => target.includes('/authorize/'))).toBe(false);
    expect(report.counts.skipped + 8 + report.counts.noise).toBe(report.calls.length);
  });

  /** A person whose browser gives in to everything. */
  const walk = async ({ address }: { readonly address: string }): Promise<string> => {
    const { headers } = await bank.call(`${address}&scenario=SCA_OK`, { side: 'psu' });
    return String(headers.location);
  };
  const byPerson = async (ask: NonNullable<RerunParts['askPerson']>, of = atBank()) => {
    const open = toBank(bank.urls.api);
    return rerun(open, { askPerson: ask }, of);
  };

  it('runs whole where a person authorises, at the address that is told', async () => {
    const asked: string[] = [];
    const report = await byPerson(async (place) => {
      asked.push(`${place.number} ${new URL(place.address).origin}`);
      return walk(place);
    });
    expect(telling(report)).toEqual([]);
    expect(asked).toEqual([`4 ${bank.urls.psu}`, `15 ${bank.urls.psu}`]);
    expect(report.counts).toMatchObject({ sent: 2, skipped: 0, breaking: 0 });
  });

  it('runs so too where the recording has the pages of the emulator', async () => {
    const asked: string[] = [];
    const report = await byPerson(
      async (place) => {
        asked.push(place.address);
        return walk(place);
      },
      [...records],
    );
    expect(asked).toHaveLength(2);
    expect(asked.join()).not.toMatch(/scenario=|choice=/);
    expect(telling(report)).toEqual([]);
    expect(report.counts).toMatchObject({ same: 18, sent: 6, skipped: 0 });
  });

  it('asks again where what was given is no end of this authorisation', async () => {
    const problems: (string | undefined)[] = [];
    const tries = ['https://tpp.example/back', 'https://tpp.example/back?code=stolen-0001&state=of-another'];
    await byPerson(async (place) => {
      problems.push(place.problem);
      return tries.shift() ?? walk(place);
    });
    expect(problems).toEqual([
      undefined,
      'it contains neither code nor error',
      'its state differs: it belongs to another authorisation',
      undefined,
    ]);
  });

  it('leaves out what the person leaves out, and what needs it', async () => {
    const report = await byPerson(async () => null);
    expect(report.calls[3]).toMatchObject({ outcome: 'skipped' });
    expect(report.calls[8]?.reason).toMatch(/^it needs what the PSU does there|^it needs the code/);
    expect(report.counts.skipped).toBeGreaterThan(8);
  });

  it('breaks where the person came back with an error, and not with a code', async () => {
    const report = await byPerson(
      async ({ address }) =>
        `https://tpp.example/back?error=access_denied&state=${new URL(address).searchParams.get('state')}`,
      [...records],
    );
    expect(telling(report)[0]).toMatchObject({
      ...{ number: 6, class: 'breaking', place: 'header location ?code' },
      ...{ was: 'a redirect with code', now: 'error access_denied' },
    });
  });

  it('is read with a token that is given, where its own cannot be got; nothing shows the token', async () => {
    const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' };
    const verifier = 'verifier-of-the-account-information-0123456789';
    const given = await bank.call('/stdgroup/v1/token', { form: { ...form, code_verifier: verifier } });
    const token = String(given.json.access_token);
    const heard: string[] = [];
    const { report, asked } = await rerunAt(
      { change: (_, { path }) => heard.push(path) },
      { sendWrites: false, lender: lending({ token, consent: null }) },
      atBank(),
    );
    expect(asked.filter(isWriting)).toEqual([]);
    const reads = report.calls.filter(
      ({ operation, was }) => operation?.startsWith('accounts.') && was === 200,
    );
    expect(reads.map(({ outcome }) => outcome)).toEqual(Array(4).fill('same'));
    expect(JSON.stringify(report)).not.toContain(token);
    // One was refused with a good token, one for a token that nobody gave, one for want of a certificate.
    expect(report.calls.filter(({ was }) => was === 401).map(({ now }) => now)).toEqual([401, 401, 401]);
  });

  it('is read for the consent that the token was given for', async () => {
    const consents: string[] = [];
    const { report } = await rerunAt(
      { hear: ({ headers }) => consents.push(String(headers['consent-id'])) },
      { sendWrites: false, lender: lending({ token: 'a-token-of-my-own-01', consent: 'my-consent' }) },
      atBank(),
    );
    expect(consents).toContain('my-consent');
    expect(report.counts.breaking).toBeGreaterThan(0);
  });

  /** Gets tokens of the bank as a program of a user's would. */
  const authorising = (ask: Lender['ask']): Partial<RerunParts> => ({ lender: { ask, authorises: true } });
  const tokenFor = async ({ scope }: TokenNeed): Promise<LentToken> => {
    const [code, of] = scope?.startsWith('AIS') ? ['AIS', 'account-information'] : ['PIS', 'payment'];
    const verifier = `verifier-of-the-${of}-0123456789${of === 'payment' ? '-0123456789' : ''}`;
    const form = {
      grant_type: 'authorization_code',
      client_id: 'VALID_CLIENT_ID',
      code: `${code}_VALID_CODE`,
    };
    const given = await bank.call('/stdgroup/v1/token', { form: { ...form, code_verifier: verifier } });
    return { token: String(given.json.access_token), consent: null };
  };

  it('runs whole where a lender authorises and gets the tokens, by the names of this run', async () => {
    const needs: TokenNeed[] = [];
    const { report, asked } = await rerunAt(
      { names: { VALID_CONSENT_ID: 'c-77f0' } },
      authorising((need) => {
        needs.push(need);
        return tokenFor(need);
      }),
      atBank(),
    );
    expect(telling(report)).toEqual([]);
    expect(report.counts).toMatchObject({ skipped: 0, breaking: 0 });
    expect(asked.some(({ target }) => /authorize|\/token/.test(target))).toBe(false);
    // A refreshed token is asked for like the first one.
    expect(needs.map(({ scope }) => scope)).toEqual(['AIS:c-77f0', 'AIS:c-77f0', 'PIS:PAYMENT_ID_RCVD_SCT']);
    expect(needs[0]).toMatchObject({
      consentId: 'c-77f0',
      paymentId: null,
      link: expect.stringMatching(/^https:/),
    });
    expect(needs[2]).toMatchObject({ consentId: null, paymentId: 'PAYMENT_ID_RCVD_SCT' });
  });

  it('goes on where a lender fails, and says so of each call that needed the token', async () => {
    const problem = 'the token command ended with status 3';
    const { report } = await rerunAt(
      {},
      authorising(async () => ({ problem })),
      atBank(),
    );
    const because = report.calls.filter(({ reason }) => reason === problem).map(({ operation }) => operation);
    expect(because).toEqual(expect.arrayContaining(['oauth.token', 'accounts.list', 'accounts.balances']));
    expect(report.calls.find(({ operation }) => operation === 'funds-confirmations.create')?.outcome).toBe(
      'same',
    );
    expect(report.counts.breaking).toBe(0);
  });

  it('asks a lender for tokens of recorded consents where writes are held back', async () => {
    const needs: TokenNeed[] = [];
    const ask = (need: TokenNeed) => {
      needs.push(need);
      return tokenFor(need);
    };
    const { report } = await rerunAt({}, { ...authorising(ask), sendWrites: false }, atBank());
    expect(needs).toMatchObject([{ scope: 'AIS:VALID_CONSENT_ID', link: null }]);
    const reads = report.calls.filter(
      ({ operation, was }) => operation?.startsWith('accounts.') && was === 200,
    );
    expect(reads.map(({ outcome }) => outcome)).toEqual(Array(4).fill('same'));
  });

  it('runs whole against the emulator, where the outcome can be asked for', async () => {
    const report = await rerun(toEmulator, {}, atBank());
    expect(telling(report)).toEqual([]);
    expect(report.counts).toMatchObject({ sent: 2, skipped: 0, breaking: 0 });
  });
});

describe('a call', () => {
  const only = (operation: string, of = records) =>
    of.filter(({ exchange }) => exchange.call.operation === operation);

  it('that is not answered in time breaks, and the next ones are sent all the same', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { report } = await rerunAt(
      { hold: (path) => (path.endsWith('/funds-confirmations') ? held : undefined) },
      { timeout: 2_000 },
    ).finally(() => release());
    expect(telling(report)).toMatchObject([
      {
        number: 23,
        class: 'breaking',
        what: 'gone',
        place: 'answer',
        was: '200',
        now: 'no answer within 2 s',
      },
    ]);
    expect(report.calls.at(-1)?.outcome).toBe('same');
  });

  it.each([
    [
      'a callback',
      (one: Exchange): Exchange => ({ ...one, call: one.call.with({ listener: 'callback' }) }),
      'it is a notification, which only the bank sends',
    ],
    [
      'one without answer',
      (one: Exchange): Exchange => ({ ...one, answer: null }),
      'the recording has no answer to it',
    ],
    [
      'one that the gateway answered',
      (one: Exchange): Exchange => ({
        ...one,
        answer: one.answer && openAnswer({ ...one.answer, source: 'gateway' }),
      }),
      'Sandgate answered it itself, not the bank',
    ],
    [
      'one that a fault kept from the bank',
      (one: Exchange): Exchange => ({ ...one, injected: { fault: 'f', kind: 'answer/status', did: null } }),
      'the bank was not asked: fault f was injected',
    ],
  ])('is not sent: %s', async (_, make, reason) => {
    const [one] = only('funds-confirmations.create');
    const other: FileRecord = { exchange: make((one as FileRecord).exchange) };
    const { report } = await rerunAt({}, {}, [...only('consents.create'), other]);
    expect(report.calls[1]).toMatchObject({ outcome: 'skipped', reason });
  });

  it.each([
    ['whose answer was lost', { answer: null }],
    ['whose answer was changed', {}],
  ])('is sent and not compared: one %s by a fault', async (_, change) => {
    const [one] = only('funds-confirmations.create');
    const injected = { fault: 'f', kind: 'done/lost', did: 200 };
    const other = { exchange: { ...(one as FileRecord).exchange, ...change, injected } };
    const { report } = await rerunAt({}, {}, [...only('consents.create'), other]);
    expect(report.calls[1]).toMatchObject({
      outcome: 'sent',
      now: 200,
      reason: 'what was recorded is not the bank’s answer: fault f was injected',
    });
  });

  it('is nothing to go by where none can be compared', async () => {
    const [one] = only('funds-confirmations.create');
    const none = { exchange: { ...(one as FileRecord).exchange, answer: null } };
    await expect(rerun(toEmulator, {}, [none])).rejects.toThrow(
      'Nothing of monday could be sent and compared; the first call was skipped because the recording has no answer to it: sandgate rerun --help lists the options.',
    );
  });

  it('with a verifier that was wrong is sent with one that is wrong again', async () => {
    const flawed = records.map((record) =>
      record.exchange.call.operation === 'oauth.token'
        ? { ...record, verdicts: { 'oauth/verifier-matches-challenge': 'violated' as const } }
        : record,
    );
    await rerunAt({}, {}, flawed);
    const found = (await bank.records()).flatMap(({ findings }) => findings.map(({ rule }) => rule));
    expect(found).toContain('oauth/verifier-matches-challenge');
  });

  it('is sent with the test certificate that says what its own said, or without any', async () => {
    const { report } = await rerunAt({}, {}, only('accounts.list'));
    expect(report.calls.at(-1)).toMatchObject({ outcome: 'same', was: 401, now: 401 });
  });
});

it('shows no secret of this run or of the recording', async () => {
  const { report } = await rerunAt({
    change: ({ json }, { path }) => {
      if (path.endsWith('/token')) json.scope = `${json.scope} ${json.access_token}`;
    },
  });
  const shown = JSON.stringify(report);
  const tokens = (await bank.records()).length;
  expect(tokens).toBeGreaterThan(0);
  expect(shown).not.toMatch(/[0-9a-f]{96}/);
  expect(telling(report).length).toBeGreaterThan(0);
});

describe('a recording in which the clock was moved', () => {
  it('is sent to the emulator with its clock moved alike', async () => {
    const gateway = await startTestGateway();
    gateway.move(TO_NOON);
    const read = async () => {
      const headers = gateway.accountHeaders(await gateway.token(), { 'PSU-IP-Address': undefined });
      return (await gateway.call('/stdgroup/v1/accounts', { headers })).status;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push(await read());
    gateway.app.clock.change({ advance: DAY_MS, mode: 'frozen' });
    statuses.push(await read());
    gateway.app.clock.change({ mode: 'real' });
    statuses.push(await read());
    expect(statuses).toEqual([200, 200, 200, 200, 429, 200, 429]);
    const of = await gateway.records();
    await gateway.close();
    const report = await rerun(toEmulator, {}, of);
    expect(telling(report)).toEqual([]);
  });
});
