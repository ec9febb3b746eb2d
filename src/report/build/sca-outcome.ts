/** How an SCA ended, as far as an exchange shows it. */
import { type Exchange, formValue, isReplaced, parametersOf, queryValue } from '../../exchange/index.js';
import { isScaScenario, PAYMENT_STATUSES, type ScaScenario, scaScenarioRow } from '../../spec/index.js';
import type { Exercised } from '../model.js';
import { answerMembers, membersOf, messageCode, type Seen } from './collector.js';

export type Outcome = keyof Exercised['outcomes'];

const BY_SCENARIO: Readonly<Record<ScaScenario, Outcome>> = {
  SCA_OK: 'success',
  SCA_EXEMPTED: 'success',
  LOGIN_CANCEL: 'refusedByPsu',
  LOGIN_TIMEOUT: 'timeout',
  LOGIN_OTHER_ERROR: 'bankError',
  LOGIN_REQUEST_REJECTED: 'refused',
  BAD_PASSWORD_LOGIN: 'wrongCredentials',
  UNKNOWN_LOGIN: 'wrongCredentials',
  SCA_CANCEL: 'refusedByPsu',
  SCA_TIMEOUT: 'timeout',
  SCA_OTHER_ERROR: 'bankError',
  SCA_NOK: 'wrongCredentials',
  SCA_REQUEST_REJECTED: 'refused',
  SCA_INTERNAL_ERROR: 'bankError',
};

const BY_ERROR: Readonly<Record<string, Outcome>> = {
  // PSU, time or credentials: the error does not tell.
  access_denied: 'open',
  server_error: 'bankError',
  temporarily_unavailable: 'bankError',
};

interface Told {
  /** `cancelled`: the payment was, whatever SCA that took. */
  readonly outcome: Outcome | 'cancelled';
  readonly isRedirect: boolean;
}

/** null: this exchange shows no end of an SCA. */
export function scaOutcomeOf(seen: Seen): Told | null {
  const { exchange } = seen.record;
  if (isReplaced(exchange)) return null;
  const redirected = redirectOf(exchange);
  if (redirected !== null) return { outcome: redirected, isRedirect: true };
  const told = toldOutcome(seen);
  return told === null ? null : { outcome: told, isRedirect: false };
}

function redirectOf(exchange: Exchange): Outcome | null {
  const { call, answer } = exchange;
  if (call.operation !== 'oauth.authorize' && call.operation !== 'sca.redirect') return null;
  if (answer === null || answer.status < 300 || answer.status >= 400) return null;
  const parameters = parametersOf(answer.header.location ?? '');
  const error = parameters.get('error');
  const isEnd = error !== null || parameters.has('code') || call.operation === 'sca.redirect';
  const scenario = queryValue(call, 'scenario') ?? queryValue(call, 'choice') ?? '';
  // Only where both say the same: anybody can add a parameter to the address of a bank.
  const isOfScenario = isScaScenario(scenario) && scaScenarioRow(scenario).error === error;
  const isOnPage = isScaScenario(scenario) && call.operation === 'sca.redirect';
  if (!isEnd) return null;
  if (isOfScenario || isOnPage) return BY_SCENARIO[scenario];
  if (error !== null) return Object.hasOwn(BY_ERROR, error) ? (BY_ERROR[error] ?? 'refused') : 'refused';
  return parameters.has('code') ? 'success' : null;
}

const CREDENTIALS_WRONG: ReadonlySet<unknown> = new Set(['PSU_CREDENTIALS_INVALID', 'SCA_INVALID']);

function toldOutcome({ record: { exchange }, ok }: Seen): Told['outcome'] | null {
  const { call } = exchange;
  const isUpdate = call.operation?.endsWith('authorisations.update') === true;
  if (!ok && call.direction === 'to-bank')
    return isUpdate && CREDENTIALS_WRONG.has(messageCode(exchange)) ? 'wrongCredentials' : null;
  if (call.operation === 'oauth.token')
    return formValue(call.content, 'code') === undefined ? null : 'success';
  const told = call.direction === 'to-tpp' ? jsonMembers(exchange) : answerMembers(exchange);
  const { scaStatus, consentStatus, transactionStatus } = told;
  if (scaStatus === 'finalised' || scaStatus === 'exempted' || consentStatus === 'valid') return 'success';
  if (scaStatus === 'failed' || consentStatus === 'rejected') return 'open';
  if (transactionStatus === 'CANC') return 'cancelled';
  if (call.operation === 'payments.cancel') return null;
  return ACCEPTED.has(transactionStatus) ? 'success' : null;
}

const jsonMembers = ({ call }: Exchange) =>
  call.content.kind === 'json' ? membersOf(call.content.value) : {};

/** A bank accepts a payment only once its SCA is done. */
const ACCEPTED: ReadonlySet<unknown> = new Set(
  Object.entries(PAYMENT_STATUSES)
    .filter(([, { rank }]) => rank >= PAYMENT_STATUSES.ACTC.rank && rank < PAYMENT_STATUSES.RJCT.rank)
    .map(([status]) => status),
);
