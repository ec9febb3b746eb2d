import { expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/answers/body-well-formed.js';
import { judgeByRule } from '../../../src/rules/index.js';
import { fingerprint, judgeOptions } from '../../builders.js';
import { testRule } from '../rule-tester.js';
import { truncated } from './truncated.js';

const status = { operation: 'consents.status' } as const;
const creation = { operation: 'consents.create' } as const;

testRule(rule, {
  complies: {
    'the required field is there': { call: status, answer: { body: { consentStatus: 'valid' } } },
    'members beyond the standard do no harm': {
      call: status,
      answer: { body: { consentStatus: 'valid', psuMessage: 'Hello', x: [1] } },
    },
    'a creation with its links': {
      call: creation,
      answer: {
        status: 201,
        body: { consentStatus: 'received', consentId: 'C1', _links: { self: { href: '/x' } } },
      },
    },
    'an amount as a number is left to another rule': {
      call: { operation: 'accounts.balances' },
      answer: {
        body: { balances: [{ balanceType: 'expected', balanceAmount: { currency: 'EUR', amount: 42 } }] },
      },
    },
    'the older name of cancellation authorisations': {
      call: { operation: 'payments.cancellation-authorisations.list' },
      answer: { body: { cancellationIds: [] } },
    },
  },
  violates: {
    'the required field is missing': {
      call: status,
      answer: { body: { status: 'valid' } },
      finds: [{ place: 'answer body consentStatus', expected: 'a string', actual: 'absent' }],
    },
    'a field of another type': {
      call: { operation: 'funds-confirmations.create' },
      answer: { body: { fundsAvailable: 'true' } },
      finds: [{ place: 'answer body fundsAvailable', expected: 'true or false', actual: '"true"' }],
    },
    'several fields, each named': {
      call: creation,
      answer: { status: 201, body: { consentId: '', _links: { self: '/x' } } },
      finds: [
        { place: 'answer body consentStatus' },
        { place: 'answer body consentId', expected: 'a string that is not empty', actual: 'an empty string' },
        { place: 'answer body _links.self', expected: 'an object', actual: '"/x"' },
      ],
    },
    'a fault deep in a list': {
      call: { operation: 'accounts.balances' },
      answer: {
        body: { balances: [{ balanceType: 'expected', balanceAmount: { amount: '1.00' } }] },
      },
      finds: [{ place: 'answer body balances[0].balanceAmount.currency', actual: 'absent' }],
    },
    'JSON that does not parse': {
      call: status,
      answer: { body: '{"consentStatus":' },
      finds: [{ place: 'answer body', expected: 'JSON that parses' }],
    },
    'an HTML page': {
      call: status,
      answer: { body: '<html>', headers: { 'Content-Type': 'text/html' } },
      finds: [{ place: 'answer header Content-Type', actual: 'text/html' }],
    },
    'no body at all': { call: status, answer: { status: 200 }, finds: [{ actual: 'absent' }] },
  },
  notApplicable: {
    'an error': { call: status, answer: { status: 401, body: {} } },
    'the answer to a HEAD': { call: { ...status, method: 'HEAD' } },
    'a 204': { call: { operation: 'payments.cancel' }, answer: { status: 204 } },
    'transactions as camt': {
      call: { operation: 'accounts.transactions' },
      answer: { body: '<Document/>', headers: { 'Content-Type': 'application/xml' } },
    },
    'tokens have a rule of their own': { call: { operation: 'oauth.token' }, answer: { body: {} } },
    "the gateway's own answer": { call: status, answer: { body: {}, source: 'rule' } },
  },
});

it('is not observed where the recording cut the body', () => {
  expect(judgeByRule(rule, truncated(status), createLedger(), judgeOptions(), fingerprint).verdict).toBe(
    'not-observed',
  );
});
