/** What psd2-api 1.3.11 says of the bodies that a bank answers, as schemas of our own. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { PURPOSE_CODES } from '../src/spec/codes.js';

type Schema = Readonly<Record<string, unknown>>;

const text = (maxLength?: number): Schema => ({
  type: 'string',
  ...(maxLength === undefined ? {} : { maxLength }),
});
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
const like = (pattern: string): Schema => ({ type: 'string', pattern: `^(?:${pattern})$` });
const list = (items: Schema): Schema => ({ type: 'array', items });
const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
});

const date: Schema = { type: 'string', format: 'date' };
const dateTime: Schema = { type: 'string', format: 'date-time' };
const flag: Schema = { type: 'boolean' };
const currency = like('[A-Z]{3}');
const bic = like('[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?');
const amount = object({ currency, amount: like('-?[0-9]{1,14}(?:\\.[0-9]{1,3})?') }, 'currency', 'amount');
const links: Schema = {
  type: 'object',
  additionalProperties: object({ href: text() }, 'href'),
};
const account = object({
  iban: like('[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}'),
  bban: like('[a-zA-Z0-9]{1,30}'),
  pan: text(35),
  maskedPan: text(35),
  msisdn: text(35),
  currency,
  cashAccountType: text(4),
});
const address = object(
  {
    country: like('[A-Z]{2}'),
    streetName: text(70),
    buildingNumber: text(),
    townName: text(),
    postCode: text(),
  },
  'country',
);
const scaStatus = oneOf(
  ...['received', 'psuIdentified', 'psuAuthenticated', 'scaMethodSelected', 'started', 'unconfirmed'],
  ...['finalised', 'failed', 'exempted'],
);
const consentStatus = oneOf(
  ...['received', 'rejected', 'valid', 'revokedByPsu', 'expired', 'terminatedByTpp'],
  'partiallyAuthorised',
);
const transactionStatus = oneOf(
  ...['ACCC', 'ACCP', 'ACSC', 'ACSP', 'ACTC', 'ACWC', 'ACWP', 'RCVD', 'PDNG', 'RJCT', 'CANC', 'ACFC'],
  ...['PATC', 'PART'],
);
const message = object(
  { category: oneOf('ERROR', 'WARNING'), code: text(), path: text(), text: text(500) },
  'category',
  'code',
);
const PSU_MESSAGE = { psuMessage: text(500) };
const structured: Schema = {
  anyOf: [
    text(140),
    object({ reference: text(140), referenceType: text(35), referenceIssuer: text(35) }, 'reference'),
  ],
};
const texts = {
  endToEndIdentification: text(35),
  creditorName: text(70),
  creditorAccount: account,
  creditorAgent: bic,
  creditorId: text(35),
  ultimateCreditor: text(70),
  debtorName: text(70),
  debtorAccount: account,
  ultimateDebtor: text(70),
  remittanceInformationUnstructured: text(140),
  remittanceInformationUnstructuredArray: list(text(140)),
  purposeCode: oneOf(...PURPOSE_CODES),
};

const payment = object(
  {
    ...texts,
    ...PSU_MESSAGE,
    instructionIdentification: text(35),
    instructedAmount: amount,
    creditorAgentName: text(140),
    creditorAddress: address,
    chargeBearer: oneOf('DEBT', 'CRED', 'SHAR', 'SLEV'),
    remittanceInformationStructured: structured,
    remittanceInformationStructuredArray: list(structured),
    requestedExecutionDate: date,
    transactionStatus,
  },
  ...['debtorAccount', 'instructedAmount', 'creditorAccount', 'creditorName', 'transactionStatus'],
);
const balance = object(
  {
    balanceAmount: amount,
    balanceType: oneOf(
      ...['closingBooked', 'expected', 'openingBooked', 'interimAvailable', 'interimBooked'],
      ...['forwardAvailable', 'nonInvoiced'],
    ),
    creditLimitIncluded: flag,
    lastChangeDateTime: dateTime,
    referenceDate: date,
  },
  'balanceAmount',
  'balanceType',
);
const details = object(
  {
    resourceId: text(),
    iban: like('[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}'),
    currency,
    name: text(70),
    product: text(35),
    cashAccountType: text(4),
    status: oneOf('enabled', 'deleted', 'blocked'),
    bic,
    usage: oneOf('PRIV', 'ORGA'),
    ownerName: text(140),
    balances: list(balance),
    _links: links,
  },
  'currency',
);
const transaction = object(
  {
    ...texts,
    transactionId: text(),
    endToEndId: text(35),
    bookingDate: date,
    valueDate: date,
    transactionAmount: amount,
    bankTransactionCode: text(),
    additionalInformation: text(500),
  },
  'transactionAmount',
);

/** By method and path, behind the version; the first that fits. */
const ANSWERS: readonly (readonly [operation: RegExp, schema: Schema])[] = [
  [
    /^POST \/consents$/,
    object({ consentStatus, consentId: text(), _links: links }, 'consentStatus', 'consentId', '_links'),
  ],
  [
    /^GET \/consents\/[^/]+$/,
    object(
      {
        access: object({
          accounts: list(account),
          balances: list(account),
          transactions: list(account),
          allPsd2: oneOf('allAccounts', 'allAccountsWithOwnerName'),
        }),
        recurringIndicator: flag,
        validUntil: date,
        frequencyPerDay: { type: 'integer', minimum: 1 },
        lastActionDate: date,
        consentStatus,
        _links: links,
      },
      ...['access', 'recurringIndicator', 'validUntil', 'frequencyPerDay', 'lastActionDate', 'consentStatus'],
    ),
  ],
  [/^GET \/consents\/[^/]+\/status$/, object({ consentStatus }, 'consentStatus')],
  [/^GET .*\/(?:cancellation-)?authorisations$/, object({ authorisationIds: list(text()) })],
  [/^GET .*\/(?:cancellation-)?authorisations\/[^/]+$/, object({ scaStatus }, 'scaStatus')],
  [
    /^POST .*\/authorisations$/,
    object({ scaStatus, authorisationId: text(), _links: links }, 'scaStatus', '_links'),
  ],
  [/^GET \/accounts$/, object({ accounts: list(details) }, 'accounts')],
  [/^GET \/accounts\/[^/]+$/, object({ account: details }, 'account')],
  [/^GET \/accounts\/[^/]+\/balances$/, object({ account, balances: list(balance) }, 'balances')],
  [
    /^GET \/accounts\/[^/]+\/transactions$/,
    object({
      account,
      balances: list(balance),
      transactions: object(
        { booked: list(transaction), pending: list(transaction), _links: links },
        '_links',
      ),
    }),
  ],
  [
    /^POST \/payments\/[^/]+$/,
    object(
      { transactionStatus, paymentId: text(), _links: links },
      ...['transactionStatus', 'paymentId', '_links'],
    ),
  ],
  [/^GET \/payments\/[^/]+\/[^/]+$/, payment],
  [
    /^GET \/payments\/[^/]+\/[^/]+\/status$/,
    object({ ...PSU_MESSAGE, transactionStatus }, 'transactionStatus'),
  ],
  [/^DELETE \/payments\//, object({ transactionStatus, scaStatus, _links: links }, 'transactionStatus')],
  [/^POST \/funds-confirmations$/, object({ fundsAvailable: flag }, 'fundsAvailable')],
];
const ERROR = object({ tppMessages: list(message), _links: links }, 'tppMessages');

const ajv = addFormats.default(new Ajv({ allErrors: true }));
const compiled = new Map<Schema, ValidateFunction>();

/** What is wrong with the body of an answer; empty: nothing. `path`: behind the version, without query. */
export function schemaFaults(method: string, path: string, status: number, body: unknown): string[] {
  const fitting = ANSWERS.find(([operation]) => operation.test(`${method} ${path}`));
  if (fitting === undefined) return [`no schema for ${method} ${path}`];
  const schema = status < 400 ? fitting[1] : ERROR;
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
