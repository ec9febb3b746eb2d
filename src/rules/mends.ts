/** How a call is mended that violates a rule: the value that belongs at the place of the finding, where it can be known. */
import { type Call, FORM_TYPE, formValue, isObject, type Place } from '../exchange/index.js';
import {
  type Dialect,
  dateOf,
  datesMeantBy,
  dayOf,
  isCurrency,
  isIban,
  isPositiveAmount,
  operationRow,
} from '../spec/index.js';
import { hasExpectedType } from './checks/request-body.js';

/** Facts by which a mend is found. */
export interface MendFacts {
  readonly call: Call;
  readonly dialect: Dialect;
  readonly expected: string;
  /** The value at the place: a text, or the value of a JSON member; undefined: nothing. */
  readonly sent: unknown;
  /** Name in the place: `Consent-Id` of `header Consent-Id`. */
  readonly name: string;
  /** YYYY-MM-DD. */
  readonly today: string;
  /** A consent of this TPP under which it may read. */
  readonly consent: string | undefined;
  readonly uuid: () => string;
}

/** null: to be taken away; undefined: nobody but the TPP knows. */
type Mended = string | number | boolean | null | undefined;
type Mend = (facts: MendFacts) => Mended;

/** In place of an access token: the gateway puts one in as it sends the call. */
export const TOKEN_TO_FILL = 'Bearer {token}';

const DAY = /^\d{4}-\d{2}-\d{2}(?= |$)/;
const SMALL = /^[1-9]\d{0,8}$/;
const SCOPE = /^(?:AIS|PIS):\S+?(?=,|$)/;

const expectedDay: Mend = ({ expected }) => DAY.exec(expected)?.[0];
/** The date that was written in another form, where it can mean no other. */
const sameDay: Mend = ({ sent }) => {
  const [day, other] = datesMeantBy(String(sent));
  return other === undefined ? day : undefined;
};
const comingDay: Mend = (facts) => {
  const day = sameDay(facts);
  return typeof day === 'string' && day >= facts.today ? day : expectedDay(facts);
};
const expectedScope: Mend = ({ expected }) => SCOPE.exec(expected)?.[0];
const expectedWhole: Mend = ({ expected }) => (/\s/.test(expected) ? undefined : expected);
const firstExpected: Mend = ({ expected }) => expected.split(/,| or /, 1)[0]?.trim();
const uuid: Mend = (facts) => facts.uuid();
const token: Mend = () => TOKEN_TO_FILL;
const consent: Mend = (facts) => facts.consent;
const psuAddress: Mend = () => '192.0.2.1';
const daysFrom = (day: string, days: number): string => dateOf(dayOf(Date.parse(day)) + days);
const lastDay: Mend = ({ today, dialect }) => daysFrom(today, dialect.consentDays);

const untilDay: Mend = (facts) => {
  const [day, last] = [comingDay(facts), String(lastDay(facts))];
  return typeof day === 'string' && day <= last ? day : last;
};

/** A value of the right type that was sent as text, or the other way round. No number is an IBAN or a date. */
const retyped: Mend = ({ expected, sent, name }) => {
  const text = String(sent).trim();
  switch (expected) {
    case 'a string':
      return typeof sent === 'number' && SMALL.test(text) && !/(?:iban|date|validUntil)$/i.test(name)
        ? text
        : undefined;
    case 'a number':
    case 'an integer':
      return SMALL.test(text) ? Number(text) : undefined;
    case 'true or false':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    default:
      return undefined;
  }
};
/** A comma before one or two digits is no thousands separator. */
const amount: Mend = ({ sent }) => {
  const text = String(sent).replace(/,(\d{1,2})$/, '.$1');
  return text !== sent && isPositiveAmount(text) ? text : undefined;
};
/** One of the listed values, in other letter case. */
const inCase: Mend = ({ expected, sent }) =>
  expected.split(', ').find((one) => one.toLowerCase() === String(sent).toLowerCase());
