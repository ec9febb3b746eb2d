/** The SCA approaches of a bank profile, as both banks answer them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setNextOutcome } from '../../src/bank/index.js';
import type { Answer } from '../../src/exchange/index.js';
import {
  type BankProfile,
  SANDBOX,
  SANDBOX_PSU,
  SCA_STATUSES,
  type ScaStatus,
} from '../../src/spec/index.js';
import { aProfile, type CallParts } from '../builders.js';
import { errorOf, jsonOf } from './an-emulator.js';
import { aLivingBank, type LivingBankUnderTest } from './living/a-living-bank.js';

const METHODS = [
  { id: 'sms', type: 'SMS_OTP', name: 'Code by SMS' },
  { id: 'photo', type: 'PHOTO_OTP', name: 'Photo' },
];
const STARTS = [
  'startAuthorisation',
  'startAuthorisationWithPsuIdentification',
  'startAuthorisationWithPsuAuthentication',
];

const profileOf = (sca: NonNullable<BankProfile['sca']>): BankProfile =>
  aProfile({
    paths: {
      base: '/bank/{tenant}',
      values: { tenant: 't1' },
      offers: [
        'consents.authorisations.update',
        'payments.authorisations.update',
        'payments.cancellation-authorisations.create',
        'payments.cancellation-authorisations.update',
        'accounts.transaction',
      ],
    },
    access: { bearer: 'none' },
    sca,
  });

const BANKS = [
  { name: 'the sandbox bank', isSandbox: true, psu: SANDBOX_PSU.id, password: SANDBOX_PSU.password },
  { name: 'the living bank', isSandbox: false, psu: 'user1', password: 'secret' },
] as const;

const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '2026-05-01',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  debtorAccount: { iban: 'BE68539007547034' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Fietsen Roeland',
};
const HEADERS = { 'PSU-IP-Address': '192.0.2.7', 'TPP-Redirect-URI': 'https://tpp.example/cb' };

type Links = Record<string, { href: string }>;
const linkNames = (answer: Answer) => Object.keys(jsonOf(answer)._links);

describe.each(BANKS)('$name', ({ isSandbox, psu, password }) => {
  const open = (sca: NonNullable<BankProfile['sca']>) => {
    const bank = aLivingBank({ bankProfile: profileOf(sca), isSandbox });
    const create = (kind: 'consent' | 'payment', headers: Record<string, string> = {}) => {
      const parts: CallParts =
        kind === 'consent'
          ? { operation: 'consents.create', body: CONSENT }
          : { operation: 'payments.create', body: PAYMENT };
      return bank.ask({ ...parts, headers: { ...HEADERS, ...headers } });
    };
    return { bank, create };
  };

  /** A flow whose steps are told by what they hold. */
  const flow = (bank: LivingBankUnderTest, created: Answer, kind: 'consents' | 'payments' = 'consents') => {
    const { consentId, paymentId, _links } = jsonOf(created);
    const params = consentId === undefined ? { paymentId } : { consentId };
    const send =
      (body: object, headers: Record<string, string>) => (operation: CallParts['operation'], more: object) =>
        bank.ask({
          ...(operation === undefined ? {} : { operation }),
          params: { ...params, ...more },
          headers: { ...HEADERS, ...headers },
          body,
        });
    let id = _links.scaStatus?.href.split('/').at(-1) ?? '';
    return {
      start: (body: object, headers: Record<string, string> = {}) => {
        const answer = send(body, headers)(`${kind}.authorisations.create`, {});
        if (answer.status === 201) id = jsonOf(answer).authorisationId;
        return answer;
      },
      put: (body: object, headers: Record<string, string> = {}) =>
        send(body, headers)(`${kind}.authorisations.update`, { authorisationId: id }),
      status: () =>
        jsonOf(
          bank.ask({ operation: `${kind}.authorisations.read`, params: { ...params, authorisationId: id } }),
        ).scaStatus,
      resource: () => {
        const value = jsonOf(bank.ask({ operation: `${kind}.status`, params }));
        return value.consentStatus ?? value.transactionStatus;
      },
      params,
      id: () => id,
    };
  };

  it.each<[string, NonNullable<BankProfile['sca']>, Record<string, string>, string, string[]]>([
    [
      'redirect',
      { approaches: ['redirect'] },
      {},
      'REDIRECT',
      ['scaRedirect', 'scaStatus', 'self', 'status'],
    ],
    [
      'redirect that the TPP starts',
      { approaches: ['redirect'] },
      { 'TPP-Explicit-Authorisation-Preferred': 'true' },
      'REDIRECT',
      ['startAuthorisation', 'self', 'status'],
    ],
    [
      'embedded',
      { approaches: ['embedded'] },
      {},
      'EMBEDDED',
      ['startAuthorisationWithPsuIdentification', 'self', 'status'],
    ],
    [
      'embedded, with the PSU named',
      { approaches: ['embedded'] },
      { 'PSU-ID': psu },
      'EMBEDDED',
      ['startAuthorisationWithPsuAuthentication', 'self', 'status'],
    ],
    [
      'embedded at a bank that opens the authorisation itself',
      { approaches: ['embedded'], links: { implicit: ['updatePsuAuthentication'], explicit: STARTS } },
      { 'PSU-ID': psu },
      'EMBEDDED',
      ['updatePsuAuthentication', 'scaStatus', 'self', 'status'],
    ],
    [
      'decoupled, with the PSU named',
      { approaches: ['decoupled'] },
      { 'PSU-ID': psu },
      'DECOUPLED',
      ['scaStatus', 'self', 'status'],
    ],
    [
      'the one that the TPP prefers',
      { approaches: ['redirect', 'embedded', 'decoupled'] },
      { 'TPP-Decoupled-Preferred': 'true', 'PSU-ID': psu },
      'DECOUPLED',
      ['scaStatus', 'self', 'status'],
    ],
    [
      'none that sends a browser, if the TPP prefers so',
      { approaches: ['redirect', 'embedded'] },
      { 'TPP-Redirect-Preferred': 'false' },
      'EMBEDDED',
      ['startAuthorisationWithPsuIdentification', 'self', 'status'],
    ],
    [
      'the first of the bank, if the TPP prefers one that there is not',
      { approaches: ['redirect'] },
      { 'TPP-Decoupled-Preferred': 'true' },
      'REDIRECT',
      ['scaRedirect', 'scaStatus', 'self', 'status'],
    ],
  ])('begins by %s', (_, sca, headers, approach, names) => {
    for (const kind of ['consent', 'payment'] as const) {
      const { bank, create } = open(sca);
      const answer = create(kind, headers);
      expect([answer.status, answer.header['aspsp-sca-approach'], linkNames(answer)]).toEqual([
        201,
        approach,
        names,
      ]);
      for (const { href } of Object.values<{ href: string }>(jsonOf(answer)._links))
        expect(new URL(href).pathname).toMatch(/^\/bank\/t1\//);
      expect(bank.findings).toEqual([]);
    }
  });

  it('walks an embedded SCA by its links, with a choice of methods', () => {
    const { bank, create } = open({ approaches: ['embedded'], methods: METHODS });
    const { start, put, status, resource } = flow(bank, create('consent'));
    const seen: unknown[] = [];
    const told = (answer: Answer) => {
      const { scaStatus, _links } = jsonOf(answer);
      const [next] = Object.keys(_links as Links);
      seen.push([answer.status, scaStatus, next]);
      return answer;
    };
    told(start({}));
    told(put({}, { 'PSU-ID': psu }));
    const methods = told(put({ psuData: { password } }));
    expect(
      jsonOf(methods).scaMethods.map((one: { authenticationMethodId: string }) => one.authenticationMethodId),
    ).toEqual(['sms', 'photo']);
    const chosen = told(put({ authenticationMethodId: 'photo' }));
    expect(jsonOf(chosen)).toMatchObject({
      chosenScaMethod: { name: 'Photo' },
      challengeData: { otpMaxLength: 6 },
    });
    expect(resource()).toBe('received');
    told(put({ scaAuthenticationData: '123456' }));
    expect(seen).toEqual([
      [201, 'received', 'updatePsuIdentification'],
      [200, 'psuIdentified', 'updatePsuAuthentication'],
      [200, 'psuAuthenticated', 'selectAuthenticationMethod'],
      [200, 'scaMethodSelected', 'authoriseTransaction'],
      [200, 'finalised', 'scaStatus'],
    ]);
    expect([status(), resource()]).toEqual(['finalised', 'valid']);
    expect(bank.findings).toEqual([]);
  });

  it('asks for the code at once if there is one method, and for none below the amount that is exempt', () => {
    for (const [sca, expected] of [
      [{ approaches: ['embedded'] }, 'scaMethodSelected'],
      [{ approaches: ['embedded'], exemptBelow: '500' }, 'exempted'],
    ] as const) {
      const { bank, create } = open({ ...sca, approaches: ['embedded'] });
      const { start, put, status } = flow(bank, create('payment'), 'payments');
      const answer = start({ psuData: { password } }, { 'PSU-ID': psu });
      expect([answer.status, jsonOf(answer).scaStatus]).toEqual([201, expected]);
      if (expected === 'scaMethodSelected') {
        expect(jsonOf(answer)).toMatchObject({ chosenScaMethod: { authenticationType: 'SMS_OTP' } });
        put({ scaAuthenticationData: '123456' });
        expect(status()).toBe('finalised');
      }
      expect(bank.findings).toEqual([]);
    }
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['a PSU that nobody knows', {}, { 'PSU-ID': 'nobody' }, '401 PSU_CREDENTIALS_INVALID'],
    [
      'a wrong password',
      { psuData: { password: 'wrong' } },
      { 'PSU-ID': psu },
      '401 PSU_CREDENTIALS_INVALID',
    ],
    ['a password of nobody', { psuData: { password } }, {}, '400 FORMAT_ERROR'],
    ['nothing', {}, {}, '400 FORMAT_ERROR'],
    [
      'two steps at once',
      { psuData: { password }, scaAuthenticationData: '1' },
      { 'PSU-ID': psu },
      '400 FORMAT_ERROR',
    ],
    ['a code that is no text', { scaAuthenticationData: 123_456 }, {}, '400 FORMAT_ERROR'],
    ['a long one', { scaAuthenticationData: '1'.repeat(513) }, {}, '400 FORMAT_ERROR'],
    ['a code too early', { scaAuthenticationData: '123456' }, {}, '409 STATUS_INVALID'],
    ['a method too early', { authenticationMethodId: 'sms' }, {}, '409 STATUS_INVALID'],
    ['a confirmation code', { confirmationCode: 'x' }, {}, '409 STATUS_INVALID'],
  ])('refuses %s', (_, body, headers, error) => {
    const { bank, create } = open({ approaches: ['embedded'], methods: METHODS });
    const { start, put, status } = flow(bank, create('consent'));
    start({});
    expect(errorOf(put(body, headers))).toBe(error);
    expect(status()).toBe('received');
  });

  it('takes only those steps by PUT that the profile names', () => {
    const { bank, create } = open({
      approaches: ['embedded'],
      steps: ['selection', 'authorisation'],
      methods: METHODS,
    });
    const { start, put } = flow(bank, create('consent'));
    start({});
    expect(errorOf(put({ psuData: { password } }, { 'PSU-ID': psu }))).toBe('400 FORMAT_ERROR');
    expect(jsonOf(start({ psuData: { password } }, { 'PSU-ID': psu })).scaStatus).toBe('psuAuthenticated');
    expect(errorOf(put({ authenticationMethodId: 'pigeon' }))).toBe('400 SCA_METHOD_UNKNOWN');
    expect(jsonOf(put({ authenticationMethodId: 'sms' })).scaStatus).toBe('scaMethodSelected');
  });

  it('ends the SCA with the third wrong password, though the PSU is named in between', () => {
    const { bank, create } = open({ approaches: ['embedded'] });
    const { start, put, status } = flow(bank, create('consent'));
    start({});
    const wrong = () => errorOf(put({ psuData: { password: 'wrong' } }, { 'PSU-ID': psu }));
    expect([wrong(), wrong()]).toEqual(['401 PSU_CREDENTIALS_INVALID', '401 PSU_CREDENTIALS_INVALID']);
    expect(jsonOf(put({}, { 'PSU-ID': psu })).scaStatus).toBe('psuIdentified');
    expect([wrong(), status()]).toEqual(['401 PSU_CREDENTIALS_INVALID', 'failed']);
  });

  it('ends the SCA with the third wrong code', () => {
    const { bank, create } = open({ approaches: ['embedded'] });
    const { start, put, status, resource } = flow(bank, create('consent'));
    start({ psuData: { password } }, { 'PSU-ID': psu });
    for (const left of ['scaMethodSelected', 'scaMethodSelected', 'failed']) {
      expect(errorOf(put({ scaAuthenticationData: '000000' }))).toBe('400 SCA_INVALID');
      expect(status()).toBe(left);
    }
    expect(errorOf(put({ scaAuthenticationData: '123456' }))).toBe('409 STATUS_INVALID');
    expect(resource()).not.toBe('valid');
  });

  it('sends the PSU back without parameters after a redirect, and to TPP-Nok-Redirect-URI if it failed', () => {
    for (const [scenario, back, scaStatus] of [
      ['SCA_OK', 'https://tpp.example/cb', 'finalised'],
      ['SCA_CANCEL', 'https://tpp.example/nok', 'failed'],
    ] as const) {
      const { bank, create } = open({ approaches: ['redirect'] });
      const created = create('consent', { 'TPP-Nok-Redirect-URI': 'https://tpp.example/nok' });
      const { status, id } = flow(bank, created);
      const { pathname } = new URL(jsonOf(created)._links.scaRedirect.href);
      const page = (query: string) =>
        bank.ask({ operation: 'sca.redirect', target: pathname + query, listener: 'psu' });
      expect(id()).toBe(pathname.split('/').at(-1));
      expect(page('').status).toBe(200);
      expect(status()).toBe('received');
      const end = page(`?scenario=${scenario}`);
      expect([end.status, end.header.location]).toEqual([302, back]);
      expect(status()).toBe(scaStatus);
      expect(bank.findings).toEqual([]);
    }
  });

  describe('with a confirmation by the TPP', () => {
    const CONFIRMED: NonNullable<BankProfile['sca']> = {
      approaches: ['redirect'],
      steps: ['confirmation'],
    };
    /** A consent whose PSU has come back from the page, with the code. */
    const confirmable = (scenario = 'SCA_OK', uri = 'https://tpp.example/cb') => {
      const { bank, create } = open(CONFIRMED);
      const created = create('consent', { 'TPP-Redirect-URI': uri });
      const { pathname } = new URL(jsonOf(created)._links.scaRedirect.href);
      const target = `${pathname}?scenario=${scenario}`;
      const end = bank.ask({ operation: 'sca.redirect', target, listener: 'psu' });
      const code = new URL(end.header.location ?? '').searchParams.getAll('confirmationCode').at(-1) ?? '';
      return { bank, created, code, ...flow(bank, created) };
    };

    it('waits for the code that came with the PSU, and counts then', () => {
      const { bank, created, code, put, status, resource } = confirmable();
      const { confirmation, scaStatus } = jsonOf(created)._links;
      expect(confirmation).toEqual(scaStatus);
      expect(status()).toBe('unconfirmed');
      // The sandbox's literal consent is valid whatever happens.
      if (!isSandbox) expect(resource()).toBe('received');
      const confirmed = put({ confirmationCode: code });
      expect([confirmed.status, jsonOf(confirmed).scaStatus]).toEqual([200, 'finalised']);
      expect([status(), resource()]).toEqual(['finalised', 'valid']);
      expect(errorOf(put({ confirmationCode: code }))).toBe('409 STATUS_INVALID');
      expect(bank.findings).toEqual([]);
    });

    it('ends with the third wrong code', () => {
      const { code, put, status, resource } = confirmable();
      for (const left of ['unconfirmed', 'unconfirmed', 'failed']) {
        expect(errorOf(put({ confirmationCode: `${code.slice(1)}x` }))).toBe('400 SCA_INVALID');
        expect(status()).toBe(left);
      }
      expect(errorOf(put({ confirmationCode: code }))).toBe('409 STATUS_INVALID');
      if (!isSandbox) expect(resource()).not.toBe('valid');
    });

    it('is not fooled by a code that the TPP puts into its own address', () => {
      const uri = 'https://tpp.example/cb?confirmationCode=own';
      const own = confirmable('SCA_OK', uri);
      expect(errorOf(own.put({ confirmationCode: 'own' }))).toBe('400 SCA_INVALID');
      expect(jsonOf(own.put({ confirmationCode: own.code })).scaStatus).toBe('finalised');
      const cancelled = confirmable('SCA_CANCEL', uri);
      expect(errorOf(cancelled.put({ confirmationCode: 'own' }))).toBe('409 STATUS_INVALID');
      expect(cancelled.status()).toBe('failed');
      if (!isSandbox) expect(cancelled.resource()).not.toBe('valid');
    });

    it('takes no code before the PSU was on the page', () => {
      const { bank, create } = open(CONFIRMED);
      const { put, status } = flow(bank, create('consent'));
      expect(errorOf(put({ confirmationCode: 'early' }))).toBe('409 STATUS_INVALID');
      expect(status()).toBe('received');
    });
  });

  it('knows nothing of a redirect page that it did not hand out', () => {
    const { bank } = open({ approaches: ['redirect'] });
    const target = '/bank/t1/authorization/redirect/f0000000-0000-4000-8000-000000000099';
    expect(bank.ask({ operation: 'sca.redirect', target, listener: 'psu' }).status).toBe(404);
  });

  it('asks for an authorisation of the cancellation of what was authorised', () => {
    const { bank, create } = open({ approaches: ['redirect', 'embedded'] });
    const headers = { 'TPP-Redirect-Preferred': 'false' };
    const created = create('payment', headers);
    const params = isSandbox ? { paymentId: 'PAYMENT_ID_ACTC_SCT' } : flow(bank, created, 'payments').params;
    if (!isSandbox) {
      const { start, put } = flow(bank, created, 'payments');
      start({ psuData: { password } }, { ...headers, 'PSU-ID': psu });
      put({ scaAuthenticationData: '123456' });
    }
    const asked = bank.ask({ operation: 'payments.cancel', params, headers });
    expect([asked.status, linkNames(asked)]).toEqual([
      202,
      ['startAuthorisationWithPsuIdentification', 'self', 'status'],
    ]);
    const on = (operation: CallParts['operation'], body: object, more = {}) =>
      bank.ask({
        ...(operation === undefined ? {} : { operation }),
        params: { ...params, ...more },
        headers: { ...headers, 'PSU-ID': psu },
        body,
      });
    const started = on('payments.cancellation-authorisations.create', { psuData: { password } });
    expect(started.status).toBe(201);
    const { authorisationId } = jsonOf(started);
    const ended = on(
      'payments.cancellation-authorisations.update',
      { scaAuthenticationData: '123456' },
      { authorisationId },
    );
    expect(jsonOf(ended).scaStatus).toBe('finalised');
    if (!isSandbox)
      expect(jsonOf(bank.ask({ operation: 'payments.status', params })).transactionStatus).toBe('CANC');
  });

  it('reads accounts by certificate and consent alone, and one transaction by its id', () => {
    const { bank, create } = open({ approaches: ['embedded'] });
    const { start, put, params } = flow(bank, create('consent'));
    start({ psuData: { password } }, { 'PSU-ID': psu });
    put({ scaAuthenticationData: '123456' });
    const consent = isSandbox ? SANDBOX.validConsent : (params.consentId ?? '');
    const read = (operation: CallParts['operation'], more: Record<string, string> = {}, query?: string) =>
      bank.ask({
        ...(operation === undefined ? {} : { operation }),
        ...(query === undefined ? {} : { query }),
        headers: { ...HEADERS, 'Consent-ID': consent },
        params: more,
      });
    const list = read('accounts.list');
    expect(list.status).toBe(200);
    const [account] = jsonOf(list).accounts;
    expect(new URL(account._links.transactions.href).pathname).toBe(
      `/bank/t1/v1/accounts/${account.resourceId}/transactions`,
    );
    const accountId = account.resourceId;
    const page = jsonOf(read('accounts.transactions', { accountId }, 'bookingStatus=booked'));
    const [entry] = page.transactions.booked;
    const one = read('accounts.transaction', { accountId, transactionId: entry.transactionId });
    expect(jsonOf(one)).toEqual({ transactionsDetails: entry });
    expect(errorOf(read('accounts.transaction', { accountId, transactionId: 'none' }))).toBe(
      '404 RESOURCE_UNKNOWN',
    );
    expect(bank.findings).toEqual([]);
  });

  it('takes any steps in any order, never goes back and never crashes', () => {
    const step = fc.oneof(
      fc.constantFrom<[object, Record<string, string>]>(
        [{}, { 'PSU-ID': psu }],
        [{}, {}],
        [{ psuData: { password } }, { 'PSU-ID': psu }],
        [{ psuData: { password } }, {}],
        [{ psuData: { password: 'wrong' } }, { 'PSU-ID': psu }],
        [{ authenticationMethodId: 'sms' }, {}],
        [{ authenticationMethodId: 'pigeon' }, {}],
        [{ scaAuthenticationData: '123456' }, {}],
        [{ scaAuthenticationData: '000000' }, {}],
        [{ psuData: { encryptedPassword: password } }, { 'PSU-ID': psu }],
      ),
      fc.tuple(
        fc.record(
          {
            psuData: fc.jsonValue(),
            authenticationMethodId: fc.jsonValue(),
            scaAuthenticationData: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
        fc.constant({}),
      ),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, isDecoupled) => {
        const approaches = [isDecoupled ? 'decoupled' : 'embedded'] as const;
        const { bank, create } = open({ approaches: [...approaches], methods: METHODS });
        const { start, put, status } = flow(bank, create('consent'));
        start({});
        let before: ScaStatus = 'received';
        for (const [body, headers] of steps) {
          const answer = put(body, headers);
          const after: ScaStatus = status();
          expect(SCA_STATUSES[after].rank).toBeGreaterThanOrEqual(SCA_STATUSES[before].rank);
          if (SCA_STATUSES[before].final) expect([after, answer.status >= 400]).toEqual([before, true]);
          else if (answer.status === 200) expect(jsonOf(answer).scaStatus).toBe(after);
          before = after;
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('decoupled', () => {
  const created = (isSandbox: boolean, psu: string, kind: 'consents' | 'payments' = 'consents') => {
    const bank = aLivingBank({ bankProfile: profileOf({ approaches: ['decoupled'] }), isSandbox });
    const answer = bank.ask({
      operation: `${kind}.create`,
      headers: { ...HEADERS, 'PSU-ID': psu },
      body: kind === 'consents' ? CONSENT : PAYMENT,
    });
    const { consentId, paymentId, _links } = jsonOf(answer);
    const params = { ...(consentId ? { consentId } : { paymentId }) };
    const authorisationId = _links.scaStatus.href.split('/').at(-1);
    const status = () =>
      jsonOf(bank.ask({ operation: `${kind}.authorisations.read`, params: { ...params, authorisationId } }))
        .scaStatus;
    const resource = () => {
      const value = jsonOf(bank.ask({ operation: `${kind}.status`, params }));
      return value.consentStatus ?? value.transactionStatus;
    };
    return { bank, answer, status, resource };
  };

  it('tells the TPP to wait; at the sandbox bank the PSU confirms after 20 seconds', () => {
    const { bank, answer, status } = created(true, SANDBOX_PSU.id);
    expect(jsonOf(answer)).toMatchObject({
      scaStatus: 'started',
      psuMessage: expect.stringContaining('20 seconds'),
    });
    bank.now += 19_999;
    expect(status()).toBe('started');
    bank.now += 1;
    expect(status()).toBe('finalised');
    expect(bank.findings).toEqual([]);
  });

  const ACCESS = '/stdgroup/authorization/access';

  it.each([
    ['confirms', 'confirm', 'finalised', 'valid'],
    ['refuses', 'refuse', 'failed', 'rejected'],
  ])('the PSU of the living bank %s on its own page', (_, step, scaStatus, consentStatus) => {
    const { bank, answer, status, resource } = created(false, 'user1');
    expect(jsonOf(answer).psuMessage).toContain(ACCESS);
    expect(status()).toBe('started');
    const send = (form: Record<string, string>) =>
      bank.ask({ method: 'POST', target: ACCESS, listener: 'psu', form, headers: {} }).body?.text ?? '';
    const field = (page: string, name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
    const other = send({ step: 'login', login: 'user2', password: 'secret' });
    expect(other).not.toContain('name="authorisation"');
    const page = send({ step: 'login', login: 'user1', password: 'secret' });
    const authorisation = field(page, 'authorisation');
    const stolen = send({ step, authorisation, sca_token: field(other, 'sca_token') || 'none' });
    expect([stolen.includes('Confirm</button>'), status()]).toEqual([false, 'started']);
    const form = { step, authorisation, sca_token: field(page, 'sca_token') };
    const after = send(form);
    expect([status(), resource()]).toEqual([scaStatus, consentStatus]);
    expect(after).not.toContain('name="authorisation"');
    expect(send(form)).toContain('Nobody waits for this any more.');
    expect(bank.findings).toEqual([]);
  });

  it('an outcome that an operator set ahead ends it when the TPP looks', () => {
    const { bank, resource, status } = created(false, 'user1', 'payments');
    expect(resource()).toBe('RCVD');
    bank.keep([setNextOutcome('SCA_REQUEST_REJECTED', { scope: null, psu: null }, bank.now)]);
    expect([resource(), status()]).toEqual(['RJCT', 'failed']);
  });
});

describe('the pages of a redirect at the living bank', () => {
  it('let the PSU log in, confirm and go back, and are over then', () => {
    const bank = aLivingBank({ bankProfile: profileOf({ approaches: ['redirect'] }) });
    const created = bank.ask({ operation: 'consents.create', headers: HEADERS, body: CONSENT });
    const path = new URL(jsonOf(created)._links.scaRedirect.href).pathname;
    const visit = (target: string) => bank.ask({ operation: 'sca.redirect', target, listener: 'psu' });
    const send = (page: string, fields: Record<string, string>) => {
      const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1] ?? '';
      const sca_token = /name="sca_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
      const form = { sca_token, ...fields };
      return bank.ask({ method: 'POST', target: action, listener: 'psu', form }).body?.text ?? '';
    };
    const first = visit(path).body?.text ?? '';
    expect(first).not.toContain('a code</small>');
    const confirm = send(first, { step: 'login', login: 'user1', password: 'secret' });
    const end = send(confirm, { step: 'confirm', otp: '123456' });
    const next = /class="button" href="([^"]*)">Continue/.exec(end)?.[1] ?? '';
    expect(next).toBe(`${path}?scenario=SCA_OK`);
    expect(visit(next).header.location).toBe('https://tpp.example/cb');
    expect(visit(path)).toMatchObject({ status: 400 });
    const { consentId } = jsonOf(created);
    expect(jsonOf(bank.ask({ operation: 'consents.status', params: { consentId } })).consentStatus).toBe(
      'valid',
    );
    expect(bank.findings).toEqual([]);
  });

  it('say so where the creation gave no address to go back to', () => {
    const bank = aLivingBank({ bankProfile: profileOf({ approaches: ['redirect'] }) });
    const headers = { 'PSU-IP-Address': '192.0.2.7' };
    const created = bank.ask({ operation: 'consents.create', headers, body: CONSENT });
    const target = new URL(jsonOf(created)._links.scaRedirect.href).pathname;
    const page = bank.ask({ operation: 'sca.redirect', target, listener: 'psu' });
    expect([page.status, page.body?.text]).toEqual([
      400,
      expect.stringContaining('without a TPP-Redirect-URI'),
    ]);
  });
});
