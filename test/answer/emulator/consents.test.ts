import { describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../../src/ledger/index.js';
import {
  bankDateAt,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CONSENTS,
  type SandboxConsentId,
} from '../../../src/spec/index.js';
import { NOW, OTHER_TPP, REQUEST_ID } from '../../builders.js';
import { AUTHORISATION, aConsent, anAuthorisation } from '../../rules/ledger-of.js';
import { API, anEmulator, errorOf, jsonOf, PSU, V1 } from '../an-emulator.js';

const { ask } = anEmulator();
const FLOW = 'f0000000-0000-4000-8000-000000000001';
/** One that has handed out no authorisation yet. */
const fresh = () => anEmulator().ask;
const IDS = Object.keys(SANDBOX_CONSENTS) as SandboxConsentId[];
const RECEIVED = '22222222-2222-2222-2222-222222222222';
const on = (operation: Parameters<typeof ask>[0]['operation'] & string, consentId: string) =>
  ask({ operation, params: { consentId } } as Parameters<typeof ask>[0]);

describe('creating a consent', () => {
  it.each([undefined, 'false'])('authorises implicitly where the header is %s', (preferred) => {
    const answer = fresh()({
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
        scaOAuth: { href: `${API}/stdgroup/.well-known/openid-configuration?authorizationId=${FLOW}` },
        scaStatus: { href: `${self}/authorisations/${FLOW}` },
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
    expect(jsonOf(answer)._links.scaOAuth.href).toBe(`${PSU}/bank/authorization/authorize/${FLOW}`);
    expect(jsonOf(answer)._links.self.href).toBe(`${API}/bank/v1/consents/VALID_CONSENT_ID`);
  });
});

describe('creating the authorisation of a consent', () => {
  it('gives the authorize link where none exists', () => {
    const answer = fresh()({
      operation: 'consents.authorisations.create',
      params: { consentId: 'CONSENT_ID_NO_AUTHORIZATION' },
    });
    expect(answer.status).toBe(201);
    expect(answer.header['aspsp-sca-approach']).toBe('REDIRECT');
    expect(jsonOf(answer)).toEqual({
      scaStatus: 'received',
      authorisationId: FLOW,
      _links: {
        scaOAuth: { href: `${API}/stdgroup/.well-known/openid-configuration?authorizationId=${FLOW}` },
        scaStatus: { href: `${V1}/consents/CONSENT_ID_NO_AUTHORIZATION/authorisations/${FLOW}` },
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

  it.each(IDS)('of %s shows no end that has passed where it is valid, however late', (id) => {
    for (const later of [0, 91, 4_000]) {
      const now = NOW + later * 86_400_000;
      const { consentStatus, validUntil } = jsonOf(
        ask({ operation: 'consents.read', params: { consentId: id }, at: now }, { now }),
      );
      const today = bankDateAt(now);
      expect(validUntil < today).toBe(consentStatus === 'expired');
    }
  });

  /** A creation under one of the fixed ids that asked for something else than the sandbox has. */
  const created = (id: SandboxConsentId, status: 'received' | 'valid') =>
    createLedger([aConsent({ id, status, validUntil: '2026-06-16', recurring: false, frequencyPerDay: 1 })]);

  it('shows one and the same consent, that of the sandbox, whatever was asked for under its id', () => {
    const ledger = created('VALID_CONSENT_ID', 'valid');
    const answer = ask({ operation: 'consents.read' }, { ledger });
    expect(jsonOf(answer)).toEqual(jsonOf(on('consents.read', 'VALID_CONSENT_ID')));
  });

  it.each([
    ['waits', 'received'],
    ['waits no more', 'valid'],
  ] as const)('of an explicit creation %s where its authorisation is %s', (_, status) => {
    const ledger = created('CONSENT_ID_NO_AUTHORIZATION', status);
    const params = { consentId: 'CONSENT_ID_NO_AUTHORIZATION' };
    const read = jsonOf(ask({ operation: 'consents.read', params }, { ledger }));
    expect(jsonOf(ask({ operation: 'consents.status', params }, { ledger }))).toEqual({
      consentStatus: status,
    });
    expect([read.consentStatus, read._links !== undefined]).toEqual([status, status === 'valid']);
  });
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

  const flow = (parts: Parameters<typeof anAuthorisation>[0] = {}) =>
    createLedger([
      anAuthorisation({ scope: 'AIS:CONSENT_ID_NO_AUTHORIZATION', ...parts }),
      aConsent({ id: 'VALID_CONSENT_ID', authorisations: [AUTHORISATION] }),
    ]);
  const readFlow = (consentId: string, ledger: Ledger) =>
    ask(
      { operation: 'consents.authorisations.read', params: { consentId, authorisationId: AUTHORISATION } },
      { ledger },
    );

  it.each(['received', 'finalised', 'failed'] as const)('tells its TPP that one is %s', (status) => {
    const answer = readFlow('CONSENT_ID_NO_AUTHORIZATION', flow({ status }));
    expect(jsonOf(answer)).toEqual({ scaStatus: status });
  });

  it('shows one neither to another TPP nor under another consent', () => {
    expect(errorOf(readFlow('CONSENT_ID_NO_AUTHORIZATION', flow({ tpp: OTHER_TPP })))).toBe(
      '403 CONSENT_UNKNOWN',
    );
    expect(errorOf(readFlow('VALID_CONSENT_ID', flow()))).toBe('404 RESOURCE_UNKNOWN');
  });

  it('lists the one that this TPP was handed out beside the fixed ones', () => {
    const answer = ask({ operation: 'consents.authorisations.list' }, { ledger: flow() });
    expect(jsonOf(answer).authorisationIds).toEqual([
      '11111111-1111-1111-1111-111111111111',
      RECEIVED,
      AUTHORISATION,
    ]);
  });

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
