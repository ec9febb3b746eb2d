import { describe, expect, it } from 'vitest';
import { createLedger, keyOf } from '../../../src/ledger/index.js';
import { SANDBOX_AUTHORISATIONS, SANDBOX_CONSENTS, type SandboxConsentId } from '../../../src/spec/index.js';
import { NOW, REQUEST_ID, TPP } from '../../builders.js';
import { API, anEmulator, errorOf, jsonOf, PSU, V1 } from '../an-emulator.js';

const { ask } = anEmulator();
const IDS = Object.keys(SANDBOX_CONSENTS) as SandboxConsentId[];
const RECEIVED = '22222222-2222-2222-2222-222222222222';
const on = (operation: Parameters<typeof ask>[0]['operation'] & string, consentId: string) =>
  ask({ operation, params: { consentId } } as Parameters<typeof ask>[0]);

describe('creating a consent', () => {
  it.each([undefined, 'false'])('authorises implicitly where the header is %s', (preferred) => {
    const answer = ask({
      operation: 'consents.create',
      body: {},
      headers: { 'TPP-Explicit-Authorisation-Preferred': preferred },
    });
    const self = `${V1}/consents/VALID_CONSENT_ID`;
    expect(answer.status).toBe(201);
    expect(jsonOf(answer)).toEqual({
      consentStatus: 'received',
      consentId: 'VALID_CONSENT_ID',
      _links: {
        scaOAuth: { href: `${API}/stdgroup/.well-known/openid-configuration?authorizationId=${RECEIVED}` },
        scaStatus: { href: `${self}/authorisations/${RECEIVED}` },
        self: { href: self },
        status: { href: `${self}/status` },
      },
    });
    expect(answer.header).toMatchObject({
      location: self,
      'aspsp-sca-approach': 'REDIRECT',
      'x-request-id': REQUEST_ID,
      'cache-control': 'no-store',
    });
  });

  it('links the start of the authorisation where the header is true', () => {
    const answer = ask({
      operation: 'consents.create',
      body: {},
      headers: { 'tpp-explicit-authorisation-preferred': 'true' },
    });
    const self = `${V1}/consents/CONSENT_ID_NO_AUTHORIZATION`;
    expect(jsonOf(answer)).toEqual({
      consentStatus: 'received',
      consentId: 'CONSENT_ID_NO_AUTHORIZATION',
      _links: {
        startAuthorisation: { href: `${self}/authorisations` },
        self: { href: self },
        status: { href: `${self}/status` },
      },
    });
    expect(answer.header.location).toBe(self);
  });

  it('links the authorize address itself where that is configured', () => {
    const direct = anEmulator({ scaLink: 'direct', segment: 'bank' });
    const answer = direct.ask({ operation: 'consents.create', body: {} });
    expect(jsonOf(answer)._links.scaOAuth.href).toBe(`${PSU}/bank/authorization/authorize/${RECEIVED}`);
    expect(jsonOf(answer)._links.self.href).toBe(`${API}/bank/v1/consents/VALID_CONSENT_ID`);
  });
});

describe('creating the authorisation of a consent', () => {
  it('gives the authorize link where none exists', () => {
    const answer = on('consents.authorisations.create', 'CONSENT_ID_NO_AUTHORIZATION');
    expect(answer.status).toBe(201);
    expect(answer.header['aspsp-sca-approach']).toBe('REDIRECT');
    expect(jsonOf(answer)).toEqual({
      scaStatus: 'received',
      authorisationId: RECEIVED,
      _links: {
        scaOAuth: { href: `${API}/stdgroup/.well-known/openid-configuration?authorizationId=${RECEIVED}` },
        scaStatus: { href: `${V1}/consents/CONSENT_ID_NO_AUTHORIZATION/authorisations/${RECEIVED}` },
      },
    });
  });

  it.each(IDS.filter((id) => id !== 'CONSENT_ID_NO_AUTHORIZATION'))(
    'is forbidden for %s, which has one',
    (id) => {
      expect(errorOf(on('consents.authorisations.create', id))).toBe('409 STATUS_INVALID');
    },
  );
});

