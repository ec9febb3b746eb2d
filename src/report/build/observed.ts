/** For each reading that answers can show: how to recognise what a bank does. */
import { type Call, type Exchange, formValue, parametersOf, queryValue } from '../../exchange/index.js';
import { counted, operationRow, type ReadingId, resourceCreatedBy, SANDBOX } from '../../spec/index.js';
import { answerMediaType, answerMembers, linkForm, membersOf, messageCode } from './collector.js';
import { authorisationKind } from './coverage.js';

/** Says in a few words what an exchange shows; null if it shows nothing. */
type Observe = (exchange: Exchange, status: number) => string | null;

const failed = (status: number): boolean => status >= 400;
const succeeded = (status: number): boolean => status >= 200 && status < 300;
const is = ({ call }: Exchange, ...operations: readonly string[]): boolean =>
  call.operation !== null && operations.includes(call.operation);
const groupOf = ({ operation }: Call): string | null =>
  operation === null ? null : operationRow(operation).group;

const statusAndCode: Observe = (exchange, status) => {
  const code = messageCode(exchange);
  return code === undefined ? `${status} without code` : `${status} ${code}`;
};

/** An error in answer to such a call, or with such a code. */
const errorOf =
  (about: (call: Call, code: string) => boolean): Observe =>
  (exchange, status) =>
    failed(status) && about(exchange.call, messageCode(exchange) ?? '')
      ? statusAndCode(exchange, status)
      : null;
const errorWith = (...codes: readonly string[]): Observe => errorOf((_, code) => codes.includes(code));
const errorAt = (...operations: readonly string[]): Observe =>
  errorOf(({ operation }) => operations.includes(operation ?? ''));

const membersOfAnswers = (...operations: readonly string[]): Observe =>
  successOf(operations, (exchange) => {
    const names = Object.keys(answerMembers(exchange)).slice(0, 20);
    return names.length === 0 ? 'no members' : names.sort().join(', ').slice(0, 300);
  });

const statusAndBody = (...operations: readonly string[]): Observe =>
  successOf(
    operations,
    ({ answer }, status) => `${status} ${(answer?.body?.size ?? 0) > 0 ? 'with' : 'without'} body`,
  );
const successOf =
  (operations: readonly string[], show: Observe): Observe =>
  (exchange, status) =>
    succeeded(status) && is(exchange, ...operations) ? show(exchange, status) : null;

const isCreation = ({ call }: Exchange) => resourceCreatedBy(call.operation) !== null;

const errorBody: Observe = (exchange, status) => {
  if (!failed(status) || groupOf(exchange.call) === 'oauth' || exchange.call.listener !== 'api') return null;
  const type = answerMediaType(exchange) || 'no media type';
  return `${type}${'tppMessages' in answerMembers(exchange) ? ' with tppMessages' : ''}`;
};

const tokenError: Observe = (exchange, status) => {
  if (!failed(status) || !is(exchange, 'oauth.token')) return null;
  const { error } = answerMembers(exchange);
  return typeof error === 'string' ? `${status} ${error.slice(0, 60)}` : `${status} without error`;
};

const creationLinks: Observe = (exchange, status) => {
  if (!succeeded(status) || !isCreation(exchange)) return null;
  const names = Object.keys(membersOf(answerMembers(exchange)._links)).slice(0, 20);
  return `${authorisationKind(exchange) ?? 'neither'}: ${names.sort().join(', ').slice(0, 300)}`;
};

const implicitByDefault: Observe = (exchange, status) => {
  if (!succeeded(status) || !isCreation(exchange)) return null;
  if (exchange.call.header['tpp-explicit-authorisation-preferred'] !== undefined) return null;
  return authorisationKind(exchange) ?? 'no link';
};

const tokenLifetime: Observe = successOf(['oauth.token'], (exchange) => {
  const { scope, expires_in: seconds } = answerMembers(exchange);
  const service = typeof scope === 'string' ? (scope.split(':', 1)[0] ?? '') : 'no scope';
  return `${service.slice(0, 20)}: ${String(seconds).slice(0, 20)} seconds`;
});

const tokenScope: Observe = successOf(['oauth.token'], (exchange) => {
  const { scope } = answerMembers(exchange);
  if (typeof scope !== 'string') return 'no scope';
  const form = /^(AIS|PIS|PIIS):[^\s:]+$/.exec(scope);
  return form === null ? 'another form' : `${form[1]}:<id>`;
});

const refreshRotation: Observe = (exchange, status) => {
  const used = formValue(exchange.call.content, 'refresh_token');
  if (!succeeded(status) || !is(exchange, 'oauth.token') || used === undefined) return null;
  const given = answerMembers(exchange).refresh_token;
  if (given === undefined) return 'no refresh token';
  return given === used ? 'the same refresh token' : 'a new refresh token';
};

const scaError: Observe = (exchange, status) => {
  if (status < 300 || status >= 400 || !is(exchange, 'oauth.authorize')) return null;
  const location = exchange.answer?.header.location ?? '';
  const parameters = parametersOf(location);
  const error = parameters.get('error');
  if (error !== null) return `error=${error.slice(0, 60)}`;
  return parameters.has('code') ? 'a code' : null;
};

const dailyLimit: Observe = (exchange, status) => {
  if (status !== 429) return null;
  const retry = exchange.answer?.header['retry-after'] === undefined ? 'without' : 'with';
  return `${statusAndCode(exchange, status)}, ${retry} Retry-After`;
};

