/** Whether a call may read account information of the living bank: by its token, its consent, and what that covers. */
import {
  type Account,
  accessFault,
  type BankChange,
  type BankConsent,
  consentChange,
  consentStatusAt,
  coveredAccounts,
  covers,
  needsScaAgain,
  type Right,
  revokedAt,
  shownId,
  tokenFirst,
} from '../../bank/index.js';
import type { Answer, Call } from '../../exchange/index.js';
import type { Refusal } from '../../rules/index.js';
import { consentScope, type Dialect, WIRE_ERRORS } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import type { AnswerContext } from '../answerer.js';
import { asksForToken, bearerIn } from '../emulator/token-first.js';
import type { LivingBank, LivingMoment } from './living.js';

/** The consent of the call, valid and with its token if the bank asks for one; or the answer. */
export function consentOfCall(bank: LivingBank, call: Call, moment: LivingMoment): BankConsent | Answer {
  const { dialect } = bank.links;
  const id = dialect.hasConsents ? call.header['consent-id'] : grantorOf(bank, call, moment, 'AIS')?.consent;
  if (!dialect.hasConsents && id === undefined) return refuseToken(bank, call, moment, 'TOKEN_INVALID');
  if (id === undefined || id === '')
    return refuse(call, 'FORMAT_ERROR', { path: 'Consent-Id', text: 'The header Consent-Id is missing.' });
  const consent = moment.bank.bankConsents.get(id);
  if (consent === undefined || consent.tpp !== call.tpp)
    return refuse(call, 'CONSENT_UNKNOWN', { status: 400 });
  const notValid = faultOfConsent(consent, moment.now);
  const valid = notValid === null ? consent : refuse(call, notValid.code, { text: notValid.text });
  const token = bearerIn(call);
  const { bearer, isTokenFirst, scopesNameResources } = dialect;
  if (bearer === 'none' || (bearer === 'optional' && token === '')) return valid;
  if (isTokenFirst && !scopesNameResources('AIS')) {
    const fault = faultOfTokenFirst(bank, call, moment, 'AIS');
    if (fault !== null) return refuseToken(bank, call, moment, fault);
    // A token is of one PSU, and so is a consent.
    return grantorOf(bank, call, moment, 'AIS')?.psu === consent.psu
      ? valid
      : refuseToken(bank, call, moment, 'TOKEN_INVALID');
  }
  const given = { token: bank.fingerprint(token), tpp: consent.tpp, scope: consentScope(id) };
  const fault = token === '' ? 'TOKEN_INVALID' : accessFault(moment.bank, given, moment.now);
  return fault === null ? valid : refuseToken(bank, call, moment, fault);
}

type TokenFault = 'TOKEN_UNKNOWN' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED';
type Service = Parameters<Dialect['scopesNameResources']>[0];

/** Nothing in the request shows that a token was revoked (reading `code-living`): only the text can tell. */
function refuseToken(
  { fingerprint }: LivingBank,
  call: Call,
  { bank }: LivingMoment,
  fault: TokenFault,
): Answer {
  const fact = bank.bankTokens.get(fingerprint(bearerIn(call)));
  const at = fault === 'TOKEN_INVALID' && fact?.tpp === call.tpp ? revokedAt(bank, fact) : undefined;
  const text =
    at === undefined
      ? WIRE_ERRORS[fault].text
      : `The access token was revoked: its code was used a second time at ${new Date(at).toISOString()}. Let the PSU authorise again, and exchange each code once.`;
  return refuse(call, fault, { text, headers: [['WWW-Authenticate', 'Bearer error="invalid_token"']] });
}

/** The token of a call that creates, or that reads where scopes name no consent. */
function tokenOf(bank: LivingBank, call: Call, moment: LivingMoment, service: Service) {
  const given = { token: bank.fingerprint(bearerIn(call)), tpp: call.tpp ?? '' };
  const fact = tokenFirst(moment.bank, given, moment.now);
  if (typeof fact === 'string') return fact;
  return bank.links.dialect.servicesOf(fact.scope).has(service) ? fact : 'TOKEN_INVALID';
}

