import { describe, expect, it } from 'vitest';
import { createLedger, type LedgerChange } from '../../../src/ledger/index.js';
import {
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CODES,
  SANDBOX_CONSENTS,
  SANDBOX_PAYMENTS,
} from '../../../src/spec/index.js';
import { fingerprint, NOW, OTHER_TPP, REQUEST_ID, TPP } from '../../builders.js';
import { API, anEmulator, errorOf, jsonOf, PSU, SUCCEEDING, V1 } from '../an-emulator.js';

const { ask } = anEmulator();
const EXCHANGE = SUCCEEDING['oauth.token'].form;
const REFRESH = { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID', refresh_token: 'old' };
const token = (form: Record<string, string>, change?: LedgerChange) =>
  ask({ operation: 'oauth.token', form }, { ledger: createLedger(change ? [change] : []) });
const DAY = 86_400_000;

describe('exchanging a code', () => {
  it.each(Object.entries(SANDBOX_CODES))('%s gives a token of %s', (code, scope) => {
    const answer = token({ ...EXCHANGE, code });
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{96}$/),
      token_type: 'Bearer',
      expires_in: scope.startsWith('PIS:') ? 300 : 3600,
      refresh_token: expect.stringMatching(/^[0-9a-f]{96}$/),
      scope,
    });
    expect(jsonOf(answer).refresh_token).not.toBe(jsonOf(answer).access_token);
    expect(answer.header).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });

  it('never echoes X-Request-ID', () => {
    const answer = ask({ operation: 'oauth.token', form: EXCHANGE, headers: { 'X-Request-ID': REQUEST_ID } });
    expect(answer.header['x-request-id']).toBeUndefined();
  });

  const made = (parts: object = {}): LedgerChange => ({
    family: 'codes',
    key: fingerprint('made'),
    fact: {
      code: fingerprint('made'),
      tpp: null,
      scope: 'PIS:PAYMENT_ID_RCVD_CBP',
      issuedAt: NOW - 60_000,
      usedAt: null,
      ...parts,
    },
  });

  it('takes a code that an authorisation gave, within ten minutes and once', () => {
    const form = { ...EXCHANGE, code: 'made' };
    expect(jsonOf(token(form, made()))).toMatchObject({ scope: 'PIS:PAYMENT_ID_RCVD_CBP', expires_in: 300 });
    expect(jsonOf(token(form, made({ tpp: TPP }))).scope).toBe('PIS:PAYMENT_ID_RCVD_CBP');
    for (const parts of [
      { usedAt: NOW - 1 },
      { issuedAt: NOW - 600_001 },
      { tpp: OTHER_TPP },
      { scope: null },
    ]) {
      const answer = token(form, made(parts));
      expect([answer.status, jsonOf(answer).error]).toEqual([400, 'invalid_grant']);
    }
  });
});

describe('refreshing', () => {
  const known = (parts: object = {}): LedgerChange => ({
    family: 'refreshTokens',
    key: fingerprint('old'),
    fact: {
      token: fingerprint('old'),
      tpp: TPP,
      scope: 'AIS:VALID_CONSENT_ID',
      issuedAt: NOW - 89 * DAY,
      replacedBy: null,
      ...parts,
    },
  });

  it('hands out a new pair for the same scope', () => {
    const answer = token(REFRESH, known());
    expect(jsonOf(answer)).toMatchObject({
      scope: 'AIS:VALID_CONSENT_ID',
      expires_in: 3600,
      token_type: 'Bearer',
    });
    expect(jsonOf(answer).refresh_token).not.toBe('old');
  });

  it('takes an older one of the chain until its end', () => {
    expect(token(REFRESH, known({ replacedBy: fingerprint('newer') })).status).toBe(200);
  });

  it.each([
    ['is unknown', undefined],
    ['is of another TPP', known({ tpp: OTHER_TPP })],
    ['is older than 90 days', known({ issuedAt: NOW - 90 * DAY - 1 })],
  ])('refuses one that %s', (_, change) => {
    const answer = token(REFRESH, change);
    expect([answer.status, jsonOf(answer).error]).toEqual([400, 'invalid_grant']);
  });
});

