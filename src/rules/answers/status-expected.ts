import type { Call } from '../../exchange/index.js';
import { type OperationId, operationRow } from '../../spec/index.js';
import { isKnown } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

const ERRORS = [400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 429, 431, 500, 503];
/** RFC 6749 5.2 knows 400 and 401; the rest is HTTP's own. */
const TOKEN_ERRORS = [400, 401, 405, 406, 408, 413, 415, 429, 431, 500, 503];
/** A redirect to the TPP, or an error page where there is no address to redirect to (RFC 6749 4.1.2.1). */
const AUTHORIZE_ERRORS = [302, 303, 400, 401, 403, 404, 405, 408, 429, 431, 500, 503];

function errorsOf(id: OperationId): readonly number[] {
  if (id === 'oauth.token') return TOKEN_ERRORS;
  return id === 'oauth.authorize' ? AUTHORIZE_ERRORS : ERRORS;
}

/** Statuses for a failed condition (RFC 9110 13.1), with the headers that set one. */
const CONDITIONS: Readonly<Record<number, readonly string[]>> = {
  304: ['if-none-match', 'if-modified-since'],
  412: ['if-match', 'if-unmodified-since', 'if-none-match'],
};

function answersCondition({ header, request: { method } }: Call, status: number): boolean {
  // Only a read is answered with what the client has already.
  if (status === 304 && method !== 'GET' && method !== 'HEAD') return false;
  return CONDITIONS[status]?.some((field) => header[field] !== undefined) === true;
}

export default defineRule({
  id: 'answers/status-expected',
  statement: 'The HTTP status is one that the operation may return',
  clauses: ['endpoint.oauth.authorize'],
  sources: ['BG', 'RFC9110 13.1'],
  judges: 'aspsp',
  appliesTo: isKnown,
  needs: ['bank-answer'],
  why: 'A client decides by the status, and has no code for one that the standard does not list.',
  fix: "Answer with the operation's success status, or with one of the error statuses of the standard.",
  examples: { complies: '201 to POST /consents', violates: '200 to POST /consents, 302 to GET /accounts' },
  check: ({ call, answer }) => {
    if (call.operation === null) return 'not-applicable';
    const { success } = operationRow(call.operation);
    if (success.includes(answer.status) || errorsOf(call.operation).includes(answer.status)) return true;
    if (answersCondition(call, answer.status)) return true;
    return violation(
      'answer status',
      `${success.join(' or ')}, or an error status of the standard`,
      String(answer.status),
    );
  },
});