const currency: Mend = ({ expected, sent, call: { params }, dialect }) => {
  const code = String(sent).trim().toUpperCase();
  const isSepa = dialect.productOf(params.paymentService, params.paymentProduct)?.code === 'SCT';
  return expected.startsWith('EUR,') || code === 'EUR'
    ? 'EUR'
    : isCurrency(code) && !isSepa
      ? code
      : undefined;
};
const iban: Mend = ({ sent, dialect }) => {
  const bare = String(sent).replaceAll(/\s/g, '').toUpperCase();
  return isIban(bare) || dialect.isTestIban(bare) ? bare : undefined;
};

/** The nearest path, with the ids that the call has in the same places. */
const nearestPath: Mend = ({ call: { nearest, request } }) => {
  const sent = request.path.split('/').filter((part, i) => i === 0 || part !== '');
  const parts = nearest?.split('/') ?? [];
  return parts.length === sent.length
    ? parts.map((part, i) => (part.startsWith('{') ? sent[i] : part)).join('/')
    : undefined;
};

/** No text of another form holds these; a form for a token is mended as a whole, by `mendedForm`. */
const contentType: Mend = ({ call: { operation, request }, expected }) => {
  const isForm = operation !== null && operationRow(operation).body === 'form';
  const types = expected.split(' or ');
  if (isForm || request.body === null || request.body.base64 === true) return undefined;
  const isJson = jsonOf(request.body.text) !== undefined;
  const isXml = /^\s*</.test(request.body.text);
  return types.find((type) => (/json$/.test(type) ? isJson : /xml/.test(type) && isXml));
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request that has to be a form: what its parts become, so that no field is lost; undefined: it cannot be told. */
export function mendedForm(
  call: Call,
  dialect: Dialect,
): readonly (readonly [Place, string | null])[] | undefined {
  const { operation, request } = call;
  if (operation === null || operationRow(operation).body !== 'form') return [];
  if (request.query.length === 0 && (request.body === null || hasExpectedType(call, dialect))) return [];
  const sent = fieldsOfBody(call);
  if (sent === undefined) return undefined;
  const fields = new Map(request.query);
  for (const [name, value] of [...request.query, ...sent]) {
    if ((fields.get(name) ?? value) !== value) return undefined;
    fields.set(name, value);
  }
  return [
    ...(request.query.length === 0 ? [] : [['query', null] as const]),
    ['body', new URLSearchParams([...fields]).toString()],
    ['header Content-Type', FORM_TYPE],
  ];
}

function fieldsOfBody({ request: { body } }: Call): readonly (readonly [string, string])[] | undefined {
  if (body === null || body.size === 0) return [];
  if (body.base64 === true || body.truncated === true) return undefined;
  if (/^[\w.~%-]+=/.test(body.text)) return [...new URLSearchParams(body.text)];
  const json = jsonOf(body.text);
  const members = isObject(json) ? Object.entries(json) : [];
  const isFlat = members.length > 0 && members.every(([, value]) => typeof value === 'string');
  return isFlat ? members.map(([name, value]) => [name, String(value)]) : undefined;
}

/** By rule. What a rule's finding cannot tell is left out, such as which accounts a TPP wants to read. */
export const MENDS: Readonly<Record<string, Mend>> = {
  'requests/request-id-present': uuid,
  'requests/request-id-is-uuid': uuid,
  'requests/request-id-fresh': uuid,
  'requests/psu-ip-address-present': psuAddress,
  'requests/psu-ip-address-valid': psuAddress,
  'requests/content-type': contentType,
  'requests/accepts-json': () => 'application/json',
  'requests/boolean-headers': ({ sent }) =>
    /^(?:true|false)$/i.test(String(sent)) ? String(sent).toLowerCase() : undefined,
  'requests/redirect-uri-without-fragment': ({ sent }) => String(sent).split('#', 1)[0],
  'requests/headers-of-the-bank': ({ expected }) => (expected.startsWith('no such') ? null : undefined),
  'requests/known-path': nearestPath,
  'requests/known-query': ({ expected }) => (expected === 'no such parameter' ? null : undefined),
  'requests/known-method': ({ call: { allow } }) => (allow?.length === 1 ? allow[0] : undefined),
  'requests/no-body-on-read': () => null,
  'requests/ids-of-their-kind': (facts) =>
    facts.name === 'Authorization' ? TOKEN_TO_FILL : facts.name === 'Consent-Id' ? facts.consent : undefined,
  'consents/body-well-formed': retyped,
  'consents/valid-until-is-a-date': untilDay,
  'consents/valid-until-not-past': lastDay,
  'consents/valid-until-within-90-days': lastDay,
  'consents/frequency-positive': () => 1,
  'consents/frequency-allowed': ({ dialect }) => dialect.accessesPerDay,
  'consents/one-off-frequency': () => 1,
  'consents/iban-valid': iban,
  'consents/access-value': expectedWhole,
  'oauth/grant-type': ({ call: { content } }) =>
    formValue(content, 'code') === undefined
      ? formValue(content, 'refresh_token') && 'refresh_token'
      : 'authorization_code',
  'oauth/response-type': () => 'code',
  'oauth/challenge-method': () => 'S256',
  'oauth/challenge-uses-s256': () => 'S256',
  'oauth/state-unguessable': uuid,
  'oauth/redirect-uri-matches-creation': expectedWhole,
  'oauth/redirect-uri-same-at-token': expectedWhole,
  'oauth/scope-names-created-resource': expectedScope,
  'oauth/scope-matches-authorisation': expectedScope,
  'oauth/client-id': firstExpected,
  'oauth/token-client-id': (facts) => (facts.expected.startsWith('no ') ? null : firstExpected(facts)),
  'oauth/refresh-token-as-bearer': token,
  'accounts/token-present': token,
  'accounts/token-known': token,
  'accounts/token-not-expired': token,
  'accounts/token-belongs-to-consent': token,
  'accounts/token-belongs-to-tpp': token,
  'accounts/consent-id-present': consent,
  'accounts/consent-known': consent,
  'accounts/consent-valid': consent,
  'accounts/consent-not-ended': consent,
  'accounts/booking-status': inCase,
  'accounts/date-range': (facts) => sameDay(facts) ?? expectedDay(facts),
  'accounts/history-within-90-days': ({ today, dialect }) => daysFrom(today, -dialect.historyDays),
  'payments/consent-id-is-payment-id': expectedWhole,
  'payments/amount-well-formed': amount,
  'payments/body-well-formed': retyped,
  'payments/currency-known': currency,
  'payments/iban-valid': iban,
  'payments/execution-date': comingDay,
  'payments/periodic-dates': comingDay,
  'funds/iban-valid': iban,
  'funds/amount-well-formed': amount,
  'funds/body-well-formed': retyped,
};

const ANY_CONSENT = 'the newest that is valid of this TPP: another one may be meant';
/** Mends that are right, but one of several: what else there is. */
export const MEND_NOTES: Readonly<Record<string, string>> = {
  'requests/psu-ip-address-present': 'an example: take the address of your PSU',
  'requests/psu-ip-address-valid': 'an example: take the address of your PSU',
  'consents/valid-until-is-a-date': 'the day that was written, or the last that is possible',
  'consents/valid-until-not-past': 'the last day that is possible: any day before is right, too',
  'consents/valid-until-within-90-days': 'the last day that is possible: any day before is right, too',
  'consents/frequency-positive': 'the least: more is right, too',
  'consents/frequency-allowed': 'the most: less is right, too',
  'accounts/history-within-90-days': 'the first day that is possible',
  ...Object.fromEntries(
    ['id-present', 'known', 'valid', 'not-ended'].map((rule) => [`accounts/consent-${rule}`, ANY_CONSENT]),
  ),
  'requests/known-path': 'the nearest path: another one may be meant',
  'oauth/state-unguessable': 'an example: make one for each request',
};

/** True only if the TPP knows it to be: no mend claims it. */
export const CLAIMS: Readonly<Record<string, string>> = {
  'accounts/within-daily-limit': 'only if the PSU asks now: PSU-IP-Address with its address',
};
