import { consentRequest } from '../../spec/index.js';
import { bodyMember, judgeBody } from '../checks/request-body.js';
import { bodySchema } from '../checks/schema-violations.js';
import { defineRule } from '../rule.js';

/** A number that is no integer is for consents/frequency-positive. */
const NUMBER_ELSEWHERE = ['body frequencyPerDay'] as const;

const BODY = bodySchema(consentRequest);

export default defineRule({
  id: 'consents/body-well-formed',
  statement:
    'access, recurringIndicator, validUntil, frequencyPerDay, combinedServiceIndicator are present with their types',
  clauses: [
    'endpoint.consents.create',
    'consent-request.access',
    'consent-request.recurringIndicator',
    'consent-request.frequencyPerDay',
    'consent-request.combinedServiceIndicator',
    'consent-request.validUntil',
  ],
  sources: ['BG'],
  appliesTo: ({ creates }) => creates === 'consent',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'It is not clear what the PSU consents to.',
  fix: 'Send all five fields; booleans and the number without quotation marks, the date as a string.',
  examples: {
    complies:
      '{"access":{"allPsd2":"allAccounts"},"recurringIndicator":true,"validUntil":"2026-09-01","frequencyPerDay":4,"combinedServiceIndicator":false}',
    violates: '{"access":{"allPsd2":"allAccounts"},"recurringIndicator":"true","frequencyPerDay":"4"}',
  },
  check: (context) => {
    const isNumber = typeof bodyMember(context.call, 'frequencyPerDay') === 'number';
    return judgeBody(context, BODY, isNumber ? NUMBER_ELSEWHERE : []);
  },
});
