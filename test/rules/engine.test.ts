import { describe, expect, it } from 'vitest';
import type { Place } from '../../src/exchange/index.js';
import { advance, applyChanges, createLedger } from '../../src/ledger/index.js';
import {
  type CallRule,
  createJudge,
  type Judge,
  type JudgeParts,
  RULES,
  type Rule,
  type Severity,
} from '../../src/rules/index.js';
import { OPERATION_IDS } from '../../src/spec/index.js';
import {
  aCall,
  aCertificate,
  anExchange,
  type CallParts,
  fingerprint,
  judgeOptions,
  NOW,
  OTHER_TPP,
  REQUEST_ID,
  TPP,
} from '../builders.js';
import { aConsent, aLedger, anAccess, aToken, BEARER } from './a-ledger.js';
import { aUse, ledgerOf, STATE } from './ledger-of.js';

const TODAY = '2026-06-15';

function judgeWith(parts: Partial<JudgeParts> = {}) {
  return createJudge({ rules: RULES, options: judgeOptions(), fingerprint, today: TODAY, ...parts });
}
const judge = judgeWith();
const judged = (call: CallParts, ledger = createLedger()) => judge.judgeCall(aCall(call), ledger);
const rulesOf = (findings: readonly { rule: string }[]) => findings.map(({ rule }) => rule);

