/** The emulator with the data that is delivered, at fixed addresses, for the tests of this layer. */
import { fileURLToPath } from 'node:url';
import {
  type AnswerContext,
  createEmulator,
  type Emulator,
  type Notification,
  type NotificationRefusal,
  readSandboxData,
} from '../../src/answer/index.js';
import { createWorld } from '../../src/bank/index.js';
import type { Answer } from '../../src/exchange/index.js';
import { type BankProfile, type BuiltInOperationId, dialectOf } from '../../src/spec/index.js';
import { aCall, type CallParts, fingerprint, NOW } from '../builders.js';

export const API = 'https://localhost:8443';
export const PSU = 'https://localhost:8444';
export const V1 = `${API}/stdgroup/v1`;
export const DATA = readSandboxData(fileURLToPath(new URL('../../data/sandbox', import.meta.url)));

export interface EmulatorUnderTest extends Emulator {
  readonly callbacks: Notification[];
  /** Answers a call made of parts. */
  readonly ask: (parts: CallParts, context?: Partial<AnswerContext>) => Answer;
}

export function anEmulator(
  parts: {
    scaLink?: 'discovery' | 'direct';
    segment?: string;
    refusal?: NotificationRefusal;
    bankProfile?: BankProfile;
  } = {},
): EmulatorUnderTest {
  const callbacks: Notification[] = [];
  let [tokens, flows] = [0, 0];
  const emulator = createEmulator({
    data: DATA,
    urls: () => ({ api: API, psu: PSU }),
    scaLink: () => parts.scaLink ?? 'discovery',
    dialect: dialectOf(parts.bankProfile, parts.segment),
    ids: {
      token: () => (++tokens).toString(16).padStart(96, '0'),
      authorisation: () => `f0000000-0000-4000-8000-${String(++flows).padStart(12, '0')}`,
    },
    fingerprint,
    onNotification: (callback) => {
      if (parts.refusal !== undefined) return parts.refusal;
      callbacks.push(callback);
      return null;
    },
  });
  return {
    ...emulator,
    callbacks,
    ask: (call, context) => emulator.answer(aCall(call), aContext(context)).answer,
  };
}

export function aContext(parts: Partial<AnswerContext> = {}): AnswerContext {
  return { ...createWorld(), refusal: null, now: NOW, signal: new AbortController().signal, ...parts };
}

/** The value of a JSON body, loosely typed for looking into. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose form they assert.
export function jsonOf(answer: Answer): any {
  if (answer.content.kind !== 'json') throw new Error(`no JSON but ${answer.content.kind}`);
  return answer.content.value;
}

/** Status and first message code of an error: `403 CONSENT_UNKNOWN`. */
export function errorOf(answer: Answer): string {
  return `${answer.status} ${jsonOf(answer).tppMessages?.[0]?.code}`;
}

/** A call of the operation that succeeds without anything learned before. */
export const SUCCEEDING = {
  'consents.create': { body: {} },
  'consents.read': {},
  'consents.status': {},
  'consents.delete': {},
  'consents.authorisations.create': { params: { consentId: 'CONSENT_ID_NO_AUTHORIZATION' } },
  'consents.authorisations.list': {},
  'consents.authorisations.read': {},
  'oauth.authorize': { query: 'scope=AIS:VALID_CONSENT_ID&redirect_uri=https://tpp.example/cb&state=s' },
  'oauth.token': {
    form: {
      grant_type: 'authorization_code',
      client_id: 'VALID_CLIENT_ID',
      code: 'AIS_VALID_CODE',
      code_verifier: 'v',
    },
  },
  'oauth.discovery': { query: 'authorizationId=22222222-2222-2222-2222-222222222222' },
  'accounts.list': { headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
  'accounts.read': { headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
  'accounts.balances': { headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
  'accounts.transactions': {
    headers: { 'Consent-Id': 'VALID_CONSENT_ID' },
    query: 'bookingStatus=both&withBalance=true',
  },
  'payments.create': { body: {} },
  'payments.read': {},
  'payments.status': {},
  'payments.cancel': {},
  'payments.authorisations.create': { params: { paymentId: 'PAYMENT_ID_PATC_SCT' } },
  'payments.authorisations.list': {},
  'payments.authorisations.read': {},
  'payments.cancellation-authorisations.list': {},
  'payments.cancellation-authorisations.read': {},
  'funds-confirmations.create': {
    body: { account: { iban: DATA.funds.iban }, instructedAmount: { currency: 'EUR', amount: '1.00' } },
  },
  'notifications.simulate': {
    body: {
      paymentId: 'PAYMENT_ID_RCVD_SCT',
      tppNotificationUri: 'http://localhost:9000/cb',
      status: 'ACSC',
    },
  },
} as const satisfies Record<BuiltInOperationId, CallParts>;
