import rule from '../../../src/rules/accounts/within-daily-limit.js';
import { NOW } from '../../builders.js';
import { aConsent, aLedger, anAccess } from '../a-ledger.js';
import { underWay } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const NEW_YEAR = Date.UTC(2026, 11, 31, 23, 30);

const read = (headers: Record<string, string> = {}) => ({
  operation: 'accounts.list' as const,
  headers: { 'Consent-Id': 'C1', ...headers },
});

/** So many reads that came just now and are not answered. */
const reads = (count: number, headers: Record<string, string> = {}) =>
  underWay(...Array.from({ length: count }, () => read(headers)));

testRule(rule, {
  complies: {
    'the first': { call: read() },
    'the fourth, while three are under way': { call: read(), ledger: reads(3) },
    'while four are under way that the PSU asked for': {
      call: read(),
      ledger: reads(4, { 'PSU-IP-Address': '192.0.2.17' }),
    },
    'while four of another consent are under way': { call: read(), ledger: reads(4, { 'Consent-Id': 'C2' }) },
    'the fifth at a bank that allows six': {
      bank: { limits: { accesses: { number: 6 } } },
      call: read(),
      ledger: aLedger({ accesses: anAccess(5) }),
    },
    'the fourth': { call: read(), ledger: aLedger({ accesses: anAccess(3) }) },
    'four of the day before in Brussels, on the same day in UTC': {
      call: { ...read(), at: Date.UTC(2026, 5, 15, 22, 30) },
      ledger: aLedger({ accesses: anAccess(4) }),
    },
    'four yesterday': { call: read(), ledger: aLedger({ accesses: anAccess(4, NOW - 86_400_000) }) },
    'four by another operation': {
      call: { ...read(), operation: 'accounts.read' },
      ledger: aLedger({ accesses: anAccess(4) }),
    },
    'one long page query later is a query of its own': {
      call: { operation: 'accounts.transactions', query: 'page=1', headers: { 'Consent-Id': 'C1' } },
      ledger: aLedger({
        accesses: {
          ...anAccess(1, NOW - 7_200_000),
          operation: 'accounts.transactions',
          accountId: 'ACCOUNT_ID',
        },
      }),
    },
  },
  violates: {
    'the third at a bank that allows two, in the last 24 hours': {
      bank: { limits: { accesses: { number: 2, count: 'rolling' } } },
      call: read(),
      ledger: aLedger({ accesses: anAccess(2) }),
      finds: [
        {
          expected: 'at most two reads a day without it, the next at 12:00 on 16 June (Europe/Brussels)',
          actual: 'the third read of GET /accounts under consent C1 within 24 hours',
        },
      ],
    },
    'the fifth of a consent, at a bank that counts all of them together': {
      bank: { limits: { accesses: { by: 'consent', zone: 'Europe/London' } } },
      call: { operation: 'accounts.balances', headers: { 'Consent-Id': 'C1' } },
      ledger: aLedger({ consents: aConsent({ frequencyPerDay: 4 }), accesses: anAccess(4) }),
      finds: [{ actual: 'the fifth read under consent C1 on 15 June' }],
    },
    'the fifth, while four are under way': {
      call: read(),
      ledger: reads(4),
      finds: [{ actual: 'the fifth read of GET /accounts under consent C1 on 15 June' }],
    },
    'the fifth': {
      call: read(),
      ledger: aLedger({ accesses: anAccess(4) }),
      finds: [
        {
          place: 'header PSU-IP-Address',
          expected: 'at most four reads a day without it, the next at 00:00 on 16 June (Europe/Brussels)',
          actual: 'the fifth read of GET /accounts under consent C1 on 15 June',
        },
      ],
    },
    'the second of a consent that asked for one': {
      call: read(),
      ledger: aLedger({ accesses: anAccess(1), consents: aConsent({ frequencyPerDay: 1 }) }),
      finds: [
        { expected: 'at most one read a day without it, the next at 00:00 on 16 June (Europe/Brussels)' },
      ],
    },
    'the fifth of a consent that asked for ten': {
      call: read(),
      ledger: aLedger({ accesses: anAccess(4), consents: aConsent({ frequencyPerDay: 10 }) }),
    },
    'the fifth within 24 hours, over midnight': {
      call: read(),
      ledger: aLedger({ accesses: anAccess(4, NOW - 86_300_000) }),
      options: { dailyWindow: { kind: 'rolling' } },
      finds: [
        {
          expected: 'at most four reads a day without it, the next at 12:02 on 15 June (Europe/Brussels)',
          actual: 'the fifth read of GET /accounts under consent C1 within 24 hours',
        },
      ],
    },
    'the twelfth, at 23:30 of the last of December in UTC': {
      call: { ...read(), at: NEW_YEAR },
      ledger: aLedger({ accesses: anAccess(11, NEW_YEAR - 1_000) }),
      finds: [{ actual: 'read 12 of GET /accounts under consent C1 on 1 January' }],
    },
    'the fifth of an account, which it names': {
      call: { ...read(), operation: 'accounts.balances', params: { accountId: 'ACCOUNT_ID' } },
      ledger: aLedger({
        accesses: { ...anAccess(4), operation: 'accounts.balances', accountId: 'ACCOUNT_ID' },
      }),
      finds: [
        {
          actual: 'the fifth read of GET /accounts/ACCOUNT_ID/balances under consent C1 on 15 June',
        },
      ],
    },
    'a page of what has none': {
      call: { ...read(), query: 'page=1' },
      ledger: aLedger({ accesses: anAccess(4) }),
    },
    'an address that is none does not lift it': {
      call: read({ 'PSU-IP-Address': 'localhost' }),
      ledger: aLedger({ accesses: anAccess(4) }),
    },
    'a page without a first page': {
      call: { ...read(), query: 'page=1' },
      ledger: aLedger({ accesses: anAccess(4, NOW - 7_200_000) }),
    },
  },
  notApplicable: {
    'a bank that counts none': {
      bank: { limits: { accesses: { count: 'none' } } },
      call: read(),
      ledger: aLedger({ accesses: anAccess(9) }),
    },
    'the PSU is there': {
      call: read({ 'PSU-IP-Address': '192.0.2.17' }),
      ledger: aLedger({ accesses: anAccess(4) }),
    },
    'a further page': {
      call: { operation: 'accounts.transactions', query: 'page=1', headers: { 'Consent-Id': 'C1' } },
      ledger: aLedger({
        accesses: {
          ...anAccess(4),
          ...{ operation: 'accounts.transactions', accountId: 'ACCOUNT_ID' },
          queries: [{ query: '[]', page: 0, next: null, at: NOW - 1_000 }],
        },
      }),
    },
    'no consent': { call: { operation: 'accounts.list' } },
    'nobody knows who calls': { call: { ...read(), certificate: 'absent' } },
  },
});