describe('a token request that is not right', () => {
  it.each([
    ['unsupported_grant_type', { ...EXCHANGE, grant_type: 'client_credentials' }],
    ['unsupported_grant_type', { ...EXCHANGE, grant_type: '__proto__' }],
    ['invalid_request', { code: 'AIS_VALID_CODE' }],
    ['invalid_request', { ...EXCHANGE, code: '' }],
    [
      'invalid_request',
      { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' },
    ],
    ['invalid_request', { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID' }],
    ['invalid_grant', { ...EXCHANGE, code: 'nobody' }],
    ['invalid_grant', { ...EXCHANGE, code: 'constructor' }],
  ])('is %s: %j', (error, form) => {
    const answer = token(form as Record<string, string>);
    expect([answer.status, jsonOf(answer).error]).toEqual([400, error]);
    expect(answer.header.pragma).toBe('no-cache');
  });

  it('is invalid_request without a form, and says that it lacks one', () => {
    for (const body of [{ grant_type: 'authorization_code' }, '{', undefined])
      expect(jsonOf(ask({ operation: 'oauth.token', body }))).toMatchObject({
        error: 'invalid_request',
        error_description: 'A form is expected.',
      });
  });
});

describe('discovery', () => {
  it.each(Object.keys(SANDBOX_AUTHORISATIONS))('tells where %s is authorised', (id) => {
    const answer = ask({ operation: 'oauth.discovery', query: `authorizationId=${id}` });
    expect(jsonOf(answer)).toEqual({
      issuer: `${API}/stdgroup`,
      authorization_endpoint: `${PSU}/stdgroup/authorization/authorize/${id}`,
      token_endpoint: `${V1}/token`,
      userinfo_endpoint: `${V1}/accounts`,
      scopes_supported: ['account', 'payment'],
      response_types_supported: ['code'],
      grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public'],
    });
  });

  it('needs the id of a known authorisation', () => {
    expect(errorOf(ask({ operation: 'oauth.discovery' }))).toBe('400 FORMAT_ERROR');
    for (const id of ['x', '99999999-9999-9999-9999-999999999999', '__proto__'])
      expect(errorOf(ask({ operation: 'oauth.discovery', query: `authorizationId=${id}` }))).toBe(
        '404 RESOURCE_UNKNOWN',
      );
  });
});

describe('a scope of the authorization request', () => {
  const codeFor = (scope: string) => {
    const query = new URLSearchParams({ scope, redirect_uri: 'https://tpp.example/cb', scenario: 'SCA_OK' });
    const { header } = ask({ operation: 'oauth.authorize', query: query.toString() });
    return new URL(header.location ?? '').searchParams;
  };

  it.each(Object.entries(SANDBOX_CODES))('gives the code %s where it is %s', (code, scope) => {
    expect(codeFor(scope).get('code')).toBe(code);
  });

  it('gives a code of its own for every other resource of the sandbox', () => {
    const scopes = [
      ...Object.keys(SANDBOX_CONSENTS).map((id) => `AIS:${id}`),
      ...[...SANDBOX_PAYMENTS.keys()].map((id) => `PIS:${id}`),
      'PIIS:VALID_CONSENT_ID',
    ].filter((scope) => !Object.values<string>(SANDBOX_CODES).includes(scope));
    const codes = scopes.map((scope) => codeFor(scope).get('code'));
    expect(codes.every((code) => /^[0-9a-f]{96}$/.test(code ?? ''))).toBe(true);
    expect(new Set(codes).size).toBe(scopes.length);
  });

  it.each([
    '',
    'AIS',
    'AIS:',
    'AIS:nobody',
    'AIS:PAYMENT_ID_RCVD_SCT',
    'PIS:VALID_CONSENT_ID',
    'account',
    'AIS:__proto__',
  ])('ends in invalid_scope where it is %j', (scope) => {
    expect(codeFor(scope).get('error')).toBe('invalid_scope');
  });
});