describe('judging', () => {
  it('hands out the same verdicts to calls that are alike, and nothing else', () => {
    const first = judged({ headers: { 'X-Request-ID': REQUEST_ID } });
    const second = judged({ headers: { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7722' } });
    expect(first).toMatchObject({ findings: [], refusal: null });
    expect(second).toBe(first);
    expect(first.verdicts['certificate/presented']).toBe('complied');
  });

  it('leaves out rules that are not applicable, and keeps those that cannot be observed', () => {
    const { verdicts } = judged({ certificate: 'not-observed' });
    expect(verdicts['certificate/presented']).toBe('not-observed');
    expect(verdicts).not.toHaveProperty('requests/boolean-headers');
  });

  it('judges each scope at its time', () => {
    const exchange = anExchange({ call: {}, answer: { status: 200, body: {} } });
    const before = judge.judgeCall(exchange.call, createLedger()).verdicts;
    const after = judge.judgeExchange(exchange, createLedger()).verdicts;
    const scopeOf = (id: string) => RULES.find((rule) => rule.id === id)?.scope;
    expect(new Set(Object.keys(before).map(scopeOf))).toEqual(new Set(['connection', 'call']));
    expect(new Set(Object.keys(after).map(scopeOf))).toEqual(new Set(['exchange']));
  });

  it('says nothing of an answer that there is not, but of a callback that nobody answers', () => {
    const { verdicts } = judge.judgeExchange(anExchange({ answer: null }), createLedger());
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['not-observed']));
    const callback = anExchange({
      call: {
        listener: 'callback',
        method: 'POST',
        target: '/n',
        body: { 'payment-ID': 'P', transactionStatus: 'ACSC' },
      },
      answer: null,
    });
    expect(rulesOf(judge.judgeExchange(callback, createLedger()).findings)).toEqual([
      'notifications/acknowledged',
    ]);
    expect(judge.judgeCall(callback.call, createLedger()).verdicts).toEqual({});
  });

  it('gives a violation the severity of the profile', () => {
    const call = aCall({ operation: 'accounts.list', headers: { 'X-Request-ID': undefined } });
    const severityUnder = (profile: 'sandbox' | 'production') =>
      judgeWith({ options: judgeOptions(profile) })
        .judgeCall(call, createLedger())
        .findings.find(({ rule }) => rule === 'requests/request-id-present')?.severity;
    expect(severityUnder('sandbox')).toBe('should');
    expect(severityUnder('production')).toBe('must');
  });

  it('goes on when verdicts are of endless variety', () => {
    const coin: Rule[] = Array.from({ length: 20 }, (_, i) => ({
      ...(RULES[0] as CallRule),
      id: `requests/coin-${i}`,
      judges: 'tpp',
      scope: 'call',
      appliesTo: 'all',
      needs: [],
      check: ({ call }) => ((call.at >> i) & 1) === 1 || 'not-observed',
    }));
    const flipping = judgeWith({ rules: coin });
    for (let at = 0; at < 5_000; at++) {
      const { verdicts } = flipping.judgeCall(aCall({ at }), createLedger());
      expect(verdicts['requests/coin-0']).toBe(at % 2 === 1 ? 'complied' : 'not-observed');
    }
  });
});

describe('configuration', () => {
  it('puts a severity over that of the profile, and switches rules off', () => {
    const overrides: Record<string, Severity> = {
      'requests/request-id-present': 'must',
      'requests/psu-ip-address-present': 'off',
      'requests/redirect-uri-present': 'note',
    };
    const { findings, refusal, verdicts } = judgeWith({ overrides }).judgeCall(
      aCall({
        operation: 'consents.authorisations.create',
        params: { consentId: 'CONSENT_ID_NO_AUTHORIZATION' },
        headers: { 'X-Request-ID': undefined },
      }),
      createLedger(),
    );
    expect(findings).toMatchObject([{ rule: 'requests/request-id-present', severity: 'must' }]);
    expect(refusal).toMatchObject({ kind: 'messages', status: 400 });
    expect(verdicts).not.toHaveProperty('requests/psu-ip-address-present');
  });

  it('refuses by FORMAT_ERROR what became a must by configuration only', () => {
    const strict = judgeWith({ overrides: { 'requests/known-query': 'must' } });
    expect(strict.judgeCall(aCall({ query: 'a=1' }), createLedger()).refusal).toMatchObject({
      status: 400,
      messages: [{ code: 'FORMAT_ERROR', path: 'query a' }],
    });
  });

  it.each<[string, Partial<JudgeParts>, string]>([
    [
      'an override of no rule',
      { overrides: { 'requests/known-pat': 'off' } },
      'Did you mean requests/known-path?',
    ],
    [
      'a waiver of no rule',
      { waivers: [{ rule: 'x/y', reason: 'r', until: '2027-01-01' }] },
      'There is no rule x/y',
    ],
    [
      'a waiver without reason',
      { waivers: [{ rule: 'requests/known-path', reason: ' ', until: '2027-01-01' }] },
      'gives no reason',
    ],
    [
      'a waiver without end',
      { waivers: [{ rule: 'requests/known-path', reason: 'r', until: 'soon' }] },
      'which is not a date',
    ],
    [
      'a waiver past its end',
      { waivers: [{ rule: 'requests/known-path', reason: 'r', until: '2026-06-14' }] },
      'ended on 2026-06-14',
    ],
    [
      'a time zone that nobody knows',
      { options: { ...judgeOptions(), dailyWindow: { kind: 'calendar-day', timeZone: 'Europe/Atlantis' } } },
      'Europe/Atlantis',
    ],
  ])('is refused at start: %s', (_, parts, message) => {
    expect(() => judgeWith(parts)).toThrow(
      expect.objectContaining({ name: 'SandgateError', message: expect.stringContaining(message) }),
    );
  });
});

describe('a waiver', () => {
  const noId = { headers: { 'X-Request-ID': undefined } };
  const until = '2026-06-20';
  const waivedBy = (match: object | undefined, call: CallParts = noId) =>
    judgeWith({
      overrides: { 'requests/request-id-present': 'must' },
      waivers: [{ rule: 'requests/request-id-present', reason: 'known', until, ...(match ? { match } : {}) }],
    }).judgeCall(aCall(call), createLedger());

  it.each([
    ['everything', undefined],
    ['the operation', { operation: 'consents.read' }],
    ['a group of operations', { operation: 'consents.*' }],
    ['the TPP', { tpp: TPP }],
    ['the path', { path: '/stdgroup/v1/consents/*' }],
    ['all of them', { operation: 'consents.read', tpp: TPP, path: '/stdgroup/v1/consents/VALID_CONSENT_ID' }],
  ])('that covers %s leaves the finding, marked, and does not refuse', (_, match) => {
    const { findings, refusal, verdicts } = waivedBy(match);
    expect(findings).toMatchObject([{ rule: 'requests/request-id-present', waived: 'known' }]);
    expect(refusal).toBeNull();
    expect(verdicts['requests/request-id-present']).toBe('violated');
  });

  it.each([
    ['another operation', { operation: 'accounts.*' }],
    ['another TPP', { tpp: 'PSDXX-Y-1' }],
    ['another path', { path: '/stdgroup/v1/accounts*' }],
  ])('that covers %s changes nothing', (_, match) => {
    const { findings, refusal } = waivedBy(match);
    expect(findings[0]).not.toHaveProperty('waived');
    expect(refusal).not.toBeNull();
  });

  it('ends while the gateway runs', () => {
    const at = (time: string) => waivedBy(undefined, { ...noId, at: Date.parse(time) });
    expect(at('2026-06-20T23:59:59Z').refusal).toBeNull();
    expect(at('2026-06-21T00:00:00Z').refusal).not.toBeNull();
  });
});

describe('a refusal', () => {
  it('holds a message for every violated must, the certificate first', () => {
    const { refusal } = judged({
      operation: 'accounts.transactions',
      query: 'dateFrom=x',
      certificate: aCertificate({ roles: [] }),
      headers: { Authorization: 'Bearer nobody-issued-it', 'Consent-Id': 'C9' },
    });
    expect(refusal).toMatchObject({ kind: 'messages', status: 401 });
    if (refusal?.kind !== 'messages') throw new Error('messages expected');
    expect(refusal.messages.map(({ code }) => code)).toEqual([
      'ROLE_INVALID',
      'FORMAT_ERROR',
      'FORMAT_ERROR',
      'TOKEN_UNKNOWN',
      'CONSENT_UNKNOWN',
    ]);
    expect(refusal.messages[0]?.text).toBe(
      'certificate roles: expected PSP_AI, found none. Call with a certificate that has the role: PSP_AI for accounts, PSP_PI for payments, PSP_IC for funds confirmation.',
    );
    expect(refusal.messages.every(({ text }) => text.length <= 500)).toBe(true);
  });

  describe('to whoever is not known', () => {
    const unknown = { trusted: false, reason: 'Nobody knows the issuer.', path: [] };
    const pretender = aCertificate({ chain: unknown });
    const ledger = aLedger({
      accesses: { ...anAccess(4), consentId: 'VALID_CONSENT_ID' },
      tokens: aToken({ tpp: OTHER_TPP }),
    });

    it.each<[string, CallParts, readonly string[]]>([
      ['whose certificate is not trusted', { certificate: pretender }, ['CERTIFICATE_INVALID']],
      ['who has no certificate', { certificate: 'absent' }, ['CERTIFICATE_MISSING']],
      [
        'whose headers are wrong besides',
        { certificate: pretender, headers: { 'PSU-IP-Address': 'x' } },
        ['CERTIFICATE_INVALID', 'FORMAT_ERROR'],
      ],
    ])('tells of certificate and request only: %s', (_, parts, codes) => {
      const headers = { ...BEARER, 'Consent-Id': 'VALID_CONSENT_ID', ...parts.headers };
      const { refusal, findings } = judged({ operation: 'accounts.list', ...parts, headers }, ledger);
      if (refusal?.kind !== 'messages') throw new Error('messages expected');
      expect(refusal.messages.map(({ code }) => code)).toEqual(codes);
      expect(refusal.headers).toEqual([]);
      expect(rulesOf(findings)).toContain('accounts/token-belongs-to-consent');
    });

    it('tells so at the token endpoint too', () => {
      const form = { grant_type: 'refresh_token', client_id: 'someone', refresh_token: 'x' };
      const { refusal } = judged({ operation: 'oauth.token', certificate: pretender, form });
      expect(refusal).toEqual({
        kind: 'token',
        error: 'invalid_client',
        description: expect.stringMatching(/^certificate chain: (?!.*client_id)/),
      });
    });
  });

  it('names no other organisation', () => {
    const ledger = aLedger({ tokens: aToken({ tpp: OTHER_TPP, scope: 'AIS:C7' }) });
    const headers = { ...BEARER, 'Consent-Id': 'VALID_CONSENT_ID' };
    const { refusal, findings } = judged({ operation: 'accounts.list', headers }, ledger);
    expect(JSON.stringify(findings)).toContain(OTHER_TPP);
    expect(JSON.stringify(findings)).toContain('AIS:C7');
    expect(JSON.stringify(refusal)).toContain('found a token that was issued to another organisation. Use');
    expect(JSON.stringify(refusal)).not.toContain(OTHER_TPP);
    expect(JSON.stringify(refusal)).not.toContain('C7');
  });

  it.each<[string, CallParts, number, string]>([
    ['no certificate', { certificate: 'absent' }, 401, 'CERTIFICATE_MISSING'],
    ['an unknown path', { target: '/nowhere' }, 404, 'RESOURCE_UNKNOWN'],
    [
      'another media type',
      { operation: 'consents.create', body: '{}', headers: { 'Content-Type': 'text/plain' } },
      415,
      'FORMAT_ERROR',
    ],
    [
      'a wrong product before a wrong body',
      { operation: 'payments.create', params: { paymentProduct: 'cash' }, body: {} },
      404,
      'PRODUCT_UNKNOWN',
    ],
    [
      'a wrong form of an id',
      { operation: 'consents.authorisations.read', params: { authorisationId: '1' } },
      404,
      'RESOURCE_UNKNOWN',
    ],
    ['an unknown consent in the path', { params: { consentId: 'C9' } }, 403, 'CONSENT_UNKNOWN'],
  ])('has the status of its first message: %s', (_, call, status, code) => {
    const { refusal } = judged(call);
    expect(refusal).toMatchObject({
      kind: 'messages',
      status,
      messages: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  it('tells the methods of a path', () => {
    expect(judged({ method: 'PUT' }).refusal).toMatchObject({
      status: 405,
      messages: [{ code: 'SERVICE_INVALID' }],
      headers: [['Allow', 'GET, HEAD, DELETE']],
    });
  });

  it('asks for a token as RFC 6750 has it', () => {
    expect(
      judged({ operation: 'accounts.list', headers: { 'Consent-Id': 'VALID_CONSENT_ID' } }).refusal,
    ).toMatchObject({
      status: 401,
      messages: [{ code: 'TOKEN_INVALID' }],
      headers: [['WWW-Authenticate', 'Bearer error="invalid_token"']],
    });
  });

  it('tells when the daily limit frees up', () => {
    const ledger = aLedger({
      accesses: { ...anAccess(4), consentId: 'VALID_CONSENT_ID' },
      tokens: aToken({ scope: 'AIS:VALID_CONSENT_ID' }),
    });
    const { refusal } = judged(
      { operation: 'accounts.list', headers: { ...BEARER, 'Consent-Id': 'VALID_CONSENT_ID' } },
      ledger,
    );
    expect(refusal).toMatchObject({
      status: 429,
      messages: [{ code: 'ACCESS_EXCEEDED' }],
      // Until midnight in Brussels.
      headers: [['Retry-After', String((Date.parse('2026-06-15T22:00:00Z') - NOW) / 1_000)]],
    });
  });

  const codeGrant = {
    grant_type: 'authorization_code',
    code: 'AIS_VALID_CODE',
    client_id: 'VALID_CLIENT_ID',
  };

  it.each<[string, CallParts, string]>([
    ['no certificate', { certificate: 'absent', form: codeGrant }, 'invalid_client'],
    ['a body that is no form', { body: {} }, 'invalid_request'],
    [
      'another grant',
      { form: { grant_type: 'password', client_id: 'VALID_CLIENT_ID' } },
      'unsupported_grant_type',
    ],
    ['no verifier', { form: codeGrant }, 'invalid_request'],
  ])('at the token endpoint speaks OAuth: %s', (_, call, error) => {
    const { refusal } = judged({ operation: 'oauth.token', ...call });
    expect(refusal).toMatchObject({ kind: 'token', error });
    if (refusal?.kind !== 'token') throw new Error('a token error expected');
    // The characters of RFC 6749 5.2.
    expect(refusal.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,500}$/);
  });

  const authorize =
    'response_type=code&scope=AIS:VALID_CONSENT_ID&state=s&redirect_uri=https://tpp/cb&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256';

  it('at authorize is an error at the redirect, or a page where the browser must not be sent on', () => {
    const wrongType = authorize.replace('response_type=code', 'response_type=token');
    const redirected = judged({
      operation: 'oauth.authorize',
      query: `${wrongType}&client_id=VALID_CLIENT_ID`,
    });
    expect(redirected.refusal).toMatchObject({ kind: 'redirect', error: 'unsupported_response_type' });
    const stranger = judged({ operation: 'oauth.authorize', query: `${wrongType}&client_id=NOBODY` });
    expect(stranger.refusal).toMatchObject({ kind: 'page' });
    const id = judged({
      operation: 'oauth.authorize',
      params: { authorisationId: '1' },
      query: `${authorize}&client_id=VALID_CLIENT_ID`,
    });
    const title = 'This request cannot be authorised';
    expect(id.refusal).toMatchObject({ kind: 'page', status: 404, title });
    expect(stranger.refusal).toMatchObject({ status: 400 });
  });

  describe('at authorize in production', () => {
    const production = judgeWith({ options: judgeOptions('production') });
    const wrong = `${authorize.replace('response_type=code', 'response_type=token')}&client_id=${TPP}`;
    const refused = (query: string, ledger = createLedger()) =>
      production.judgeCall(aCall({ operation: 'oauth.authorize', query }), ledger).refusal;
    const redirectUri = 'https://tpp/cb';

    it('sends nobody to an address that no creation named', () => {
      expect(refused(wrong)).toMatchObject({
        kind: 'page',
        text: expect.stringMatching(/^query response_type: expected code/),
      });
      const created = aLedger({ consents: aConsent({ id: 'VALID_CONSENT_ID', redirectUri: null }) });
      expect(refused(wrong, created)).toMatchObject({ kind: 'page' });
    });

    it('takes no state a second time, which the sandbox does', () => {
      const ledger = ledgerOf(aUse('state', STATE, { purpose: 'other' }));
      const query = `${authorize.replace('state=s&', `state=${STATE}&`)}&client_id=${TPP}`;
      const severityOf = (judge: Judge) =>
        judge
          .judgeCall(aCall({ operation: 'oauth.authorize', query }), ledger)
          .findings.find(({ rule }) => rule === 'oauth/state-fresh')?.severity;
      expect([severityOf(production), severityOf(judgeWith())]).toEqual(['must', 'note']);
      const isRefused = (rules: readonly Rule[]) =>
        judgeWith({ rules, options: judgeOptions('production') }).judgeCall(
          aCall({ operation: 'oauth.authorize', query }),
          ledger,
        ).refusal !== null;
      const alone = RULES.filter(({ id }) => id === 'oauth/state-fresh');
      expect(isRefused(alone)).toBe(true);
    });

    it('goes back to the address of the creation', () => {
      const created = aLedger({ consents: aConsent({ id: 'VALID_CONSENT_ID', redirectUri }) });
      expect(refused(wrong, created)).toMatchObject({ kind: 'redirect', error: 'unsupported_response_type' });
    });
  });
});

describe('a finding', () => {
  const spy = (check: Rule['check']): Rule =>
    ({ ...(RULES[0] as Rule), scope: 'call', appliesTo: 'all', needs: [], check }) as Rule;
  const found = (actual: string, call: CallParts, place: Place = 'body', expected = 'another one') =>
    judgeWith({ rules: [spy(() => ({ place, expected, actual }))] }).judgeCall(aCall(call), createLedger())
      .findings[0];

  it.each<[string, string, CallParts]>([
    ['a token', 'top-secret-token', { headers: { Authorization: 'Bearer top-secret-token' } }],
    ['a code', 'top-secret-code', { operation: 'oauth.token', form: { code: 'top-secret-code' } }],
    [
      'a verifier',
      'top-secret-verifier',
      { operation: 'oauth.token', form: { code_verifier: 'top-secret-verifier' } },
    ],
    [
      'a refresh token',
      'top-secret-refresh',
      { operation: 'oauth.token', form: { refresh_token: 'top-secret-refresh' } },
    ],
    ['a cookie', 'session=top-secret', { headers: { Cookie: 'session=top-secret' } }],
  ])('holds no secret: %s', (_, secret, call) => {
    const finding = found(`this: ${secret}, which is wrong`, call);
    expect(JSON.stringify(finding)).not.toContain('top-secret');
    expect(finding?.actual).toBe(`this: ${fingerprint(secret)}, which is wrong`);
    const cut = found(secret.slice(0, 12), call);
    expect(cut?.actual).toBe(fingerprint(secret));
  });

  it.each<[string, CallParts]>([
    ['Bearer', { headers: { Authorization: 'Bearer' } }],
    ['Bearer', { headers: { Authorization: 'Bearer Bearer' } }],
    ['code', { operation: 'oauth.token', form: { code: 'code' } }],
    ['code_verifier', { operation: 'oauth.token', form: { code: 'code_verifier' } }],
  ])('keeps its words where a placeholder stands for the secret: %s', (word, call) => {
    const finding = found(`a ${word} of before`, call, `body ${word}`, `${word} and the access token`);
    expect(finding).toMatchObject({ place: `body ${word}`, expected: `${word} and the access token` });
    if (/^[a-z]+$/i.test(word)) expect(finding?.actual).toBe(`a ${word} of before`);
  });

  it('takes no scheme for a secret, but a placeholder that was found', () => {
    expect(found('Bearer', { headers: { Authorization: 'Bearer' } })?.actual).toBe('Bearer');
    expect(found('code', { operation: 'oauth.token', form: { code: 'code' } })?.actual).toBe(
      fingerprint('code'),
    );
  });

  it('holds no token in what was expected either', () => {
    const call = { headers: { Authorization: 'Bearer 7KvWq2nPzRtB84mXcLdY1A' } };
    expect(JSON.stringify(found('x', call, 'body', 'not 7KvWq2nPzRtB84mXcLdY1A'))).not.toContain('7KvWq2nP');
  });

  it('shows the literal codes of the sandbox', () => {
    expect(
      found('AIS_VALID_CODE', { operation: 'oauth.token', form: { code: 'AIS_VALID_CODE' } })?.actual,
    ).toBe('AIS_VALID_CODE');
  });

  it('of an answer holds no secret of the answer', () => {
    const rule = {
      ...(RULES[0] as Rule),
      scope: 'exchange',
      appliesTo: 'all',
      needs: [],
      check: () => ({ place: 'answer', expected: 'x', actual: 'issued-token; handed-code' }),
    } as Rule;
    const exchange = anExchange({
      call: { operation: 'oauth.token', form: {} },
      answer: {
        body: { access_token: 'issued-token' },
        headers: { Location: 'https://tpp/cb?code=handed-code&state=s' },
      },
    });
    const [finding] = judgeWith({ rules: [rule] }).judgeExchange(exchange, createLedger()).findings;
    expect(finding?.actual).toBe(`${fingerprint('issued-token')}; ${fingerprint('handed-code')}`);
  });

  it('says of an empty text that it is empty', () => {
    const call = aCall({ operation: 'accounts.transactions', query: 'bookingStatus=', headers: BEARER });
    const { findings } = createJudge({ rules: RULES, options: judgeOptions(), fingerprint }).judgeCall(
      call,
      createLedger(),
    );
    const finding = findings.find(({ rule }) => rule === 'accounts/booking-status');
    expect(finding).toMatchObject({ place: 'query bookingStatus', actual: 'an empty string' });
  });

  it('says once what is expected', () => {
    const exchange = anExchange({
      call: { operation: 'oauth.token', form: {} },
      answer: {
        body: { access_token: 'a', token_type: 'MAC', expires_in: 1, refresh_token: 'r', scope: 's' },
      },
    });
    const { findings } = createJudge({ rules: RULES, options: judgeOptions(), fingerprint }).judgeExchange(
      exchange,
      createLedger(),
    );
    const finding = findings.find(({ place }) => place === 'answer body token_type');
    expect(finding).toMatchObject({ expected: 'Bearer', actual: '"MAC"' });
  });

  it('is cut to what one can read', () => {
    expect(found('x'.repeat(5_000), {})?.actual).toHaveLength(200);
  });
});

describe('the whole catalogue', () => {
  it('finds nothing in a plain journey that it should not', () => {
    const ledger = createLedger();
    const step = (call: CallParts, answer: object) => {
      const exchange = anExchange({ call, answer });
      const { findings } = judge.judgeCall(exchange.call, ledger);
      applyChanges(ledger, advance(ledger, exchange, fingerprint));
      return findings.filter(({ severity }) => severity !== 'note');
    };
    const ids = { 'PSU-IP-Address': '192.0.2.17', 'TPP-Redirect-URI': 'https://tpp.example/cb' };
    const uuid = (n: number) => `99391c7e-ad88-49ec-a2ad-99ddcb1f77${n}`;
    expect(
      step(
        {
          operation: 'consents.create',
          headers: { ...ids, 'X-Request-ID': uuid(10) },
          body: {
            access: { allPsd2: 'allAccounts' },
            recurringIndicator: true,
            validUntil: '2026-09-01',
            frequencyPerDay: 4,
            combinedServiceIndicator: false,
          },
        },
        { status: 201, body: { consentStatus: 'received', consentId: 'VALID_CONSENT_ID', _links: {} } },
      ),
    ).toEqual([]);
    expect(
      step(
        {
          operation: 'oauth.token',
          form: {
            grant_type: 'authorization_code',
            code: 'AIS_VALID_CODE',
            client_id: 'VALID_CLIENT_ID',
            code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          },
        },
        {
          body: {
            access_token: 'token-1',
            expires_in: 3600,
            refresh_token: 'r',
            scope: 'AIS:VALID_CONSENT_ID',
          },
        },
      ),
    ).toEqual([]);
    for (const [i, operation] of (['accounts.list', 'accounts.read', 'accounts.balances'] as const).entries())
      expect(
        step(
          {
            operation,
            headers: { ...BEARER, 'Consent-Id': 'VALID_CONSENT_ID', 'X-Request-ID': uuid(20 + i) },
          },
          { body: { accounts: [{ resourceId: 'ACCOUNT_ID' }] } },
        ),
      ).toEqual([]);
  });

  it('has a rule for each operation', () => {
    for (const operation of OPERATION_IDS)
      expect(Object.keys(judged({ operation }).verdicts).length).toBeGreaterThan(0);
  });
});