describe('reading a consent', () => {
  it.each(IDS)('gives %s its status and scope', (id) => {
    const { status, scope } = SANDBOX_CONSENTS[id];
    expect(jsonOf(on('consents.status', id))).toEqual({ consentStatus: status });
    const consent = jsonOf(on('consents.read', id));
    expect(consent).toMatchObject({
      consentStatus: status,
      recurringIndicator: true,
      frequencyPerDay: 4,
      lastActionDate: '2026-06-15',
      validUntil: status === 'expired' ? '2026-06-14' : '2026-09-13',
    });
    if (scope === 'preselected')
      expect(Object.keys(consent.access)).toEqual(['accounts', 'balances', 'transactions']);
    else expect(consent.access).toEqual({ [scope]: 'allAccounts' });
  });

  const created = (validUntil: string, frequencyPerDay: number) =>
    createLedger([
      {
        family: 'consents',
        key: keyOf.resource(TPP, 'VALID_CONSENT_ID'),
        fact: {
          id: 'VALID_CONSENT_ID',
          tpp: TPP,
          createdAt: NOW - 2 * 86_400_000,
          implicit: true,
          redirectUri: null,
          nokRedirectUri: null,
          link: 'discovery',
          authorisations: [],
          statusAt: NOW - 86_400_000,
          status: 'valid',
          validUntil,
          recurring: false,
          frequencyPerDay,
          accounts: null,
        },
      },
    ]);

  it.each([
    ['2026-07-01', 1, '2026-07-01', 1],
    ['9999-12-31', 24, '2026-09-11', 4],
  ])(
    'tells what this TPP asked for, shortened to what is possible: %s, %i',
    (until, frequency, validUntil, times) => {
      const answer = ask({ operation: 'consents.read' }, { ledger: created(until, frequency) });
      expect(jsonOf(answer)).toMatchObject({
        validUntil,
        frequencyPerDay: times,
        recurringIndicator: false,
        lastActionDate: '2026-06-14',
      });
    },
  );
});

describe('deleting a consent', () => {
  it.each(IDS)('answers for %s as the document lists it', (id) => {
    const answer = on('consents.delete', id);
    if (!SANDBOX_CONSENTS[id].deletable) return expect(errorOf(answer)).toBe('403 CONSENT_UNKNOWN');
    expect(answer).toMatchObject({ status: 204, body: null });
    expect(answer.header['content-type']).toBeUndefined();
    expect(answer.header['x-request-id']).toBe(REQUEST_ID);
  });
});

describe('authorisations of a consent', () => {
  it('lists those of VALID_CONSENT_ID', () => {
    expect(jsonOf(on('consents.authorisations.list', 'VALID_CONSENT_ID'))).toEqual({
      authorisationIds: ['11111111-1111-1111-1111-111111111111', RECEIVED],
    });
  });

  it.each(Object.entries(SANDBOX_AUTHORISATIONS))('gives %s the status %s', (authorisationId, scaStatus) => {
    const answer = ask({ operation: 'consents.authorisations.read', params: { authorisationId } });
    expect(jsonOf(answer)).toEqual({ scaStatus });
  });

  it.each([...IDS.filter((id) => id !== 'VALID_CONSENT_ID'), 'nobody', '__proto__'])(
    'finds none of %s',
    (id) => {
      expect(errorOf(on('consents.authorisations.list', id))).toBe('403 CONSENT_UNKNOWN');
      expect(errorOf(on('consents.authorisations.read', id))).toBe('403 CONSENT_UNKNOWN');
    },
  );

  it('does not know another authorisation', () => {
    const params = { authorisationId: '99999999-9999-9999-9999-999999999999' };
    expect(errorOf(ask({ operation: 'consents.authorisations.read', params }))).toBe('404 RESOURCE_UNKNOWN');
  });
});

it.each(['consents.read', 'consents.status', 'consents.delete', 'consents.authorisations.create'] as const)(
  '%s does not know a consent that is none of the sandbox',
  (operation) => {
    for (const consentId of ['CONSENT_ID_NOBODY', 'constructor', '__proto__'])
      expect(errorOf(on(operation, consentId))).toBe('403 CONSENT_UNKNOWN');
  },
);