const requestIdEcho: Observe = ({ call, answer }) => {
  if (call.operation === null || !operationRow(call.operation).requestId) return null;
  const sent = call.header['x-request-id'];
  if (sent === undefined || call.listener !== 'api') return null;
  return answer?.header['x-request-id'] === sent ? 'echoed' : 'not echoed';
};

const accountList: Observe = (exchange, status) => {
  const { accounts } = answerMembers(exchange);
  if (!succeeded(status) || !is(exchange, 'accounts.list') || !Array.isArray(accounts)) return null;
  return counted(accounts.length, 'account');
};

const clientCredentials: Observe = (exchange, status) =>
  is(exchange, 'oauth.token') && formValue(exchange.call.content, 'grant_type') === 'client_credentials'
    ? (tokenError(exchange, status) ?? String(status))
    : null;

const funds: Observe = successOf(['funds-confirmations.create'], (exchange, status) => {
  return `${status}, fundsAvailable ${String(answerMembers(exchange).fundsAvailable).slice(0, 20)}`;
});

export const OBSERVERS: Readonly<Partial<Record<ReadingId, Observe>>> = {
  'error-body': errorBody,
  'error-body-oauth': tokenError,
  'no-certificate-status': errorOf((call) => call.listener === 'api' && call.certificate === 'absent'),
  'role-missing-status': errorWith('ROLE_INVALID'),
  'path-unknown-status': errorOf((call) => call.nearest !== undefined),
  'method-unknown-status': errorOf((call) => call.allow !== undefined),
  'format-error-status': errorWith('FORMAT_ERROR'),
  'consent-unknown-path-status': errorOf(
    ({ params }, code) => params.consentId !== undefined && code === 'CONSENT_UNKNOWN',
  ),
  'consent-unknown-header-status': errorOf(
    ({ params }, code) => params.consentId === undefined && code === 'CONSENT_UNKNOWN',
  ),
  'consent-not-valid-status': errorOf(
    (call, code) =>
      groupOf(call) === 'accounts' &&
      call.header['consent-id'] !== SANDBOX.consent90dExpired &&
      (code === 'CONSENT_INVALID' || code === 'CONSENT_EXPIRED'),
  ),
  'account-no-permission-status': errorOf(
    ({ params, header }) =>
      params.accountId !== undefined &&
      params.accountId !== SANDBOX.accountId &&
      header['consent-id'] === SANDBOX.validConsent,
  ),
  'history-expired-status': errorOf(
    ({ operation, header }) =>
      operation === 'accounts.transactions' && header['consent-id'] === SANDBOX.consent90dExpired,
  ),
  'token-fault-status': errorWith('TOKEN_UNKNOWN', 'TOKEN_INVALID', 'TOKEN_EXPIRED'),
  'second-authorisation-status': errorOf(
    ({ operation }) => operation !== null && operationRow(operation).creates === 'authorisation',
  ),
  'daily-limit-status': dailyLimit,
  'product-unknown-status': errorWith('PRODUCT_UNKNOWN'),
  'payment-unknown-status': errorOf(
    ({ params }, code) =>
      params.paymentId !== undefined && params.authorisationId === undefined && code === 'RESOURCE_UNKNOWN',
  ),
  'authorisation-unknown-status': errorOf(
    ({ params }, code) => params.authorisationId !== undefined && code === 'RESOURCE_UNKNOWN',
  ),
  'cancellation-final-status': errorAt('payments.cancel'),
  'authorize-error-page': (exchange, status) =>
    failed(status) && is(exchange, 'oauth.authorize') ? String(status) : null,
  'consent-answer-body': membersOfAnswers('consents.create'),
  'payment-answer-body': membersOfAnswers('payments.create'),
  'creation-links': creationLinks,
  'implicit-by-default': implicitByDefault,
  'authorisation-answer-body': membersOfAnswers(
    'consents.authorisations.create',
    'payments.authorisations.create',
  ),
  'authorisation-list': membersOfAnswers('consents.authorisations.list', 'payments.authorisations.list'),
  'consent-read-body': membersOfAnswers('consents.read'),
  'account-list': accountList,
  'account-read-body': membersOfAnswers('accounts.read'),
  'payment-read-body': membersOfAnswers('payments.read'),
  'funds-answer-body': funds,
  'funds-account-unknown': errorWith('NO_PIIS_ACTIVATION'),
  'delete-answer': statusAndBody('consents.delete'),
  'cancel-answer': statusAndBody('payments.cancel'),
  'access-token-lifetime': tokenLifetime,
  'token-scope-forms': tokenScope,
  'refresh-rotation': refreshRotation,
  'client-credentials-grant': clientCredentials,
  'sca-error-redirect': scaError,
  'notification-answer': statusAndBody('notifications.simulate'),
  'body-limit': (exchange, status) => (status === 413 ? statusAndCode(exchange, status) : null),
  'sca-link-forms': (exchange, status) => (succeeded(status) ? (linkForm(exchange) ?? null) : null),
  'head-as-get': ({ call }, status) => (call.request.method === 'HEAD' ? String(status) : null),
  'request-id': requestIdEcho,
  'discovery-unknown-authorisation': errorAt('oauth.discovery'),
  'transactions-delta': (exchange, status) => {
    const from = queryValue(exchange.call, 'deltaList') ?? queryValue(exchange.call, 'entryReferenceFrom');
    if (!is(exchange, 'accounts.transactions') || from === undefined) return null;
    return failed(status) ? statusAndCode(exchange, status) : String(status);
  },
};