/** The PSU behind that token; undefined where it is the client's own, or none. */
export function grantorOf(bank: LivingBank, call: Call, moment: LivingMoment, service: Service) {
  const fact = bearerIn(call) === '' ? undefined : tokenOf(bank, call, moment, service);
  return typeof fact === 'object' ? fact.grantor : undefined;
}

function faultOfTokenFirst(bank: LivingBank, call: Call, moment: LivingMoment, service: Service) {
  const fact = tokenOf(bank, call, moment, service);
  return typeof fact === 'string' ? fact : null;
}

/** The refusal of a creation without the token that the bank gives first; null where it is right, or none is asked for. */
export function refusalOfCreation(bank: LivingBank, call: Call, moment: LivingMoment, service: Service) {
  if (!asksForToken(call, bank.links.dialect)) return null;
  const fault = faultOfTokenFirst(bank, call, moment, service);
  return fault === null ? null : refuseToken(bank, call, moment, fault);
}

/** Reading `consent-not-valid-status`; null where the consent is valid. */
function faultOfConsent(consent: BankConsent, now: number) {
  const status = consentStatusAt(consent, now);
  if (needsScaAgain(consent, now)) return { code: 'CONSENT_INVALID', text: SCA_AGAIN } as const;
  if (status === 'valid') return null;
  return status === 'expired'
    ? ({ code: 'CONSENT_EXPIRED', text: WIRE_ERRORS.CONSENT_EXPIRED.text } as const)
    : ({ code: 'CONSENT_INVALID', text: `The consent is ${status}.` } as const);
}

const SCA_AGAIN =
  'The consent is valid, and its access has ended: the PSU has to authenticate again. Start a new authorisation of the consent.';

/** A refresh does not help where the consent has ended too, of which the rules may not know (reading `token-living`). */
export function refusalWithConsent(call: Call, { bank, now, refusal }: AnswerContext): Refusal | null {
  if (refusal?.kind !== 'messages') return refusal;
  const { messages } = refusal;
  const isExpired = messages.some(({ code }) => code === 'TOKEN_EXPIRED');
  if (!isExpired || messages.some(({ code }) => code.startsWith('CONSENT_'))) return refusal;
  const consent = bank.bankConsents.get(call.header['consent-id'] ?? '');
  const fault = consent?.tpp === call.tpp && consent !== undefined ? faultOfConsent(consent, now) : null;
  return fault === null ? refusal : { ...refusal, messages: [...messages, { ...fault, path: 'Consent-Id' }] };
}

export interface Permitted {
  readonly consent: BankConsent;
  readonly account: Account;
}

/** The account of the path, if the consent grants this right to it (reading `account-not-covered`). */
export function accountOfCall(
  bank: LivingBank,
  call: Call,
  moment: LivingMoment,
  right: Right,
): Permitted | Answer {
  const consent = consentOfCall(bank, call, moment);
  if (!('access' in consent)) return consent;
  const { population } = moment.books;
  const id = call.params.accountId ?? '';
  const account =
    consent.ownIds === true
      ? coveredAccounts(consent, population).find((one) => shownId(consent, one.resourceId) === id)
      : population.account(id);
  if (account === undefined)
    return refuse(call, 'RESOURCE_UNKNOWN', {
      text: 'No account has this resourceId: use one that the list of accounts gives.',
    });
  if (covers(consent, account, right)) return { consent, account };
  const text = covers(consent, account, 'details')
    ? `The consent gives no right to the ${right} of this account.`
    : 'The consent gives no right to this account.';
  return refuse(call, 'CONSENT_INVALID', { text });
}

/** Changes after an answered read: the consent was used, and when it was used beyond the ordinary history. */
export function useOf(consent: BankConsent, now: number, beyondHistory = false): BankChange[] {
  const isUsed = consent.usedAt !== null && consent.usedAt <= now;
  if (isUsed && !beyondHistory) return [];
  const used = isUsed ? consent : { ...consent, usedAt: now, lastActionAt: now };
  return [consentChange(beyondHistory ? { ...used, historyAt: now } : used)];
}
